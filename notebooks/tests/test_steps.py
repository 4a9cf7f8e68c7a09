"""Step-throughs: what they say follows from the algorithm, and the words carry all of it."""

import html
import json
import re

import pytest

from handoff.draw.steps import Row, State, Steps
from handoff.labs import counter, lateness, stories, threads

TRACE = [[0, "write"], [1, "read"], [0, "read"], [1, "write"], [0, "write"]]
LATE = {"start": 100, "published": [200, 300, 900], "seen": [250, 850, 950]}
ALL = {
    "ring": stories.show_ring(),
    "queue": stories.show_queue(),
    "line": counter.show_line(TRACE),
    "due": lateness.show_due(LATE, 100),
    "token": threads.show_token(),
}


@pytest.mark.parametrize("name", ALL)
def test_every_step_is_in_words_too(name):
    steps = ALL[name]
    page, told = steps._repr_html_(), repr(steps)
    assert len(re.findall("<li>", page)) == len(steps.states) >= 3
    assert 'sandbox="allow-scripts"' in page and f'title="{html.escape(steps.title)}"' in page
    assert all(state.words in told for state in steps.states)
    assert 'aria-live="polite"' in steps.page and "ArrowRight" in steps.page


def test_a_ring_waits_when_it_is_full_and_hands_every_event_over_once():
    for capacity, events in ((1, 3), (2, 5), (4, 6)):
        told = repr(stories.show_ring(capacity, events))
        handled = re.findall(r"handles e(\d+)", told)
        published = re.findall(r"claims (\d+):", told)
        assert handled == published == [str(i) for i in range(events)]
        assert told.count("the ring is full") >= 1


def test_a_queue_takes_in_the_order_of_puts():
    told = repr(stories.show_queue(2, 5))
    assert re.findall(r"puts e(\d)", told) == re.findall(r"takes e(\d)", told) == list("01234")


def test_the_line_moves_as_the_reference_counts():
    last = counter.show_line(TRACE).states[-1]
    assert last.rows[-1].cells == [str(counter.transfers(TRACE))]


def test_late_by_its_schedule_is_what_the_reference_says():
    rows = [state.rows[-1].cells[0] for state in lateness.show_due(LATE, 100).states]
    assert rows == [f"{late:.0f}" for late in lateness.due(LATE, 100)]


def test_words_cannot_end_the_script_or_leave_the_frame():
    page = Steps("</script><b>", [State("</script><script>alert(1)", [Row("<i>", ["<u>"])])]).page
    assert page.count("</script>") == 1 and "<i>" not in page
    (content,) = re.findall(r"const states = (.*);\n", page)
    assert json.loads(content)[0]["words"] == "</script><script>alert(1)"
