"""Sweep values that depend on the machine's cores, and forks where threads share cores."""

import pytest

from handoff.errors import BadInput
from handoff.run.plan.expansion import expand_points
from handoff.run.plan.points import Point
from handoff.run.plan.sweep import Sweep, validate_sweep
from tests.conftest import on_machine


def make_sweep(*entries: dict, study: str = "executors", forks: int = 1) -> Sweep:
    """Return a sweep of one study with these entries, of one shot each."""
    shots = {"shots": 1, "warmup": 0}
    listed = [shots | entry for entry in entries]
    content = {"about": "x", "verdicts": False, "forks": {"fitting": forks}}
    return validate_sweep(content | {"studies": {study: listed}}, "own.yml")


def expand(cores: int, *entries: dict, **more) -> list[Point]:
    return expand_points(make_sweep(*entries, **more), "own.yml", cores)


AROUND = {"threads": "CORES-2..CORES+1"}
TWICE = {"mechanism": "SHARED_POOL", "threads": [1, "CORES", "TWICE_CORES"]}


@pytest.mark.parametrize(
    ("cores", "study", "entry", "threads"),
    [
        (8, "executors", AROUND, [6, 7, 8, 9]),
        (2, "executors", AROUND, [1, 2, 3]),
        (8, "executors", AROUND | {"exclude": [{"threads": "CORES-1"}]}, [6, 8, 9]),
        (4, "executors", {"threads": [1, "2..4", "CORES", "CORES+1"]}, [1, 2, 3, 4, 5]),
        (6, "ring", TWICE, [1, 6, 12]),
    ],
)
def test_words_in_lists_and_ranges_stand_for_this_machines_cores(cores, study, entry, threads):
    points = expand(cores, entry, study=study)
    assert [int(point.params["threads"]) for point in points] == threads


@pytest.mark.parametrize("word", ["CORES*2", "CORES-0", "CORES+100", "1..TWICE_CORES"])
def test_an_unknown_word_is_refused(word):
    with pytest.raises(BadInput, match="threads"):
        make_sweep({"mechanism": "SHARED_POOL", "threads": word}, study="ring")


def test_an_entry_without_points_on_this_machine_is_skipped():
    points = expand(2, {"threads": "CORES-2"}, {"threads": 1, "mechanism": "PEKKO"})
    assert [point.params["mechanism"] for point in points] == ["PEKKO"]


POOL = {"mechanism": "SHARED_POOL", "threads": [1, 4]}
TASKS = {"mechanism": "PI_TASKS", "threads": 2, "oversubscribed": 0}


@pytest.mark.parametrize(
    ("cores", "entries", "forks"),
    [
        (2, [POOL | {"oversubscribed": 5}, TASKS], [7, 5, 7]),
        (1, [POOL | {"oversubscribed": 5}, TASKS], [7, 5, 0]),
        (1, [POOL], [7, 1]),
    ],
)
def test_an_entry_may_set_the_forks_of_its_oversubscribed_points(cores, entries, forks):
    sweep = make_sweep(*entries, study="ring", forks=7)
    assert [point.forks for point in on_machine(cores, sweep)] == forks
