"""A run that is cut short: figures after the first block, and a budget that ends well."""

import json
import math
import os
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from handoff.cli import measuring, outcome
from handoff.cli.progress import describe_left
from handoff.cli.request import RunRequest
from handoff.errors import COMPLETE, INCOMPLETE
from handoff.run import planning
from handoff.run.cost import CostModel
from handoff.run.host import lock
from handoff.run.runner import ProgressFile
from handoff.run.store import state

from .conftest import measured, raise_forks


@pytest.mark.parametrize(
    ("line", "left_s", "budget_s", "code", "said"),
    [
        (":", -1, 60.0, COMPLETE, "2 of 2 forks are missing."),
        (":", -1, None, INCOMPLETE, "2 of 2 forks are missing."),
        ("exit 1", math.inf, 60.0, INCOMPLETE, "2 of 2 forks are missing: 2 failed, see"),
    ],
)
def test_only_a_budget_may_leave_forks_missing(
    fake_run, fake_java, capsys, line, left_s, budget_s, code, said
):
    run = fake_run(fake_java(line), loads=2)
    measured(run, deadline=time.time() + left_s)
    request = RunRequest("own", run.folder.parent, ("tidy",), budget_s=budget_s, json=True)
    assert outcome.report_outcome(run, state.scan_run(run), request, []) == code
    out, err = capsys.readouterr()
    answer = json.loads(out.splitlines()[-1])
    assert (answer["exit"], answer["complete"], answer["found"]) == (code, False, 0)
    assert said in err


def test_a_budget_starts_when_the_machine_is_free(monkeypatch):
    @contextmanager
    def hold(what):
        time.sleep(0.1)
        yield

    monkeypatch.setattr(lock, "hold_lock", hold)
    before = time.time()
    assert measuring.find_deadline(60) >= before + 60.1
    assert measuring.find_deadline(None) == math.inf


def test_forks_longer_than_what_is_left_are_left_by_the_budget(fake_run, fake_java, capsys):
    run = fake_run(fake_java('case $params in *\'"sorts":"2"\'*) exit 1 ;; esac'), loads=3)
    measured(run)
    run = raise_forks(run, {run.points[0].key: 2})
    measuring.report_budget(run, time.time() + 90)
    assert "The budget is used up; 1 fork left: the same" in capsys.readouterr().out
    measuring.report_budget(run, math.inf)
    assert capsys.readouterr().out == ""


def test_a_start_that_had_the_machine_queues_for_it_from_then_on(fake_run, monkeypatch):
    run = fake_run(loads=1)
    monkeypatch.setattr(planning, "prepare_run", lambda *_, **__: run)
    monkeypatch.setattr(measuring, "announce_run", lambda *_: [])
    request = RunRequest("fake", run.folder.parent)
    measuring.measure_sweep(SimpleNamespace(profile="fake"), None, request, math.inf)
    assert os.environ[lock.WAIT]


def test_the_time_left_is_the_budgets_where_that_ends_first(fake_run):
    run = fake_run(loads=3)
    progress = ProgressFile(run, CostModel(), deadline=time.time() + 0.4)
    progress.add(run.points)
    progress.write(run.points[0])
    written = json.loads((run.folder / "progress.json").read_text())
    assert describe_left(written) == "0 s left of the budget"
