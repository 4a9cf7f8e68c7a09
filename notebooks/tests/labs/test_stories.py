"""Step-throughs of labs: what they show follows from the algorithms."""

import html
import re
from itertools import combinations

import pytest

from handoff.draw.steps import Row, Steps
from handoff.errors import BadInput
from handoff.labs.lessons import counter, lateness, stories, threads

TRACE = [[0, "write"], [1, "read"], [0, "read"], [1, "write"], [0, "write"]]
LATE = {"start": 100, "published": [200, 300, 900], "seen": [250, 850, 950]}


def test_a_ring_waits_when_it_is_full_and_hands_every_event_over_once():
    for capacity, events in ((1, 3), (2, 5), (4, 6)):
        text = repr(stories.show_ring(capacity, events))
        handled = re.findall(r"handles e(\d+)", text)
        assert handled == re.findall(r"claims (\d+):", text) == [str(i) for i in range(events)]
        assert text.count("the ring is full") >= 1


def test_a_queue_takes_in_the_order_of_puts():
    text = repr(stories.show_queue(2, 5))
    assert re.findall(r"puts e(\d)", text) == re.findall(r"takes e(\d)", text) == list("01234")


def test_the_line_moves_as_the_reference_counts():
    assert counter.show_line(TRACE).states[-1].rows[-1].cells == [str(counter.transfers(TRACE))]


def test_late_by_its_schedule_is_what_the_reference_says():
    rows = [state.rows[-1].cells[0] for state in lateness.show_due(LATE, 100).states]
    assert rows == [f"{late:.0f}" for late in lateness.due(LATE, 100)]


def test_a_token_is_with_either_worker_in_turn():
    words = [state.words for state in threads.show_token().states[1:]]
    assert [re.search(r"Worker (\w)", each)[1] for each in words] == list("ABAB")


def test_a_task_is_lost_exactly_where_both_read_next_before_either_adds():
    """Then both write slot 0; a producer that reads after the other has added writes slot 1."""
    for places in combinations(range(8), 4):
        steps = ["A" if i in places else "B" for i in range(8)]
        reads = [steps.index(name) for name in "AB"]
        adds = [max(i for i, step in enumerate(steps) if step == name) for name in "AB"]
        assert bool(stories.replay(" ".join(steps))[1]) == (max(reads) < min(adds)), steps


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A A A A B B B B", "no task is lost: workers take both"),
        ("A B A B A B A", "steps: write A and B four times each: reads next, reads consumed, "),
        ("A B A B B A A B", "it is B's task that is lost, not A's"),
        ("A B A B A B A B", ""),
    ],
)
def test_what_a_schedule_lacks_is_said(text, message):
    wrong = stories.describe_schedule(text)
    assert wrong.startswith(message) and bool(wrong) == bool(message)


def test_the_steps_say_what_is_lost():
    text = repr(stories.show_schedule("A B A B A B A B"))
    assert "B writes its task b into slot 0, over a." in text
    assert "Workers take b, -: task a is lost." in text


def test_the_checkers_own_trace_can_be_stepped_through():
    states = stories.show_shipped_trace().states
    words = [state.words for state in states]
    assert words[0] == "Thread 2: offer(22): true"
    assert "Thread 2 is stopped here, and the other one continues." in words
    assert words[-1] == "Thread 1: poll(): null"
    assert [row.marked for row in states[0].rows[:2]] == [[], [0]]


def test_what_is_no_trace_is_said():
    with pytest.raises(BadInput, match="not a trace of the model checker"):
        stories.show_trace("it takes more than 2 items")


def test_every_step_is_also_text():
    steps = Steps("A title")
    for i in (0, 1):
        steps.add(f"Word {i}.", Row("row", ["a", "b"], [i]))
    page, text = steps._repr_html_(), repr(steps)
    assert len(re.findall("<li>", page)) == len(steps.states)
    assert 'sandbox="allow-scripts"' in page
    assert f'title="{html.escape(steps.title)}"' in page
    assert text == "A title\n1. Word 0. [row: (a), b]\n2. Word 1. [row: a, (b)]"
    assert 'aria-live="polite"' in steps.page
    assert "ArrowRight" in steps.page


def test_text_cannot_end_the_script_or_leave_the_frame():
    steps = Steps("</script><b>")
    steps.add("</script><script>alert(1)", Row("<i>", ["<u>"]))
    page = steps.page
    assert page.count("</script>") == 1
    assert "<i>" not in page
    (words,) = re.findall(r'data-words="(.*?)"', page)
    assert html.unescape(words) == "Step 1 of 1: </script><script>alert(1)"
