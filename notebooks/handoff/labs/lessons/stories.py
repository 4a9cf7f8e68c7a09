"""Step-throughs of algorithms: a ring, a queue, two producers of one ring, a checker's trace.

Each is made by a small model of the algorithm, not typed. The two producers' code is that of the
executors post; see RingBuffer.java.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from handoff.draw.steps import Row, State, Steps
from handoff.errors import BadInput
from handoff.paths import CHECKS

SLOTS = 4
PRODUCERS = {"A": "a", "B": "b"}
"""Each producer and its task."""

STEPS = ("reads next", "reads consumed", "writes the slot", "adds 1 to next")
"""The steps of one offer."""


def parse_schedule(text: str) -> list[str]:
    """Parse 'A A B ...', the order of steps; raise BadInput unless each producer does all steps."""
    steps = str(text).split()
    unknown = [step for step in steps if step not in PRODUCERS]
    if unknown:
        raise BadInput(f"steps: unknown producer {unknown[0]}; choose from A and B, with spaces.")
    for name in PRODUCERS:
        if steps.count(name) != len(STEPS):
            raise BadInput(
                f"steps: {name} does {steps.count(name)} steps; an offer has {len(STEPS)}:"
                f" {', '.join(STEPS)}."
            )
    return steps


def replay(steps: Sequence[str]) -> tuple[list[State], list[str]]:
    """Interleave one offer of each producer to an empty ring; then let workers take all tasks.

    Return the states, and the tasks that are lost.
    """
    slots, published = ["-"] * SLOTS, 0
    done, seen = dict.fromkeys(PRODUCERS, 0), dict.fromkeys(PRODUCERS, 0)
    states = [State("The ring is empty; both producers are about to offer.", list_rows(slots, 0))]
    for name in steps:
        marked = []
        if done[name] == 0:
            seen[name] = published
            words = f"{name} reads next: {published}"
        elif done[name] == 1:
            words = f"{name} reads consumed: 0, so there is room"
        elif done[name] == 2:
            marked = [seen[name] % SLOTS]
            before, slots[marked[0]] = slots[marked[0]], PRODUCERS[name]
            over = f", over {before}" if before != "-" else ""
            words = f"{name} writes its task {PRODUCERS[name]} into slot {marked[0]}{over}"
        else:
            published += 1
            words = f"{name} adds 1 to next, at once: {published}. Its offer says true"
        done[name] += 1
        states.append(State(f"{words}.", list_rows(slots, published, marked)))
    taken = slots[:published]
    lost = sorted(set(PRODUCERS.values()) - set(taken))
    end = f"task {' and '.join(lost)} is lost." if lost else "both tasks arrive."
    states.append(State(f"Workers take {', '.join(taken)}: {end}", list_rows(slots, published)))
    return states, lost


def list_rows(slots: Sequence[str], published: int, marked: Sequence[int] = ()) -> list[Row]:
    return [Row("slots", list(slots), marked), Row("next", [str(published)])]


def show_schedule(text: str) -> Steps:
    """Step through a schedule of two producers."""
    steps = parse_schedule(text)
    states, _ = replay(steps)
    return Steps(f"Two producers: {' '.join(steps)}", states)


def describe_schedule(content: Mapping[str, Any]) -> str:
    """Return why a schedule does not lose A's task, or '' if it does."""
    try:
        _, lost = replay(parse_schedule(content.get("steps", "")))
    except BadInput as wrong:
        return str(wrong)
    if not lost:
        return "no task is lost: workers take both"
    return "" if PRODUCERS["A"] in lost else "it is B's task that is lost, not A's"


MARK = "The following interleaving leads to the error:"
SWITCH = "switch"
ACCESS = re.compile(
    r"([\w.#<>]+?(?:\[\d+\])?)"
    r"(?:\.(?:READ|(?:get\w*|\w+AndGet)\(.*?\)): ([\w#.]+)"
    r"|\.(?:set\w*|lazySet)\(([^,]*)\)| = (\S+))"
)
"""A line of the trace by which a field's value is known: a call's result, or a write."""


def show_shipped_trace() -> Steps:
    """Step through the checker's trace of the post's first ring with two producers."""
    traces = json.loads((CHECKS / "executors.json").read_text(encoding="utf-8"))
    trace = traces["RING_BUFFER, two producers"]
    return show_trace(trace, "What the checker found in the post's ring")


def show_trace(text: str, title: str = "What the checker found") -> Steps:
    """Step through a trace of the model checker: both threads, and each field's last value."""
    _, _, table = text.partition(MARK)
    states: list[State] = []
    latest, fields = ["-", "-"], dict[str, str]()
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 2 or line.startswith("| -") or cells[0] == "Thread 1":
            continue
        side = 0 if cells[0] else 1
        step = cells[side]
        if not step:
            continue
        latest[side] = step
        if access := ACCESS.match(step):
            fields[access[1]] = next(filter(None, access.groups()[1:]))
        stopped = " is stopped here, and the other one continues."
        words = f"Thread {side + 1}{stopped if step.startswith(SWITCH) else f': {step}'}"
        rows = [Row(f"thread {i + 1}", [latest[i]], [0] * (i == side)) for i in (0, 1)]
        rows += [Row(f"field {name}", [value]) for name, value in fields.items()]
        states.append(State(words, rows))
    if not states:
        raise BadInput("This is not a trace of the model checker.")
    return Steps(title, states)


def shorten_trace(trace: str) -> str:
    """Return a trace's first line, such as 'Invalid execution results'."""
    return trace.split("\n", 1)[0].strip(" =")
