"""Comparison of two runs: a gate on one machine, shape and scale on two."""

import json
import re
import shutil

import pytest

from handoff.analysis import comparison
from handoff.files import write_json
from handoff.run.store.forkfile import compute_seal
from handoff.run.store.identity import hash_setup
from handoff.run.store.run import read_run
from handoff.tables import tidy

from .conftest import run_all
from .test_report import slow


@pytest.fixture
def after(small, tmp_path):
    """Return a copy of the shipped run, to be changed."""
    shutil.copytree(small.folder, tmp_path / "runs" / "after")
    return read_run(tmp_path / "runs" / "after")


def test_a_run_does_not_differ_from_itself(small, after):
    changes = comparison.compare_runs(small, after, 0.05)
    assert changes.same_machine and changes.slower.empty and (changes.rows["ratio"] == 1).all()


def test_a_slower_point_is_reported_with_exit_code_4(small, after):
    point = next(
        p
        for p in after.points
        if p.params["mechanism"] == "ARRAY_BLOCKING_QUEUE" and not p.oversubscribed
    )
    for path in (after.folder / "forks").glob(f"{point.name}-*.json"):
        slow(path, 1.6)
    result = run_all("compare", small.folder, after.folder)
    assert result.returncode == 4, result.stderr
    assert "The same machine; nothing else changed." in result.stdout
    assert re.search(
        r"\n1 of \d+ points that could be judged are slower by more than 5%", result.stdout
    )
    assert run_all("compare", after.folder, small.folder).returncode == 0
    assert run_all("compare", small.folder, after.folder, "--margin", "100").returncode == 0


def test_the_tables_are_made_from_the_current_forks(small, after):
    for path in (after.folder / "forks").iterdir():
        slow(path, 1.6)
    rows = comparison.compare_runs(small, after, 0.05).rows
    # `slow` changes times only; the latency study is compared by its latencies.
    timed = rows[rows["quantity"] == "ns per event"]
    assert len(timed) and (timed["ratio"] > 1.5).all()
    assert set(rows.loc[rows["study"] == "latency", "quantity"]) == {"hop, median, ns"}


def test_runs_with_nothing_in_common_are_an_error(small, after):
    one = copy_study(small, after.folder.parent / "one", "counters")
    other = copy_study(small, after.folder.parent / "other", "scaling")
    result = run_all("compare", one, other)
    assert result.returncode == 2 and "no measured point in common" in result.stderr


def copy_study(run, folder, study):
    """Return a copy of the run with only the forks of one study."""
    shutil.copytree(run.folder, folder)
    names = {point.name for point in run.points if point.study == study}
    for path in (folder / "forks").iterdir():
        if path.name.rpartition("-")[0] not in names:
            path.unlink()
    return folder


def test_only_changes_are_printed_and_json_holds_every_point(small, after):
    point = next(p for p in after.points if p.study == "scaling" and not p.oversubscribed)
    for path in (after.folder / "forks").glob(f"{point.name}-*.json"):
        slow(path, 5)
    result = run_all("compare", small.folder, after.folder, "--json")
    *lines, last = result.stdout.splitlines()
    answer = json.loads(last)
    assert answer["exit"] == result.returncode == 4 and answer["slower"] == [point.key]
    changed = [row for row in answer["points"] if row["direction"]]
    assert [row["point"] for row in changed] == [point.key] and changed[0]["direction"] == "more"
    assert sum(line.startswith(" scaling") for line in lines) <= 1
    assert any("more points did not change; --all prints them" in line for line in lines)
    whole = run_all("compare", small.folder, after.folder, "--all").stdout
    assert len(whole.splitlines()) > len(answer["points"])


def test_a_difference_between_two_machines_is_not_a_regression(small, after):
    for name in ("machine.json", "run.json"):
        content = json.loads((after.folder / name).read_text())
        (after.folder / name).write_text(
            json.dumps(content | {"id": "ffffffff", "machine": "ffffffff", "cpu": "Another CPU"})
        )
    other = read_run(after.folder)
    setup = hash_setup(other.identity)
    for path in (after.folder / "forks").iterdir():
        content = json.loads(path.read_text()) | {"setup": setup, "machine": "ffffffff"}
        del content["sha256"]
        write_json(path, content | {"sha256": compute_seal(content)})
        slow(path, 2.0)
    tidy.write_tables(other)
    result = run_all("compare", small.folder, other.folder)
    assert (
        result.returncode == 0
        and "Two machines" in result.stdout
        and "Another CPU" in result.stdout
        and "shape_after" in result.stdout
    )


def test_one_run_is_not_enough(tmp_path):
    result = run_all("compare", "reference")
    assert result.returncode == 2 and "arguments are required: AFTER" in result.stderr
    result = run_all("compare", "reference", "nosuch")
    assert result.returncode == 2 and "nosuch is not a run" in result.stderr


def test_runs_of_a_sweep_without_verdicts_are_compared_without_a_verdict(small, after):
    rehearsal = after._replace(sweep=after.sweep.model_copy(update={"verdicts": False}))
    changes = comparison.compare_runs(small, rehearsal, 0.05)
    assert changes.slower.empty and not changes.rows["judged"].any()
    assert "0 of 0 points" in "\n".join(
        comparison.describe_comparison(changes, small, rehearsal, 0.05)
    )
