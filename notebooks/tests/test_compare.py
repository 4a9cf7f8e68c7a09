"""Two runs beside each other: a gate on one machine, shape and scale of two."""

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
    """A copy of the shipped run, to be changed."""
    shutil.copytree(small.folder, tmp_path / "runs" / "after")
    return read_run(tmp_path / "runs" / "after")


def test_a_run_does_not_differ_from_itself(small, after):
    found = comparison.compare_runs(small, after, 0.05)
    assert found.same_machine and found.slower.empty and (found.rows["ratio"] == 1).all()


def test_a_slower_point_is_found_and_ends_with_4(small, after):
    point = next(
        p
        for p in after.points
        if p.params["mechanism"] == "ARRAY_BLOCKING_QUEUE" and not p.oversubscribed
    )
    for path in (after.folder / "forks").glob(f"{point.name}-*.json"):
        slow(path, 1.6)
    ended = run_all("compare", small.folder, after.folder)
    assert ended.returncode == 4, ended.stderr
    assert "The same machine; nothing else changed." in ended.stdout
    assert re.search(
        r"\n1 of \d+ points that could be judged are slower by more than 5%", ended.stdout
    )
    assert run_all("compare", after.folder, small.folder).returncode == 0
    assert run_all("compare", small.folder, after.folder, "--margin", "100").returncode == 0


def test_the_tables_are_those_of_the_forks_that_are_there(small, after):
    for path in (after.folder / "forks").iterdir():
        slow(path, 1.6)
    rows = comparison.compare_runs(small, after, 0.05).rows
    # What `slow` makes slower is time; latency is compared by latency.
    timed = rows[rows["quantity"] == "ns per event"]
    assert len(timed) and (timed["ratio"] > 1.5).all()
    assert set(rows.loc[rows["study"] == "latency", "quantity"]) == {"hop, median, ns"}


def test_nothing_in_common_is_an_error_and_no_pass(small, after):
    one = copy_study(small, after.folder.parent / "one", "counters")
    other = copy_study(small, after.folder.parent / "other", "scaling")
    ended = run_all("compare", one, other)
    assert ended.returncode == 2 and "no measured point in common" in ended.stderr


def copy_study(run, folder, study):
    """The run with the forks of one study alone."""
    shutil.copytree(run.folder, folder)
    own = {point.name for point in run.points if point.study == study}
    for path in (folder / "forks").iterdir():
        if path.name.rpartition("-")[0] not in own:
            path.unlink()
    return folder


def test_only_what_changed_is_printed_and_all_of_it_as_json(small, after):
    point = next(p for p in after.points if p.study == "scaling" and not p.oversubscribed)
    for path in (after.folder / "forks").glob(f"{point.name}-*.json"):
        slow(path, 5)
    ended = run_all("compare", small.folder, after.folder, "--json")
    *lines, last = ended.stdout.splitlines()
    told = json.loads(last)
    assert told["exit"] == ended.returncode == 4 and told["slower"] == [point.key]
    changed = [row for row in told["points"] if row["direction"]]
    assert [row["point"] for row in changed] == [point.key] and changed[0]["direction"] == "more"
    assert sum(line.startswith(" scaling") for line in lines) <= 1
    assert any("more points did not change; --all prints them" in line for line in lines)
    whole = run_all("compare", small.folder, after.folder, "--all").stdout
    assert len(whole.splitlines()) > len(told["points"])


def test_two_machines_are_never_pooled_and_nothing_is_a_regression(small, after):
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
    ended = run_all("compare", small.folder, other.folder)
    assert (
        ended.returncode == 0
        and "Two machines" in ended.stdout
        and "Another CPU" in ended.stdout
        and "shape_after" in ended.stdout
    )


def test_one_run_is_not_enough(tmp_path):
    ended = run_all("compare", "reference")
    assert ended.returncode == 2 and "arguments are required: AFTER" in ended.stderr
    ended = run_all("compare", "reference", "nosuch")
    assert ended.returncode == 2 and "nosuch is not a run" in ended.stderr


def test_runs_that_judge_nothing_are_compared_without_a_verdict(small, after):
    rehearsal = after._replace(sweep=after.sweep.model_copy(update={"verdicts": False}))
    found = comparison.compare_runs(small, rehearsal, 0.05)
    assert found.slower.empty and found.rows["p_slower"].isna().all()
    assert "0 of 0 points" in "\n".join(
        comparison.describe_comparison(found, small, rehearsal, 0.05)
    )
