"""One event's journey, and the notebook that shows it."""

import nbformat
import pytest

from handoff.model import journey
from handoff.model.mechanisms import MECHANISMS
from handoff.model.simulation import Point, simulate
from handoff.paths import NOTEBOOKS

from .machines import X5650


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("places", [journey.NEAR, journey.FAR])
def test_each_step_says_which_line_moves_and_who_holds_it(mechanism, places):
    steps = journey.show_journey(mechanism, places)
    assert steps.title.startswith("MODEL") and 1 <= len(steps.states) <= 40
    assert ("two sockets" in steps.title) == (places == journey.FAR)
    for state in steps.states:
        (moved,) = [row for row in state.rows if row.marked]
        assert moved.label in state.words and state.words.endswith("ns.")


def test_a_queue_moves_more_lines_than_a_ring():
    points = (Point(name, capacity=64, events=400) for name in MECHANISMS)
    queue, pool, striped = (simulate(X5650, point).near for point in points)
    assert queue > 5 * pool and queue > 5 * striped


def test_the_notebook_of_the_annex_runs():
    """The pipeline does not execute it."""
    shown = []
    names = {"display": lambda *things: shown.extend(things)}
    for cell in nbformat.read(NOTEBOOKS / "70_model.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    assert shown and all(steps.title.startswith("MODEL") for steps in shown)
