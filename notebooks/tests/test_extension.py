"""Extending a run: new forks, in a session that measures again what they are compared with."""

import itertools
import json
import shutil
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

from handoff import archive
from handoff.cli import dry_run, extending, measuring
from handoff.cli.main import main
from handoff.cli.request import RunRequest
from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run import extension, order, planning, runner
from handoff.run.host import lock
from handoff.run.plan import expansion, selection
from handoff.run.plan.selection import SweepRequest, select_sweep
from handoff.run.plan.sweep import validate_sweep
from handoff.run.store.run import read_run, write_identity
from handoff.run.store.state import Task
from handoff.tables import tidy

from .conftest import IDENTITY, measured, names, read_files
from .synthetic import seal


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return where the run is kept that every test extends, once it was measured."""
    return tmp_path_factory.mktemp("measured") / "run"


@pytest.fixture
def extended(fake_run, fake_java, golden_point, monkeypatch, kept):
    """Return a measured run of three loads with five forks each, and a planner of its changes."""
    run = fake_run(fake_java(), forks=5)
    if not kept.exists():
        measured(run)
        shutil.copytree(run.folder, kept)
    shutil.copytree(kept, run.folder, dirs_exist_ok=True)
    monkeypatch.setattr(planning, "require_same_setup", lambda *_: None)

    def plan_points(request, jdk, amounts=None):
        placed = {"threads": golden_point.threads, "forks": request.sweep.forks.fitting}
        expanded = expansion.expand_points(request.sweep, "a test", 2)
        return [point.model_copy(update=placed) for point in expanded]

    monkeypatch.setattr(planning, "plan_points", plan_points)

    def plan(**changed):
        request = ask(run, **changed)
        return request, extension.plan_addition(run, request, None)

    return run, plan


def ask(run, forks=5, top=None, **changed):
    """Return a request for the run's sweep with other keys at its top and in its entry."""
    content = json.loads(run.sweep_file.read_text()) | {"forks": {"fitting": forks}} | (top or {})
    content["studies"]["scaling"][0].update(changed)
    return SweepRequest("fake", "a test", json.dumps(content), validate_sweep(content, "a test"))


def measure_extended(run, request, added):
    """Measure an extension; return the run and the sorts of each new fork."""
    before = set(names(run.folder, "forks"))
    run = extension.extend_run(run, request, added)
    measured(run)
    found = zip(names(run.folder, "forks"), read_files(run), strict=True)
    return run, [int(fork["params"]["sorts"]) for name, fork in found if name not in before]


@pytest.fixture
def longer(extended):
    """Return a run that was extended by a fourth load, and measured."""
    run, plan = extended
    return measure_extended(run, *plan(sorts="1..4"))[0]


def test_an_added_value_measures_its_forks_and_those_of_the_baseline_again(extended):
    run, plan = extended
    request, added = plan(sorts="1..4")
    # The report compares four sorts with one.
    one = next(point for point in run.points if point.params["sorts"] == "1")
    assert (added.new, added.raised, added.kept, added.baseline) == (1, 0, 0, {one.key: 5})
    assert run.missing() == [] and read_run(run.folder).extensions == []
    run, sorts = measure_extended(run, request, added)
    assert sorted(sorts) == [1] * 5 + [4] * 5 and run.missing() == []
    # Asked again, the sweep adds nothing.
    assert not extension.plan_addition(run, request, None)
    assert list(runner.measure_run(run)) == []


@pytest.mark.parametrize(
    ("changed", "counts", "measured_sorts"),
    [({"forks": 10}, (0, 3, 0), [1, 2, 3]), ({"sorts": [7]}, (1, 0, 3), [1, 7])],
    ids=["more forks", "another value alone"],
)
def test_points_are_kept_and_measure_only_additional_forks(
    extended, changed, counts, measured_sorts
):
    run, plan = extended
    request, added = plan(**changed)
    assert (added.new, added.raised, added.kept) == counts
    run, sorts = measure_extended(run, request, added)
    assert sorted(sorts) == sorted(measured_sorts * 5)
    request, _ = plan(forks=4)
    assert not extension.plan_addition(run, request, None)


def make_points(point, **values):
    """Return a point for each combination of values of its parameters, five forks each."""
    return [
        point.model_copy(
            update={"forks": 5, "params": point.params | dict(zip(values, chosen, strict=True))}
        )
        for chosen in itertools.product(*values.values())
    ]


MEASURED = ("SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_STRIPED")


@pytest.mark.parametrize(
    ("added", "compared"),
    [
        # Another number of consumers: with one consumer, and one thread alone.
        ({"mechanism": [MEASURED[1]], "consumers": ["4"], "sorts": ["1"]}, {"01", "11"}),
        # Another value is compared with the one that the plan has first, not with others.
        ({"mechanism": [MEASURED[1]], "consumers": ["1"], "sorts": ["7"]}, {"11"}),
        # Another mechanism: with all others at the same load, as claims compare them.
        (
            {"mechanism": ["LINKED_BLOCKING_QUEUE"], "consumers": ["1"], "sorts": ["15"]},
            {"015", "115", "215"},
        ),
        # Two changes at once: with nothing.
        ({"mechanism": [MEASURED[1]], "consumers": ["4"], "sorts": ["7"]}, set()),
    ],
)
def test_the_baseline_is_what_the_report_compares_with(golden_point, fake_run, added, compared):
    run = fake_run()
    points = make_points(golden_point, mechanism=MEASURED, consumers=["1"], sorts=["1", "15"])
    run = run._replace(points=points)
    chosen = extension.choose_baseline(run, make_points(golden_point, **added))
    names = {f"{MEASURED.index(p.params['mechanism'])}{p.params['sorts']}" for p in chosen}
    assert names == compared
    # Points that share cores have no baseline.
    shared = [slot.model_copy(update={"oversubscribed": True}) for slot in golden_point.threads]
    point = golden_point.model_copy(update={"threads": shared})
    assert extension.choose_baseline(run, make_points(point, **added)) == []


def test_an_extension_killed_before_it_was_recorded_leaves_the_run_unchanged(extended):
    run, plan = extended
    request, added = plan(sorts="1..4")
    kept = (run.folder / "run.json").read_text()
    extension.extend_run(run, request, added)
    (run.folder / "run.json").write_text(kept)
    again = read_run(run.folder)
    assert len(again.points) == 3 and again.missing() == [] and again.sweep == run.sweep
    assert len(measure_extended(again, request, added)[1]) == 10


def test_an_extended_run_is_that_of_the_larger_sweep(longer):
    identity, folder = IDENTITY | {"sweep": longer.sweep_hash}, longer.folder
    assert longer.sweep_hash != IDENTITY["sweep"]
    assert planning.find_extended(identity, folder.parent) == folder
    assert planning.find_extended(identity | {"jar": "k"}, folder.parent) is None
    assert planning.find_extended(IDENTITY, folder.parent) is None


def test_an_extension_measures_its_baseline_in_the_same_blocks(longer):
    tasks = order.plan_order(longer)
    assert len(tasks) == 25 and len({(task.point.key, task.number) for task in tasks}) == 25
    new = [task.block for task in tasks if task.point.params["sorts"] == "4"]
    again = [task.block for task in tasks if task.number >= 5]
    assert sorted(again) == sorted(new) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("planned", "new"), [(False, 2), (True, 1)])
def test_an_extension_is_a_session_of_its_own_unless_it_was_planned(longer, planned, new):
    (last,) = longer.extensions
    extensions = [last.model_copy(update={"planned": planned}).model_dump()]
    table = tidy.write_tables(write_identity(longer, extensions=extensions))["scaling"]
    sessions = table.groupby("sorts")["session"].unique()
    assert sessions[4].tolist() == [new] and set(sessions[1]) == {1, new}
    assert set(sessions[2]) == {1}


@pytest.mark.parametrize(
    ("only", "hours", "planned"), [([], 0, True), (["ring"], 0, False), ([], 7, False)]
)
def test_full_continues_the_session_of_quick_within_hours(extended, only, hours, planned):
    run, _ = extended
    run = run._replace(identity=run.identity | {"profile": "quick"})
    earlier = datetime.now(UTC) - timedelta(hours=hours)
    for path in (run.folder / "forks").iterdir():
        fork = json.loads(path.read_text())
        fork["after"]["utc"] = earlier.isoformat()
        write_json(path, seal(fork))
    asked = select_sweep("full", only, [])._replace(sweep=ask(run, sorts="1..4").sweep)
    added = extension.plan_addition(run, asked, None)
    assert added.planned == planned and bool(added.baseline) != planned


def test_a_point_that_this_machine_cannot_measure_is_not_an_addition(extended, monkeypatch):
    run, _ = extended
    points = [point.model_copy(update={"forks": 5}) for point in run.points]
    impossible = run.points[0].model_copy(
        update={"params": run.points[0].params | {"sorts": "9"}, "forks": 0, "unavailable": "no"}
    )
    monkeypatch.setattr(planning, "plan_points", lambda *_: [*points, impossible])
    added = extension.plan_addition(run, ask(run), None)
    assert not added and added.baseline == {} and len(added.points) == 4


@pytest.mark.parametrize("extensions", [[{}], 7])
def test_a_run_with_damaged_extensions_is_refused_in_one_sentence(longer, extensions):
    write_json(longer.folder / "run.json", longer.identity | {"extensions": extensions})
    with pytest.raises(BadInput, match=r"run\.json or machine\.json is damaged"):
        read_run(longer.folder)


def test_an_extension_that_another_runner_wrote_meanwhile_is_kept(extended, monkeypatch):
    run, plan = extended
    theirs, (ours, _) = plan(sorts="1..4"), plan(sorts="1..5")

    @contextmanager
    def hold(*_, **__):
        if not read_run(run.folder).extensions:
            extension.extend_run(run, *theirs)
        yield

    monkeypatch.setattr(lock, "hold_lock", hold)
    with pytest.raises(BadInput, match="still misses 10 forks"):
        extending.measure_addition(run.folder, ours, None, False, measuring.Budget())


def test_repetitions_that_a_budget_left_do_not_keep_a_run_from_being_extended(
    extended, monkeypatch
):
    run, plan = extended
    request, _ = plan(sorts="1..4")
    repetition = Task(0, run.points[0], 0, again=1)
    monkeypatch.setattr(order, "list_pending", lambda run, scan: [repetition])
    assert extending.plan_addition(run, request, None).new == 1


def test_an_archive_that_cannot_be_extended_stays_one(extended, monkeypatch):
    run, _ = extended
    archive.pack_folder(run.folder, run.folder.with_name(f"{run.folder.name}.zip"))
    shutil.rmtree(run.folder)
    monkeypatch.setattr(measuring, "provide_jar", lambda: None)
    refused = Mock(side_effect=BadInput("another jar"))
    monkeypatch.setattr(planning, "require_same_setup", refused)
    assert main(["extend", str(run.folder)]) == 2 and not run.folder.exists()


def test_a_dry_run_of_a_sweep_that_extends_has_what_it_adds(extended, monkeypatch):
    run, plan = extended
    request, _ = plan(sorts="1..4")
    monkeypatch.setattr(
        planning,
        "identify_run",
        lambda asked, planner: run._replace(folder=Path(asked.profile), points=[]),
    )
    base = request._replace(profile=run.folder.name)
    monkeypatch.setattr(selection, "select_sweep", lambda *_: base)
    asked = request._replace(profile="larger-00000000", base="fake")
    planned = dry_run.plan_dry_run(asked, RunRequest("larger", run.folder.parent), None)
    assert planned.extensions[-1].planned and len(planned.missing()) == 5
    assert read_run(run.folder).extensions == []


def test_a_point_that_one_list_cannot_have_is_taken_from_the_other(extended):
    measured = extended[0].points[0]
    absent = measured.model_copy(update={"forks": 0, "unavailable": "needs 12 cores"})
    for one, other in ((measured, absent), (absent, measured)):
        assert extension.unite_points([one], [other], "own.yml") == {measured.key: measured}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"top": {"arms": {"a": {}}}}, "arms: expected that of a test"),
        ({"top": {"jvm": {"heap": "300m"}}}, "jvm: expected that of a test"),
        ({"shots": 3}, "shots is 3, but the run measured this point with 2"),
    ],
)
def test_a_sweep_that_cannot_extend_another_is_refused_before_that_is_measured(
    extended, changed, why
):
    run, _ = extended
    with pytest.raises(BadInput, match=why):
        extension.require_extensible(ask(run), ask(run, **changed), None)
