"""Extending a run: new forks, and anchors that show whether the machine is still the same."""

import json
import shutil
from datetime import datetime, timedelta

import numpy as np
import pytest

from handoff.analysis import anchors
from handoff.analysis.intervals import Term, estimate
from handoff.cli import measuring
from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run import extension, merge, order, planning, runner
from handoff.run.plan import expansion, sweepfile
from handoff.run.plan.points import OLD_DIGITS
from handoff.run.plan.selection import SweepRequest, select_sweep
from handoff.run.store import session, state
from handoff.run.store.forkfile import compute_seal
from handoff.run.store.identity import hash_identity
from handoff.run.store.run import read_run
from handoff.tables import tidy

from .conftest import IDENTITY, measured, names


@pytest.fixture
def extended(fake_run, fake_java, golden_point, monkeypatch):
    """Return a measured run of three loads with five forks each, and a planner of its changes."""
    run = fake_run(fake_java(), forks=5)
    measured(run)
    monkeypatch.setattr(extension, "require_setup", lambda run, request, jdk: None)

    def plan_points(request, jdk, amounts):
        placed = {"threads": golden_point.threads, "forks": request.sweep.forks.fitting}
        expanded = expansion.expand_points(request.sweep, "a test", 2)
        return [point.model_copy(update=placed) for point in expanded]

    monkeypatch.setattr(planning, "plan_points", plan_points)

    def plan(**changed):
        content = json.loads((run.folder / "sweep.yml").read_text())
        (entry,) = content["studies"]["scaling"]
        entry |= {key: value for key, value in changed.items() if key != "forks"}
        content["forks"] = {"fitting": changed.get("forks", 5)}
        request = SweepRequest(
            "fake", "a test", json.dumps(content), sweepfile.validate_sweep(content, "a test")
        )
        return request, extension.plan_addition(run, request, None)

    return run, plan


def measure_extended(run, request, added):
    """Measure an extension; return the run and the sorts of each new fork."""
    before = set(names(run.folder, "forks"))
    run = extension.extend_run(run, request, added)
    measured(run)
    new = sorted(set(names(run.folder, "forks")) - before)
    return run, [
        int(json.loads((run.folder / "forks" / name).read_text())["params"]["sorts"])
        for name in new
    ]


def test_an_added_value_measures_its_forks_and_three_forks_of_three_anchors(extended):
    run, plan = extended
    request, added = plan(sorts="1..4")
    assert (added.new, added.raised, added.kept) == (1, 0, 0)
    assert sorted(added.anchors.values()) == [3, 3, 3]
    assert run.missing() == [] and read_run(run.folder).extensions == []
    run, sorts = measure_extended(run, request, added)
    assert sorted(sorts) == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 5
    assert run.missing() == [] and len(state.scan_run(run).measured) == 3 * 8 + 5
    assert tidy.write_tables(run)["points"]["asked"].tolist() == [8, 8, 8, 5]
    # Asked again, the sweep adds nothing.
    assert not extension.plan_addition(run, request, None)


def test_the_points_of_an_older_run_keep_their_shorter_names(extended):
    run, _ = extended
    old = run._replace(points=[p.model_copy(update={"digits": OLD_DIGITS}) for p in run.points])
    request = SweepRequest("fake", "a test", "", run.sweep)
    added = extension.plan_addition(old, request, None)
    assert (added.new, added.kept) == (0, 0) and {len(p.key) for p in added.points} == {8}


def test_runs_whose_names_have_other_lengths_are_not_merged(extended):
    run, _ = extended
    old = run._replace(points=[p.model_copy(update={"digits": OLD_DIGITS}) for p in run.points])
    with pytest.raises(BadInput, match="one is from an earlier release"):
        merge.require_mergeable(old, run)


def test_more_forks_measure_only_the_additional_ones_which_serve_as_anchors(extended):
    run, plan = extended
    request, added = plan(forks=10)
    assert (added.new, added.raised) == (0, 3) and set(added.anchors.values()) == {0}
    run, sorts = measure_extended(run, request, added)
    assert sorted(sorts) == [1] * 5 + [2] * 5 + [3] * 5
    request, _ = plan(forks=6)
    assert not extension.plan_addition(run, request, None)


def test_one_more_fork_leaves_two_to_the_anchors(extended):
    _, plan = extended
    assert set(plan(forks=6)[1].anchors.values()) == {2}


def test_points_that_the_changed_sweep_omits_are_kept(extended):
    run, plan = extended
    request, added = plan(sorts=[7])
    assert (added.new, added.kept) == (1, 3)
    run, sorts = measure_extended(run, request, added)
    assert len(run.points) == 4 and sorts.count(7) == 5


def test_forks_with_different_shots_are_never_pooled(extended):
    _, plan = extended
    with pytest.raises(BadInput, match=r"shots is 3, but the run measured this point with 2"):
        plan(sorts="1..4", shots=3)


def test_an_extension_killed_before_it_was_recorded_leaves_the_run_unchanged(extended):
    run, plan = extended
    request, added = plan(sorts="1..4")
    kept = (run.folder / "run.json").read_text()
    extension.extend_run(run, request, added)
    (run.folder / "run.json").write_text(kept)
    again = read_run(run.folder)
    assert len(again.points) == 3 and again.missing() == [] and again.sweep == run.sweep
    assert len(measure_extended(again, request, added)[1]) == 14


def test_an_extended_run_is_found_by_its_current_sweep(extended, tmp_path):
    run, plan = extended
    request, added = plan(sorts="1..4")
    run, _ = measure_extended(run, request, added)
    identity = IDENTITY | {"sweep": run.sweep_hash}
    assert run.sweep_hash != IDENTITY["sweep"]
    assert planning.find_extended(identity, run.folder.parent) == run.folder
    assert planning.find_extended(identity | {"jar": "k"}, run.folder.parent) is None
    assert planning.find_extended(IDENTITY, run.folder.parent) is None


def test_an_extension_by_decision_leaves_the_number_of_planned_looks(extended):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    assert run.looks == 1 and not run.extensions[0].planned


@pytest.mark.parametrize(("only", "planned"), [([], True), (["ring"], False)])
def test_full_is_the_extension_that_quick_planned(extended, only, planned):
    run, plan = extended
    run = run._replace(identity=run.identity | {"profile": "quick"})
    _, added = plan(sorts="1..4")
    asked = select_sweep("full", only, [])
    assert extension.plan_extended(run, asked, added).extensions[-1].planned == planned


def test_anchors_are_spread_over_the_new_blocks(extended):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    tasks = order.plan_order(run)
    assert len(tasks) == 29 and len({(task.point.key, task.number) for task in tasks}) == 29
    beyond = [task for task in tasks if task.number >= 5]
    assert {task.block for task in beyond} <= set(range(5)) and len(beyond) == 9


def reseal(path, **changed):
    content = json.loads(path.read_text()) | changed
    del content["sha256"]
    write_json(path, content | {"sha256": compute_seal(content)})


def slow_down(run, factor, spread=0.01):
    """Slow down every fork of the extension by a factor; let all forks differ a little."""
    start = datetime.fromisoformat(run.extensions[-1].began)
    for place, path in enumerate(sorted((run.folder / "forks").glob("*.json"))):
        fork = json.loads(path.read_text())
        later = datetime.fromisoformat(fork["before"]["utc"]) >= start
        rate = (factor if later else 1) * (1 + spread * (place % 3))
        for shot in fork["evidence"]["shots"]:
            shot["wallNs"] = int(shot["wallNs"] * rate)
        reseal(path, evidence=fork["evidence"])


@pytest.mark.parametrize(
    ("factor", "spread", "same", "words"),
    [
        (1.0, 0.01, True, "was still the same, and the forks are pooled"),
        (1.5, 0.01, False, "was no longer the same: the forks are a separate session"),
        (1.05, 0.3, None, "does not show whether the machine was still the same"),
    ],
)
def test_anchors_decide_whether_forks_are_pooled(extended, factor, spread, same, words):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    slow_down(run, factor, spread)
    tidy.write_tables(run)
    run = measuring.judge_anchors(run)
    (last,) = read_run(run.folder).extensions
    assert last.same is same and words in last.sentence and last.sentence.count(" times (") == 3
    sessions = tidy.write_tables(run)["scaling"].groupby("sorts")["session"].unique()
    label = 1 if same else 2
    assert sessions[4].tolist() == [label] and set(sessions[1]) == {1, label}


def anchor(low, high, differs=False):
    return anchors.Anchor("a point", (low * high) ** 0.5, (low, high), differs)


def test_missing_or_inconclusive_anchors_decide_nothing():
    same = [anchor(0.98, 1.02)] * 2
    assert anchors.judge_anchors([], 3) is None
    assert anchors.judge_anchors(same, 3) is None
    assert anchors.judge_anchors([*same, anchor(0.7, 1.4)], 3) is None
    assert anchors.judge_anchors([*same, anchor(1.02, 1.4)], 3) is None
    assert anchors.judge_anchors([*same, anchor(1.2, 1.4, differs=True)], 3) is False
    # A small difference does not matter, even if it is proven.
    assert anchors.judge_anchors([anchor(1.01, 1.05, differs=True)] * 3, 3) is True


def test_an_unchanged_machine_is_rarely_found_to_have_changed():
    random, wrong = np.random.default_rng(3), 0
    for _ in range(400):
        trio = []
        for _ in range(3):
            logs = random.normal(0, 0.08, 8)
            terms = [Term(1.0, logs[:3]), Term(-1.0, logs[3:])]
            trio.append(anchors.make_anchor("a point", estimate(terms), 3))
        wrong += anchors.judge_anchors(trio, 3) is False
    assert wrong / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_runs_of_two_sweeps_are_merged_into_one_that_plans_both(fake_run, fake_java, tmp_path):
    first = fake_run(fake_java(), loads=3, folder=tmp_path / "here" / "fake-1")
    second = fake_run(fake_java(), loads=1, folder=tmp_path / "there" / "fake-2")
    write_json(second.folder / "run.json", IDENTITY | {"profile": "fake", "sweep": "t"})
    measured(first)
    measured(second)
    assert merge.merge_runs(first.folder, second.folder) == (2, 1, 0)
    merged = read_run(second.folder)
    assert len(merged.points) == 3 and merged.missing() == []
    assert len(state.scan_run(merged).measured) == 3
    assert "Merged with fake-1" in merged.extensions[0].sentence
    # A second merge neither copies forks nor widens the sweep.
    assert merge.merge_runs(first.folder, second.folder) == (0, 3, 0)
    assert len(read_run(second.folder).extensions) == 1


def test_forks_of_an_earlier_schema_count_only_in_their_run(fake_run, fake_java, golden, tmp_path):
    run = fake_run(fake_java(), loads=1)
    measured(run)
    (path,) = (run.folder / "forks").iterdir()
    fork = json.loads(path.read_text())
    del fork["setup"], fork["sha256"]
    for identity, number in ((hash_identity(IDENTITY), 1), ("00000000", 0)):
        old = fork | {"schema": 5, "run": identity}
        write_json(path, old | {"sha256": compute_seal(old)})
        assert len(state.scan_run(run).measured) == number


def test_a_long_pause_starts_a_session_within_an_extension_too(extended):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    later = datetime.fromisoformat(run.extensions[-1].began) + timedelta(hours=7)
    for path in (run.folder / "forks").glob("*-7.json"):
        fork = json.loads(path.read_text())
        reseal(path, before=fork["before"] | {"utc": later.isoformat()})
    assert tidy.write_tables(run)["scaling"]["session"].max() == 3


def test_an_extension_of_the_next_day_is_pooled_if_the_machine_is_the_same(extended):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    (last,) = run.extensions
    start = datetime.fromisoformat(last.began)
    for path in (run.folder / "forks").glob("*.json"):
        fork = json.loads(path.read_text())
        if datetime.fromisoformat(fork["before"]["utc"]) < start:
            then = datetime.fromisoformat(fork["before"]["utc"]) - timedelta(days=1)
            reseal(path, before=fork["before"] | {"utc": then.isoformat()})
    for same, sessions in ((True, 1), (False, 2), (None, 2)):
        judged = last.model_copy(update={"same": same, "sentence": "."})
        run = extension.write_identity(extension.put_extensions(run, [judged]))
        assert tidy.write_tables(run)["scaling"]["session"].nunique() == sessions


def test_a_second_extension_is_compared_with_the_session_before_it(extended):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    slow_down(run, 1.5)
    tidy.write_tables(run)
    run = measuring.judge_anchors(run)
    assert run.extensions[0].same is False
    request, _ = plan(sorts="1..5")
    run, _ = measure_extended(run, request, extension.plan_addition(run, request, None))
    # As slow as the first extension: the machine has not changed since then.
    slow_down(run, 1.5)
    tidy.write_tables(run)
    run = measuring.judge_anchors(run)
    assert [extension.same for extension in run.extensions] == [False, True]
    assert tidy.write_tables(run)["scaling"]["session"].nunique() == 2


def test_an_extension_that_was_not_judged_is_judged_with_the_next(extended):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    request, _ = plan(sorts="1..5")
    run, _ = measure_extended(run, request, extension.plan_addition(run, request, None))
    tidy.write_tables(run)
    assert all(last.sentence for last in measuring.judge_anchors(run).extensions)


def test_a_point_that_this_machine_cannot_measure_is_not_an_addition(extended, monkeypatch):
    run, _ = extended
    points = [point.model_copy(update={"forks": 5}) for point in run.points]
    impossible = run.points[0].model_copy(
        update={"params": run.points[0].params | {"sorts": "9"}, "forks": 0, "unavailable": "no"}
    )
    monkeypatch.setattr(planning, "plan_points", lambda *_: [*points, impossible])
    request = SweepRequest("fake", "a test", "", run.sweep)
    added = extension.plan_addition(run, request, None)
    assert not added and added.anchors == {} and len(added.points) == 4


def test_forks_of_an_earlier_release_are_not_merged_into_another_sweep(
    fake_run, fake_java, tmp_path
):
    first = fake_run(fake_java(), loads=2, folder=tmp_path / "here" / "fake-1")
    second = fake_run(fake_java(), loads=1, folder=tmp_path / "there" / "fake-2")
    write_json(second.folder / "run.json", IDENTITY | {"profile": "fake", "sweep": "t"})
    measured(first)
    for path in (first.folder / "forks").glob("*.json"):
        fork = json.loads(path.read_text())
        del fork["setup"], fork["sha256"]
        old = fork | {"schema": 5, "run": hash_identity(IDENTITY)}
        write_json(path, old | {"sha256": compute_seal(old)})
    with pytest.raises(BadInput, match="from an earlier release"):
        merge.merge_runs(first.folder, second.folder)
    assert read_run(second.folder).extensions == []


def test_a_merge_adopts_the_sessions_before_it_widens_the_sweep(fake_run, fake_java, tmp_path):
    first = fake_run(fake_java(), loads=2, folder=tmp_path / "here" / "fake-1")
    second = fake_run(fake_java(), loads=1, folder=tmp_path / "there" / "fake-2")
    write_json(second.folder / "run.json", IDENTITY | {"profile": "fake", "sweep": "t"})
    session.set_sessions(first, 2)
    measured(read_run(first.folder))
    merge.merge_runs(first.folder, second.folder)
    merged = read_run(second.folder)
    assert [merged.count_forks(point) for point in merged.points] == [2, 2]
    assert merged.missing() == [] and names(merged.folder, "quarantine") == []


def test_an_extended_run_is_merged_with_its_former_self(extended, tmp_path):
    run, plan = extended
    former = tmp_path / "former" / run.folder.name
    shutil.copytree(run.folder, former)
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    assert merge.merge_runs(run.folder, former).copied == 14
    merged = read_run(former)
    assert merged.missing() == [] and len(state.scan_run(merged, move=True).measured) == 29
    assert names(former, "quarantine") == []


@pytest.mark.parametrize("broken", [{"extensions": [{}]}, {"extensions": 7}])
def test_a_run_with_damaged_extensions_is_refused_in_one_sentence(extended, broken):
    run, _ = extended
    write_json(run.folder / "run.json", run.identity | broken)
    with pytest.raises(BadInput, match=r"run\.json, machine\.json or plan\.json is damaged"):
        read_run(run.folder)


def test_nothing_is_measured_twice(extended, fake_java):
    run, plan = extended
    run, _ = measure_extended(run, *plan(sorts="1..4"))
    assert list(runner.measure_run(run)) == []


def test_forks_that_an_anchor_gets_in_every_session_count_towards_its_three(extended):
    run, plan = extended
    request, _ = plan(forks=6)
    added = extension.plan_addition(session.plan_sessions(run, 2), request, None)
    assert set(added.anchors.values()) == {1}
