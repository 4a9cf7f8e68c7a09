"""The expected time of a sweep, whatever else was measured on the machine."""

import os
import random
from collections import defaultdict
from math import exp

import pytest

from handoff.catalog import load_catalog
from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import SWEEPS
from handoff.run import cost
from handoff.run.cost import CostModel
from handoff.run.plan.sweep import load_sweep, validate_sweep

from .any_sweep import draw_sweep
from .conftest import on_machine

SWEEPS_BEFORE = 200
START_UP_S = 0.04
"""Time that a made-up shot takes beyond its guess: to wake threads up, and to compile."""

HOUR = 3600.0


def draw_points(chance):
    """Return the points of a random sweep on two cores, often of few events."""
    studies = sorted(load_catalog())
    while True:
        study = chance.choice(studies)
        sweep = draw_sweep(chance, study) | {"verdicts": False}
        if chance.random() < 0.6:
            sweep["studies"][study][0]["events"] = chance.choice((100, 3000, 20000))
        try:
            return on_machine(2, validate_sweep(sweep, "own.yml"))
        except BadInput:
            continue


def write_history(runs, number, points, time_fork):
    """Write of a run only what estimates are made from; `time_fork` returns start-up and shots."""
    folder = runs / f"own-{number}"
    (folder / "forks").mkdir(parents=True)
    started = f"2026-01-01T{number // 60:02}:{number % 60:02}:00+00:00"
    write_json(folder / "run.json", {"machine": "m", "started": started})
    write_json(folder / "plan.json", [point.model_dump() for point in points])
    for point in points:
        for fork in range(point.forks):
            start_s, walls = time_fork(point)
            before = walls[: -point.shots]
            evidence = {"shots": [{"wallNs": wall * 1e9} for wall in walls[-point.shots :]]}
            if before:
                evidence["warmUp"] = {"wallNs": [wall * 1e9 for wall in before]}
            content = {"seconds": start_s + sum(walls), "evidence": evidence}
            write_json(folder / "forks" / f"{point.fork_name(fork)}.json", content)
    return folder


def take(factor, start_s=cost.FORK_S, chance=None):
    """Return a function that makes up forks whose shots take `factor` times as long as guessed."""

    def time_fork(point):
        luck = exp(chance.gauss(0, 0.2)) if chance else 1.0
        wall = cost.estimate_shot_seconds(point) * factor * luck
        walls = [wall + (START_UP_S if chance else 0)] * round(cost.count_shots(point))
        accident = chance.random() if chance else 1.0
        if accident < 0.01:
            walls[0] += HOUR
        return start_s * luck + HOUR * (0.01 < accident < 0.02), walls

    return time_fork


@pytest.fixture(scope="module")
def experienced(tmp_path_factory):
    """Return what a machine knows that has measured many sweeps, with a few forks of an hour."""
    runs, chance = tmp_path_factory.mktemp("runs"), random.Random(2026)
    for number in range(SWEEPS_BEFORE):
        write_history(runs, number, draw_points(chance), take(1.0, chance=chance))
    return CostModel(runs, "m")


@pytest.mark.parametrize("profile", ["quick", "full", "smoke"])
def test_two_hundred_sweeps_leave_the_estimates_of_the_shipped_ones(experienced, profile):
    assert len(experienced.known) > SWEEPS_BEFORE
    expected, guessed = defaultdict(float), defaultdict(float)
    for point in on_machine(2, load_sweep(SWEEPS / f"{profile}.yml")):
        expected[point.study] += point.forks * experienced.fork_seconds(point)
        guessed[point.study] += point.forks * CostModel().fork_seconds(point)
    ratios = {study: expected[study] / guessed[study] for study in guessed}
    assert all(0.5 < ratio < 2 for ratio in ratios.values()), ratios


def make_points(study, sorts, events):
    """Return a point of the queue for each number of sorts, with one fork."""
    entry = {"mechanism": "ARRAY_BLOCKING_QUEUE", "sorts": sorts, "events": events, "shots": 5}
    sweep = {"about": "x", "verdicts": False, "forks": {"fitting": 1}, "studies": {study: [entry]}}
    return on_machine(2, validate_sweep(sweep, "own.yml"))


FIVE = make_points("ladder", [1, 2, 3, 4, 5], 1_000_000)
LATER, *_ = make_points("ladder", [9], 1_000_000)
ELSEWHERE, *_ = make_points("scaling", [9], 1_000_000)


@pytest.mark.parametrize(
    ("points", "factor", "expected"),
    [
        (FIVE, 3.0, 3.0),
        # One point alone says nothing of others.
        (FIVE[:1], 3.0, 1.0),
        (FIVE, 1000.0, cost.MOST),
        # Shots that are too short say nothing, however many.
        (make_points("ladder", list(range(1, 60)), 3000), 1000.0, 1.0),
    ],
)
def test_what_long_shots_took_scales_the_guesses_of_their_study(tmp_path, points, factor, expected):
    write_history(tmp_path, 0, points, take(factor))
    model = CostModel(tmp_path, "m")
    assert model.estimate_times(LATER).shot_s == pytest.approx(
        expected * cost.estimate_shot_seconds(LATER)
    )
    assert model.fork_seconds(ELSEWHERE) == CostModel().fork_seconds(ELSEWHERE)


def test_start_up_is_learnt_from_short_shots_as_well(tmp_path):
    write_history(tmp_path, 0, make_points("ladder", [1, 2, 3], 3000), take(1.0, start_s=2.5))
    assert CostModel(tmp_path, "m").estimate_times(LATER).start_s == pytest.approx(2.5)


def test_one_bad_fork_of_three_moves_nothing(tmp_path):
    points = [point.model_copy(update={"forks": 3}) for point in FIVE]
    seconds = iter([HOUR, 1.0, 1.0] * 2 * len(points))
    write_history(tmp_path, 0, points, lambda point: (next(seconds), [next(seconds)] * 5))
    assert CostModel(tmp_path, "m").known[points[0].name].start_s == 1.0


def test_of_many_forks_only_the_latest_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(cost, "MOST_FORKS", 2)
    for number, factor in enumerate((9.0, 2.0)):
        write_history(tmp_path, number, FIVE[:2], take(factor))
    known = CostModel(tmp_path, "m").known
    guesses = {point.name: cost.estimate_shot_seconds(point) for point in FIVE[:2]}
    assert {name: times.shot_s / guesses[name] for name, times in known.items()} == pytest.approx(
        dict.fromkeys(guesses, 2.0), rel=0.1
    )


@pytest.mark.parametrize("text", ["", "[]", '{"seconds": 1e999}', '{"seconds": -1}'])
def test_what_is_not_a_fork_is_not_read(tmp_path, text):
    forks = write_history(tmp_path, 0, FIVE[:2], take(1.0)) / "forks"
    (forks / f"{FIVE[0].fork_name(0)}.json").write_text(text)
    os.mkfifo(forks / f"{FIVE[0].fork_name(1)}.json")
    assert list(CostModel(tmp_path, "m").known) == [FIVE[1].name]
