"""A run that is cut short: figures after the first block, and a budget that ends well."""

import json
import math
import os
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from handoff.cli import measuring, notebook, outcome
from handoff.cli.progress import describe_left
from handoff.cli.request import RunRequest
from handoff.errors import INCOMPLETE
from handoff.run import planning
from handoff.run.cost import CostModel, Times
from handoff.run.host import lock
from handoff.run.runner import ProgressFile
from handoff.run.store import state

from .conftest import measured, raise_forks


@pytest.mark.parametrize(
    ("line", "left_s", "failed", "said"),
    [
        (":", -1, 0, "2 of 2 forks are missing."),
        ("exit 1", math.inf, 2, "2 of 2 forks are missing: 2 failed, see"),
    ],
)
def test_a_program_sees_whether_forks_failed_or_were_left_by_a_budget(
    fake_run, fake_java, capsys, line, left_s, failed, said
):
    run = fake_run(fake_java(line), loads=2)
    measured(run, deadline=time.time() + left_s)
    request = RunRequest("own", run.folder.parent, ("tidy",), budget_s=60.0, json=True)
    assert outcome.report_outcome(run, state.scan_run(run), request, []) == INCOMPLETE
    out, err = capsys.readouterr()
    answer = json.loads(out.splitlines()[-1])
    assert (answer["exit"], answer["complete"], answer["found"]) == (INCOMPLETE, False, 0)
    assert answer["failed"] == failed and said in err


@pytest.mark.parametrize("line", [":", "exit 1"])
def test_the_first_fork_starts_whatever_the_budget(fake_run, fake_java, line):
    run = fake_run(fake_java(line))
    assert len(measured(run, deadline=time.time() - 1, at_least=1)) == 1


def test_a_command_has_one_first_fork_even_if_it_measures_twice(fake_run, monkeypatch):
    given = []
    monkeypatch.setattr(notebook, "execute_notebook", lambda *_, **more: given.append(more))
    run, budget = fake_run(), measuring.Budget(60)
    measuring.measure_pending(run, budget)
    measuring.measure_pending(run, budget)
    assert [more["at_least"] for more in given] == ["1", "0"]


def test_forks_that_prove_shorter_than_expected_are_measured_within_the_budget(
    fake_run, fake_java, monkeypatch
):
    run = fake_run(fake_java(), loads=1, forks=3)
    guess = CostModel().fork_seconds(run.points[0])
    monkeypatch.setattr(CostModel, "estimate_times", lambda *_: Times(1000 * guess, 0))
    assert len(measured(run, deadline=time.time() + 60, at_least=1)) == 3


def test_a_budget_starts_when_the_machine_is_free(monkeypatch):
    @contextmanager
    def hold(what):
        time.sleep(0.1)
        yield

    monkeypatch.setattr(lock, "hold_lock", hold)
    before = time.time()
    assert measuring.start_budget(60).deadline >= before + 60.1
    assert measuring.start_budget(None).deadline == math.inf


def test_forks_longer_than_what_is_left_are_left_by_the_budget(
    fake_run, fake_java, capsys, monkeypatch
):
    run = fake_run(fake_java('case $params in *\'"sorts":"2"\'*) exit 1 ;; esac'), loads=3)
    measured(run)
    run = raise_forks(run, {run.points[0].key: 2})
    monkeypatch.setattr(CostModel, "fork_seconds", lambda *_: 50.0)
    measuring.report_budget(run, measuring.Budget(40))
    said = "1 fork left: the next one takes about 50 s, and 40 s of 40 s were left. The same"
    assert said in " ".join(capsys.readouterr().out.split())
    measuring.report_budget(run, measuring.Budget())
    assert capsys.readouterr().out == ""


def test_repetitions_left_by_a_budget_are_named_except_on_a_cluster(
    fake_run, fake_java, noisy, capsys
):
    noisy(1)
    run = fake_run(fake_java(), loads=2, quiet={"others": 1e9, "pressure": 1e9, "again": 2})
    measured(run, deadline=time.time() - 1, at_least=1)
    measuring.report_budget(run, measuring.Budget(1))
    assert "2 forks left (1 again: they ran disturbed): the next one" in capsys.readouterr().out
    measuring.report_budget(run, measuring.Budget(1), blocks=True)
    assert "1 fork left: the next block" in capsys.readouterr().out


def test_a_start_that_had_the_machine_queues_for_it_from_then_on(fake_run, monkeypatch):
    run = fake_run(loads=1)
    monkeypatch.setattr(planning, "prepare_run", lambda *_, **__: run)
    monkeypatch.setattr(measuring, "announce_run", lambda *_: [])
    request = RunRequest("fake", run.folder.parent)
    measuring.measure_sweep(SimpleNamespace(profile="fake"), None, request, measuring.Budget())
    assert os.environ[lock.WAIT]


def test_the_time_left_is_the_budgets_where_that_ends_first(fake_run):
    run = fake_run(loads=3)
    progress = ProgressFile(run, CostModel(), deadline=time.time() + 0.4)
    progress.add(run.points)
    progress.write(run.points[0])
    written = json.loads((run.folder / "progress.json").read_text())
    assert describe_left(written) == "0 s left of the budget"
