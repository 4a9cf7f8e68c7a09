"""Comparison of two runs: what is slower on one machine, side by side on two."""

import functools
import json
import re
import shutil

import pandas as pd
import pytest

from handoff.analysis import comparison
from handoff.files import write_json
from handoff.report.compared import describe_comparison
from handoff.run.store.identity import hash_setup
from handoff.run.store.run import read_run
from handoff.tables import tidy

from .conftest import copy_some, raise_forks
from .synthetic import seal
from .test_report import slow


def retime(run, folder, factor=lambda point: 1.001):
    """Write a copy of the run with its times multiplied by a factor per point.

    By default it is another measurement of the same: no fork is that of the run, none differs much.
    """
    shutil.copytree(run.folder, folder)
    for point in run.points:
        for path in (folder / "forks").glob(f"{point.name}-*.json"):
            slow(path, factor(point))
    return read_run(folder)


@pytest.fixture
def after(small, tmp_path):
    """Return another measurement of the small run."""
    return retime(small, tmp_path / "runs" / "after")


@pytest.fixture
def fitting(small, tmp_path):
    """Return a copy of the run with the points of one study, which all have a core per thread."""
    return copy_some(small, tmp_path / "runs" / "before", lambda point: point.study == "counters")


@pytest.fixture
def again(fitting, tmp_path):
    """Return a function that measures the points of one study again, with a factor per point."""
    return functools.partial(retime, fitting, tmp_path / "runs" / "again")


def test_a_run_does_not_differ_from_the_next(fitting, again):
    changes = comparison.compare_runs(fitting, again())
    assert set(changes.rows["outcome"]) == {"not slower"} and changes.code == 0
    assert (changes.rows["visible"] > 1.05).all()


def test_a_slower_point_is_reported_with_exit_code_4(fitting, again, call):
    slowed = fitting.points[0]
    other = again(lambda point: 1.9 if point == slowed else 1.001)
    result = call("compare", fitting.folder, other.folder, "--json")
    *lines, last = result.stdout.splitlines()
    answer = json.loads(last)
    assert answer["exit"] == result.returncode == 4 and answer["slower"] == [slowed.key]
    assert "Machines of one kind; nothing else changed." in lines
    assert any(re.match(r"1 of \d+ judged points is slower by more than 5%", x) for x in lines)
    assert any(re.match(r"\d+ more points: \d+ with an interval too wide", x) for x in lines)
    rows = pd.read_csv(answer["table"])
    assert rows.loc[rows["direction"] == "more", "point"].tolist() == [slowed.key]
    words = ("--all", "--margin", "100")
    whole = call("compare", fitting.folder, other.folder, *words)
    assert whole.returncode == 0 and len(whole.stdout.splitlines()) > len(rows)


def thin(run):
    """Leave three forks of each point."""
    for path in (run.folder / "forks").glob("*-[!012]*.json"):
        path.unlink()


def leave_out(run):
    why = {"unavailable": "CPUS_98_99 names CPUs that this machine does not have"}
    write_json(run.folder / "plan.json", [point.model_dump() | why for point in run.points])
    shutil.rmtree(run.folder / "forks")


def shorten(run):
    """Divide times by a thousand: shots below 50 ms."""
    for path in (run.folder / "forks").iterdir():
        slow(path, 0.003)


def copy_forks(run):
    before = run.folder.parent / "before" / "forks"
    shutil.copytree(before, run.folder / "forks", dirs_exist_ok=True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (thin, "3 forks, 5 needed"),
        (leave_out, "left out, CPUS_98_99 names CPUs"),
        (shorten, "shots below 50 ms"),
        (copy_forks, "the same forks on both sides"),
    ],
)
def test_a_threefold_slowdown_that_cannot_be_judged_does_not_pass(fitting, again, change, words):
    other = again(lambda point: 3.0)
    change(other)
    changes = comparison.compare_runs(fitting, read_run(other.folder))
    assert changes.code == 6
    assert any(words in line for line in describe_comparison(changes, fitting, other, 0.05))


def test_points_on_shared_cores_are_not_judged_and_tables_follow_the_forks(small, after):
    changes = comparison.compare_runs(small, after)
    shared = changes.rows[changes.rows["oversubscribed"] & (changes.rows["quantity"] != "")]
    assert set(shared["why"]) == {"threads share cores"} and changes.code == 6
    for path in (after.folder / "forks").iterdir():
        slow(path, 1.6)
    rows = comparison.compare_runs(small, after).rows.query("quantity != ''")
    # `slow` changes times only; the latency study is compared by its latencies.
    timed = rows[rows["quantity"] == "ns per event"]
    assert len(timed) and (timed["ratio"] > 1.5).all()
    assert set(rows.loc[rows["study"] == "latency", "quantity"]) == {"hop, median, ns"}


def test_missing_forks_of_a_run_that_is_judged_are_exit_code_3(fitting, again):
    other, first = again(), fitting.points[0]
    other = raise_forks(other, {first.key: first.forks + 1})
    changes = comparison.compare_runs(fitting, other)
    assert changes.code == 3 and changes.missing == 1


def test_a_new_kernel_and_microcode_are_reported_and_judged(fitting, again):
    other = again(lambda point: 3.0)
    updated = {"kernel": "6.1.0-13", "settings": {"microcode": "0xa0"}}
    write_json(other.folder / "machine.json", other.machine | updated)
    changes = comparison.compare_runs(fitting, read_run(other.folder))
    assert changes.code == 4 and not changes.unlike
    assert any("kernel is 6.1.0-13" in line for line in changes.changed)


def test_runs_with_nothing_in_common_are_not_judged(small, tmp_path, call):
    one, other = (
        copy_some(small, tmp_path / study, lambda point, study=study: point.study == study)
        for study in ("counters", "scaling")
    )
    result = call("compare", one.folder, other.folder)
    assert result.returncode == 6
    assert "not measured before" in result.stdout and "not measured after" in result.stdout
    number = len(one.points) + len(other.points)
    assert f"{number} more points: {number} without an interval; --all" in result.stdout


def test_a_difference_between_two_machines_is_not_a_regression(small, after, call):
    changed = {"id": "ffffffff", "machine": "ffffffff", "cpu": "Another CPU"}
    write_json(after.folder / "machine.json", after.machine | changed)
    write_json(after.folder / "run.json", after.identity | changed)
    other = read_run(after.folder)
    setup = hash_setup(other.identity)
    for path in (after.folder / "forks").iterdir():
        content = json.loads(path.read_text()) | {"setup": setup, "machine": "ffffffff"}
        write_json(path, seal(content))
        slow(path, 2.0)
    tidy.write_tables(other)
    result = call("compare", small.folder, other.folder)
    assert result.returncode == 0
    assert "Not compared, two kinds of machine: cpu is Another CPU" in result.stdout
