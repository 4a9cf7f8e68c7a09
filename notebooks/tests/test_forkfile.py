"""Forks count only if everything is as planned, and are read only if unchanged since."""

import json

import pytest

from handoff.run.accept import Rejected, accept_fork, accept_shot
from handoff.run.store.forkfile import CorruptFork, Evidence, ForkFile, compute_seal, parse_fork

GONE = object()


def change(golden, place, value):
    """Set or remove the value at a place such as ('evidence', 'shots', 0, 'wallNs')."""
    *path, last = place
    for key in path:
        golden = golden[key]
    if value is GONE:
        del golden[last]
    else:
        golden[last] = value


def read(content):
    text = content if isinstance(content, str) else json.dumps(content)
    return parse_fork(text.encode(), "fork.json")


def accept(golden, point):
    evidence = Evidence.model_validate(golden["evidence"])
    return accept_fork(point, [golden["jmh"]], evidence, ["-Xmx256m"])


def test_the_golden_fork_is_accepted(golden, golden_point):
    assert accept(golden, golden_point)["mode"] == "ss"
    assert ForkFile.model_validate(golden).sha256 == compute_seal(golden)


@pytest.mark.parametrize("rows", [[], [{}, {}], {}, None])
def test_any_number_of_jmh_rows_other_than_one_is_rejected(golden, golden_point, rows):
    with pytest.raises(Rejected, match="instead of one"):
        accept_fork(golden_point, rows, Evidence.model_validate(golden["evidence"]), [])


DATA, SHOT = ("jmh", "primaryMetric", "rawData"), ("evidence", "shots", 0)
JVM, THREAD = ("evidence", "jvm"), (*SHOT, "threads", 1)
WARM_UP = {"limitSeconds": 5, "settled": True, "wallNs": [1], "compilerNs": [0]}


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        (("jmh", "params", "sorts"), "15", "measured with unplanned parameters: sorts"),
        (("jmh", "params", "sorts"), GONE, "measured with unplanned parameters: sorts"),
        ((*DATA, 0, 1), GONE, r"one fork of 2 shots, but JMH reported \[1\]"),
        (DATA, [[1e9, 1e9, 1e9]], r"one fork of 2 shots, but JMH reported \[3\]"),
        (DATA, [[1e9, 1e9], [1.0, 1.0]], r"one fork of 2 shots, but JMH reported \[2, 2\]"),
        ((*DATA, 0, 0), "NaN", "a time that is not a positive number"),
        ((*DATA, 0, 0), 0.0, "a time that is not a positive number"),
        (("evidence", "shots", 1), GONE, "expected 2 shots, but the fork recorded 1"),
        (("evidence", "shots", 1, "events"), 19_999, "events per shot, but one had 19999"),
        ((*SHOT, "wallNs"), 10**12, "does not lie inside JMH's"),
        ((*THREAD, "asked"), 0, "expected threads on"),
        ((*THREAD, "mask"), "0-1", "was allowed on CPUs 0-1 instead of"),
        (THREAD, GONE, "expected threads on"),
        ((*JVM, "flags"), ["-Xmx128m"], "the JVM ran without -Xmx256m"),
        ((*JVM, "inForce", "MaxHeapSize"), "134217728", "did not apply its flags"),
        (("evidence", "warmUp"), WARM_UP, "expected a warm-up limit of"),
    ],
)
def test_a_fork_that_is_not_as_planned_is_rejected(golden, golden_point, place, value, why):
    change(golden, place, value)
    with pytest.raises(Rejected, match=why):
        accept(golden, golden_point)


def test_warm_up_shots_have_as_many_events_as_planned(golden, golden_point):
    whole = golden_point.model_copy(update={"warmup_limit": 5})
    short = whole.model_copy(update={"warmup_events": 4000})
    assert short.key == whole.key
    golden["evidence"]["warmUp"] = dict(WARM_UP)
    # A fork that does not say how many is older than shorter warm-up shots.
    accept(golden, whole)
    with pytest.raises(Rejected, match=r"expected 4000 events per warm-up shot, but .* had 20000"):
        accept(golden, short)
    golden["evidence"]["warmUp"]["events"] = 4000
    accept(golden, short)
    with pytest.raises(Rejected, match=r"expected 20000 events per warm-up shot, but .* had 4000"):
        accept(golden, whole)


def test_a_shot_of_hops_must_have_those_of_all_its_pairs(golden, golden_point):
    shot = Evidence.model_validate(golden["evidence"]).shots[0]
    params = {"mechanism": "CACHE_LINE", "threads": "3", "events": "1000"}
    point = golden_point.model_copy(update={"study": "hops", "params": params})
    accept_shot(point, shot.model_copy(update={"events": 3000}), shot.wallNs)
    with pytest.raises(Rejected, match="expected 3000 events per shot, but one had 1000"):
        accept_shot(point, shot.model_copy(update={"events": 1000}), shot.wallNs)


def test_a_fork_truncated_at_any_byte_is_never_read(golden):
    text = json.dumps(golden, separators=(",", ":"))
    for length in range(len(text)):
        with pytest.raises(CorruptFork, match="not a valid fork file"):
            read(text[:length])


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("extra",), 1),
        (("seconds",), 0),
        (("seconds",), float("inf")),
        (("used_s",), -1.0),
        ((*SHOT, "wallNs"), 0),
        ((*SHOT, "events"), 0),
        ((*SHOT, "threads"), []),
        ((*SHOT, "userNs"), -1),
        (("before", "utc"), "yesterday"),
        (("before", "utc"), "2026-11-25T10:00:00"),
        (("host",), "\ud800"),
        (("fork",), -1),
        (("params",), {"sorts": 1}),
    ],
)
def test_a_sealed_fork_with_an_impossible_value_or_key_is_not_read(golden, place, value):
    change(golden, place, value)
    with pytest.raises(CorruptFork, match="not a valid fork file"):
        read(golden | {"sha256": compute_seal(golden)})
