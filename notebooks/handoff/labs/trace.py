"""The model checker's own trace, to step through."""

import json

from handoff.draw.steps import Row, State, Steps
from handoff.errors import BadInput
from handoff.paths import CHECKS

MARK = "The following interleaving leads to the error:"
SWITCH = "switch"


def show_shipped_trace() -> Steps:
    """How the checker loses a task with two producers of the post's first ring."""
    found = json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))
    return show_trace(
        found["RING_BUFFER, two producers"], "What the checker found in the post's ring"
    )


def show_trace(text: str, title: str = "What the checker found") -> Steps:
    """One line of the checker's table a step. BadInput where there is no such table."""
    _, _, table = text.partition(MARK)
    states, latest = [], ["", ""]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 2 or line.startswith("| -") or cells[0] == "Thread 1":
            continue
        side = 0 if cells[0] else 1
        if not cells[side]:
            continue
        latest[side] = cells[side]
        thread = f"Thread {side + 1}"
        words = (
            f"{thread} is stopped here, and the other one goes on."
            if cells[side].startswith(SWITCH)
            else f"{thread}: {cells[side]}"
        )
        states.append(
            State(words, [Row(f"Thread {i + 1}", [latest[i]], [0] * (i == side)) for i in (0, 1)])
        )
    if not states:
        raise BadInput("That is no trace of the model checker.")
    return Steps(title, states)
