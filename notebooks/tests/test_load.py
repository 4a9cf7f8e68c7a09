"""Loads: the work that takes as long here as at the source, and which loads are compared."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from handoff.analysis.intervals import Term
from handoff.claims.load import LoadGate
from handoff.claims.model import PublishedLoad
from handoff.claims.observations import Cell, Observations
from handoff.claims.readers import count_sockets, is_like_paper
from handoff.errors import BadInput, Failure
from handoff.run import calibration, fork
from handoff.run.java import arms
from handoff.run.java.jdk import Jdk
from handoff.run.plan import expansion
from handoff.run.plan.points import Point, Slot
from handoff.run.plan.sweep import validate_sweep

from .synthetic import topology


def sweep_of(study: str, **entry) -> dict:
    shots = {"shots": 2, "warmup": 1}
    return {"about": "a test", "forks": {"fitting": 1}, "studies": {study: [shots | entry]}}


def test_the_amount_that_takes_a_published_time_lies_on_the_line_through_two_costs():
    # 190 ns without work and 67 ns per iteration: 30.4 and 262.1 iterations.
    costs = {0: 190.0, 100: 6890.0}
    amounts = {"NS_2225": 30, "NS_17750": 260, "NS_100": 1}
    assert calibration.solve_amounts(list(amounts), costs.__getitem__) == amounts
    costs = {0: 200.0, 100: 190.0}
    with pytest.raises(Failure, match="NS_2225 cannot be calibrated: an event took 190 ns"):
        calibration.solve_amounts(["NS_2225"], costs.__getitem__)


def test_a_word_stands_for_its_amount_in_every_point():
    content = sweep_of("ring", mechanism="SHARED_POOL", work=[10, "NS_2225"])
    sweep = validate_sweep(content, "a test")
    words = calibration.find_words(sweep, "a test")
    assert words == {"ring": ["NS_2225"]}
    points = expansion.expand_points(sweep, "a test", 2, {"ring": {"NS_2225": 34}})
    assert [point.params["work"] for point in points] == ["10", "34"]
    content["studies"]["ring"][0]["exclude"] = [{"work": "NS_2225"}]
    rest = validate_sweep(content, "a test")
    points = expansion.expand_points(rest, "a test", 2, {"ring": {"NS_2225": 34}})
    assert [point.params["work"] for point in points] == ["10"]
    (guessed,) = calibration.guess_amounts(words)["ring"].values()
    assert 100 < guessed < 200, "139 iterations of 15 ns and a hop of 140"


def test_a_load_is_calibrated_with_the_jdk_and_the_flags_of_the_first_arm(monkeypatch):
    content = sweep_of("ring", work="NS_2225") | {"arms": {"a": {"flags": ["-Xint"]}, "b": {}}}
    first, measured = Jdk(Path("first"), 17, ""), []

    def measure_fork(java, job):
        measured.append((java, job.jvm.flags))
        shots = [{"wallNs": len(measured), "events": 1}] * calibration.SHOTS
        return fork.Outcome("forks", {"evidence": {"shots": shots}})

    monkeypatch.setattr(fork, "measure_fork", measure_fork)
    monkeypatch.setattr(arms, "resolve_arms", lambda *_: {"a": first, "b": None})
    monkeypatch.setattr(calibration, "place_alone", lambda *_: None)
    sweep = validate_sweep(content, "a test")
    calibration.calibrate_amounts({"ring": ["NS_2225"]}, sweep, None)
    assert measured == [(first, ["-Xint"])] * 6


@pytest.mark.parametrize(
    ("study", "word", "owner"), [("ring", "NS_2225", "only"), ("counters", "NS_5", "no")]
)
def test_only_work_can_be_given_as_a_time(study, word, owner):
    sweep = validate_sweep(sweep_of(study, events=word), "own.yml")
    message = f"own.yml: studies.{study}.events: {word} is an amount of work, which {owner}"
    with pytest.raises(BadInput, match=message):
        calibration.find_words(sweep, "own.yml")


class Alone:
    """Part of a run that a LoadGate reads: nanoseconds per hop on one thread, by work."""

    def __init__(self, costs: dict[int, float]) -> None:
        self.costs, self.bindings = costs, {}

    def cell(self, chosen, quantity, shared):
        measured = chosen["work"] in self.costs and "placement" not in chosen
        ns = self.costs.get(chosen["work"], 1.0)
        return Cell("p" if measured else "", "", Term(1.0, np.log([ns])))


UNLIKE = (
    "not at the published load ({} ns a hop on one thread, published 2,225 to 2,500;"
    " work is {} times the hand-over here, 2.7 times in the source)"
)


@pytest.mark.parametrize(
    ("ns", "message"),
    [
        (1113.0, ""),
        (5000.0, ""),
        (1112.0, UNLIKE.format("1,112", "0.83")),
        (5001.0, UNLIKE.format("5,001", "7.2")),
    ],
)
def test_a_load_counts_from_half_to_twice_the_published_one(ns, message):
    published = PublishedLoad(amounts={"LITTLE": [2225, 2500]}, without=607)
    gate = LoadGate("ring", published, Alone({0: 607.0, 10: ns}), {"LITTLE": 10})
    assert gate.explain({"work": 10, "threads": 2}) == message
    assert gate.explain({"work": 0, "threads": 2}) == ""
    nowhere = LoadGate("ring", published, Alone({0: 607.0}), {"LITTLE": 10})
    assert nowhere.explain({"work": 10}).startswith("load unknown, as work 10 has no forks")


def test_a_load_matches_by_its_time_or_by_its_share_of_work():
    # 10 iterations cost a tenth of the source's time, as a hand-over does.
    published = PublishedLoad(amounts={"LITTLE": [2225]}, without=607)
    here = Alone({0: 60.7, 10: 222.5, 100: 2225.0})
    for amount, fits in ((10, {"share"}), (100, {"time"})):
        for match in ("time", "share"):
            gate = LoadGate("ring", published, here, {"LITTLE": amount}, [match])
            assert (gate.explain({"work": amount}) == "") is (match in fits)


@pytest.mark.parametrize(
    ("sockets", "cpus", "number"),
    [([0, 0, 1, 1], [0, 2, 1], 2), ([0, 0, 1, 1], [], None), ([None] * 4, [0, 2], None)],
)
def test_the_sockets_of_a_points_threads_are_counted(sockets, cpus, number):
    machine = {"topology": {"cpus": [{"id": i, "socket": s} for i, s in enumerate(sockets)]}}
    assert count_sockets(machine, cpus) == number


UNKNOWN_HEAP = {"heap_nodes": [None, None]}


def observe_two(planned=(), **columns) -> Observations:
    """Return two forks of a point on two sockets, of which a verdict needs no more."""
    fixed = {"time": [1.0, 1.1], "cpu_usage": 1.0, "point": "a", "sockets": 2}
    return Observations(pd.DataFrame(fixed | columns), ["consumers", "sockets"], {}, {}, 2, planned)


@pytest.mark.parametrize(
    ("columns", "wanted", "unfit"),
    [
        ({"unplaced": True}, {"sockets": 2}, "the kernel refused to place the heap"),
        ({"unplaced": True}, {}, ""),
        ({"unlike": True}, {}, "on unlike kinds of core"),
        ({"too_short": True}, {}, "shots too short"),
        ({"too_short": [True, False]}, {}, ""),
        (UNKNOWN_HEAP, {"sockets": 2}, "heap on unknown nodes"),
        (UNKNOWN_HEAP, {}, ""),
        ({"heap_nodes": ["0:4096"] * 2}, {"sockets": 2}, ""),
    ],
)
def test_a_cell_says_why_no_claim_can_be_judged_by_it(columns, wanted, unfit):
    assert observe_two(**columns).cell(wanted, "time").unfit == unfit


@pytest.mark.parametrize(
    ("quantity", "unfit"), [("time", ""), ("cpu_usage", "shots too short for CPU usage")]
)
def test_shots_too_short_for_cpu_usage_leave_times_judged(quantity, unfit):
    assert observe_two(short_usage=True).cell({}, quantity).unfit == unfit


def test_a_point_on_other_sockets_is_not_said_to_be_absent():
    planned = [({"consumers": 6, "sockets": 1}, "")]
    observed = observe_two(planned, consumers=6, sockets=1)
    wanted = {"consumers": 6, "sockets": 2}
    assert observed.cell(wanted, "time").unfit == "on 1 socket in this run"
    assert observed.cell({"consumers": 7, "sockets": 2}, "time").unfit == "not in this run"


@pytest.mark.parametrize(
    ("cores", "sockets", "like"),
    [
        (12, [0] * 6, True),
        (12, [0] * 7, False),
        (12, [0] * 6 + [1] * 7, True),
        (5, [0] * 5 + [1] * 2, True),
    ],
)
def test_compact_counts_as_paper_where_its_threads_are_on_the_same_cores(cores, sockets, like):
    slots = [Slot(role="x", socket=socket, oversubscribed=False) for socket in sockets]
    point = Point(study="scaling", params={"placement": "COMPACT"}, shots=1, threads=slots)
    assert is_like_paper({"topology": topology(cores)}, point) == like
