"""Two producers of the post's ring, in every order of their steps; and the checker's own trace."""

from itertools import combinations

import pytest

from handoff.errors import BadInput
from handoff.labs import schedule, trace


def list_orders() -> list[list[str]]:
    """All seventy: A's four steps at any four of eight places."""
    return [["A" if i in places else "B" for i in range(8)] for places in combinations(range(8), 4)]


def test_a_task_is_lost_exactly_where_both_read_next_before_either_adds():
    """Then both write slot 0: whoever reads after the other has added writes slot 1."""
    for steps in list_orders():
        reads = [steps.index(name) for name in "AB"]
        adds = [max(i for i, step in enumerate(steps) if step == name) for name in "AB"]
        assert schedule.replay(steps).loses == (max(reads) < min(adds)), steps


def test_of_seventy_orders_two_lose_nothing():
    assert sum(not schedule.replay(steps).loses for steps in list_orders()) == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A A A A B B B B", "no task is lost: workers take both"),
        ("A B A B A B A", "steps: B does 3 steps; an offer has 4: reads next, reads consumed"),
        ("A B C", "steps: C is no producer; allowed are A and B"),
        ("", "steps: A does 0 steps"),
        ("A B A B B A A B", "it is B's task that is lost, not A's"),
        ("A B A B A B A B", ""),
    ],
)
def test_what_a_schedule_lacks_is_said(text, told):
    found = schedule.describe_schedule({"steps": text}, None)
    assert found.startswith(told) and bool(found) == bool(told)


def test_the_steps_say_what_is_lost():
    told = repr(schedule.show_schedule("A B A B A B A B"))
    assert "B writes its task b into slot 0, over a." in told
    assert "Workers take b, -: task a is lost." in told


def test_the_checkers_own_trace_can_be_stepped_through():
    states = trace.show_shipped_trace().states
    words = [state.words for state in states]
    assert words[0] == "Thread 2: offer(22): true"
    assert "Thread 2 is stopped here, and the other one goes on." in words
    assert words[-1] == "Thread 1: poll(): null"
    assert [row.marked for row in states[0].rows] == [[], [0]]


def test_what_is_no_trace_is_said():
    with pytest.raises(BadInput, match="no trace of the model checker"):
        trace.show_trace("it takes more than 2 items")
