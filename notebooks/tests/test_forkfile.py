"""Forks count only if everything is as planned, and are read only if unchanged since."""

import json

import pytest

from handoff.run.accept import Rejected, accept_fork, accept_shot
from handoff.run.store.forkfile import CorruptFork, Evidence, ForkFile, compute_seal, read_fork


def accept(golden, point):
    return accept_fork(
        point, [golden["jmh"]], Evidence.model_validate(golden["evidence"]), ["-Xmx256m"]
    )


def test_the_golden_fork_is_accepted(golden, golden_point):
    assert accept(golden, golden_point)["mode"] == "ss"
    assert ForkFile.model_validate(golden).sha256 == compute_seal(golden)


def test_any_number_of_jmh_rows_other_than_one_is_rejected(golden, golden_point):
    for rows in ([], [golden["jmh"]] * 2, {}, None):
        with pytest.raises(Rejected, match="instead of one"):
            accept_fork(golden_point, rows, Evidence.model_validate(golden["evidence"]), [])


def change_param(golden):
    golden["jmh"]["params"]["sorts"] = "15"


def drop_param(golden):
    del golden["jmh"]["params"]["sorts"]


def drop_score(golden):
    golden["jmh"]["primaryMetric"]["rawData"][0].pop()


def second_fork(golden):
    golden["jmh"]["primaryMetric"]["rawData"].append([1.0, 1.0])


def nan_score(golden):
    golden["jmh"]["primaryMetric"]["rawData"][0][0] = "NaN"


def zero_score(golden):
    golden["jmh"]["primaryMetric"]["rawData"][0][0] = 0.0


def drop_shot(golden):
    golden["evidence"]["shots"].pop()


def lose_an_event(golden):
    golden["evidence"]["shots"][1]["events"] -= 1


def wall_beyond_jmh(golden):
    golden["evidence"]["shots"][0]["wallNs"] = 10**12


def other_cpu(golden):
    golden["evidence"]["shots"][0]["threads"][1]["asked"] = 0


def not_pinned(golden):
    golden["evidence"]["shots"][0]["threads"][1]["mask"] = "0-1"


def other_flags(golden):
    golden["evidence"]["jvm"]["flags"].remove("-Xmx256m")


def thread_missing(golden):
    golden["evidence"]["shots"][0]["threads"].pop()


FAULTS = [
    change_param,
    drop_param,
    drop_score,
    second_fork,
    nan_score,
    zero_score,
    drop_shot,
    lose_an_event,
]


def flag_not_in_force(golden):
    golden["evidence"]["jvm"]["inForce"]["MaxHeapSize"] = "134217728"


def unplanned_warm_up(golden):
    golden["evidence"]["warmUp"] = {
        "limitSeconds": 5,
        "settled": True,
        "wallNs": [1],
        "compilerNs": [0],
    }


FAULTS += [wall_beyond_jmh, other_cpu, not_pinned, thread_missing, other_flags]
FAULTS += [flag_not_in_force, unplanned_warm_up]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fork_that_is_not_as_planned_is_rejected(golden, golden_point, fault):
    fault(golden)
    with pytest.raises(Rejected):
        accept(golden, golden_point)


def test_a_shot_of_hops_must_have_those_of_all_its_pairs(golden, golden_point):
    shot = Evidence.model_validate(golden["evidence"]).shots[0]
    params = {"mechanism": "CACHE_LINE", "threads": "3", "events": "1000"}
    point = golden_point.model_copy(update={"study": "hops", "params": params})
    accept_shot(point, shot.model_copy(update={"events": 3000}), shot.wallNs)
    with pytest.raises(Rejected, match="expected 3000 events per shot, but one had 1000"):
        accept_shot(point, shot.model_copy(update={"events": 1000}), shot.wallNs)


def test_an_edited_fork_is_recognised(golden, tmp_path):
    path = tmp_path / "fork.json"
    golden["evidence"]["shots"][1]["wallNs"] += 1
    path.write_text(json.dumps(golden))
    with pytest.raises(CorruptFork, match="was changed after it was measured"):
        read_fork(path)


def test_a_fork_truncated_at_any_byte_is_never_read(golden, tmp_path):
    path = tmp_path / "fork.json"
    text = json.dumps(golden, separators=(",", ":"))
    for length in range(len(text)):
        path.write_text(text[:length])
        with pytest.raises(CorruptFork, match="not a valid fork file"):
            read_fork(path)


def test_an_unknown_key_is_refused(golden, tmp_path):
    path = tmp_path / "fork.json"
    path.write_text(json.dumps(golden | {"extra": 1}))
    with pytest.raises(CorruptFork):
        read_fork(path)


def test_files_from_before_clocks_and_measures_are_still_read(golden, tmp_path):
    del golden["evidence"]["clock"]
    for shot in golden["evidence"]["shots"]:
        del shot["measures"], shot["curves"]
    old = golden | {"schema": 2}
    (tmp_path / "old.json").write_text(json.dumps(old | {"sha256": compute_seal(old)}))
    assert read_fork(tmp_path / "old.json").evidence.clock is None


def change(golden, place, value):
    """Set the value at a place such as ('evidence', 'shots', 0, 'wallNs')."""
    *path, last = place
    for key in path:
        golden = golden[key]
    golden[last] = value


SHOT = ("evidence", "shots", 0)
IMPOSSIBLE = [
    (("seconds",), 0),
    (("seconds",), float("inf")),
    (("used_s",), -1.0),
    ((*SHOT, "wallNs"), 0),
    ((*SHOT, "wallNs"), -5),
    ((*SHOT, "events"), 0),
    ((*SHOT, "threads"), []),
    ((*SHOT, "userNs"), -1),
    (("before", "utc"), "yesterday"),
    (("before", "utc"), "2026-11-25T10:00:00"),
    (("host",), "\ud800"),
    (("fork",), -1),
    (("params",), {"sorts": 1}),
]


@pytest.mark.parametrize(("place", "value"), IMPOSSIBLE)
def test_a_sealed_fork_with_an_impossible_value_is_not_read(golden, tmp_path, place, value):
    change(golden, place, value)
    golden["sha256"] = compute_seal(golden)
    (tmp_path / "fork.json").write_text(json.dumps(golden))
    with pytest.raises(CorruptFork, match="not a valid fork file"):
        read_fork(tmp_path / "fork.json")
