"""Sessions: when one starts, and what is planned."""

from datetime import UTC, datetime, timedelta

import pytest

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run import order
from handoff.run.store import session
from handoff.run.store.run import read_run
from handoff.run.store.session import add_session, number_sessions
from handoff.tables import tidy

from .conftest import sealed


def test_a_pause_of_six_hours_starts_a_session_in_any_reading_order_of_forks():
    clock = ["00:00", "05:59", "11:59", "23:00"]
    started = [f"2026-11-22T{time}:00+00:00" for time in clock]
    assert number_sessions(started) == [1, 1, 2, 3]
    assert number_sessions(started[::-1]) == [3, 2, 1, 1]


def measured(run, golden):
    """Fill the run with a golden fork per task, a minute after each other."""
    for place, (point, number) in enumerate(run.tasks()):
        spans = {
            name: golden[name] | {"utc": f"2026-11-21T00:{place:02}:0{second}.000+00:00"}
            for name, second in (("before", 0), ("after", 9))
        }
        own = {"params": point.params, "fork": number, "order": place, "block": number}
        content = sealed(golden, **spans, **own)
        write_json(run.folder / "forks" / f"{point.fork_name(number)}.json", content)
    return run


def test_another_session_plans_every_point_again(fake_run, golden):
    run = fake_run(loads=1, forks=2)
    with pytest.raises(BadInput, match="is missing 2 forks of its last session"):
        add_session(run, 2)
    measured(run, golden)
    early = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
    with pytest.raises(BadInput, match=r"can start six hours .* at 2026-11-21 06:01 UTC"):
        add_session(run, 0, early)
    assert read_run(run.folder).sessions == 1
    again = add_session(run, 0, early + timedelta(minutes=2))
    assert [number for _, number in again.tasks()] == [0, 1, 2, 3]
    assert [(task.block, task.number) for task in order.plan_order(again)] == [
        (0, 0), (1, 1), (2, 2), (3, 3),
    ]  # fmt: skip
    assert [number for _, number in again.missing()] == [2, 3]
    assert tidy.write_tables(again)["points"]["asked"].tolist() == [4]


def test_a_session_is_continued_until_only_forks_that_were_given_up_are_missing(fake_run, golden):
    later = datetime(2026, 11, 22, tzinfo=UTC)
    run = add_session(measured(fake_run(loads=1, forks=2), golden), 0, later)
    assert add_session(run, 2, later).sessions == 2
    assert add_session(run, 0, later).sessions == 3


def test_a_run_whose_forks_were_all_given_up_can_have_another_session(fake_run):
    assert add_session(fake_run(loads=1), 0).sessions == 2


def test_a_fork_that_was_given_up_does_not_keep_a_run_from_ending_early(fake_run, golden):
    run = measured(session.plan_judging(fake_run(loads=1, forks=2), 3, 2), golden)
    next((run.folder / "forks").iterdir()).unlink()
    assert session.plan_judging(run, 1, 0).planned_sessions == 1
