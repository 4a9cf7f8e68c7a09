"""Two producers of the post's first ring, step by step, in an order that one chooses: what the
executors study's model checker finds by itself. Source: the post's code, see RingBuffer.java.
"""

from collections.abc import Sequence
from typing import NamedTuple

from handoff.draw.steps import Row, State, Steps
from handoff.errors import BadInput

CAPACITY = 4
PRODUCERS = {"A": "a", "B": "b"}
"""Each producer and its task."""

STEPS = ("reads next", "reads consumed", "writes the slot", "adds 1 to next")


class Replay(NamedTuple):
    """What the schedule led to: the states on the way, and what workers then take; '-' is a slot
    that was published and that nobody wrote.
    """

    states: list[State]
    taken: list[str]

    @property
    def loses(self) -> bool:
        return sorted(self.taken) != sorted(PRODUCERS.values())


def parse_schedule(text: str) -> list[str]:
    """'A A B ...': who does a step next. BadInput unless each does all of its steps."""
    steps = str(text).split()
    strange = [step for step in steps if step not in PRODUCERS]
    if strange:
        raise BadInput(f"steps: {strange[0]} is no producer; allowed are A and B, between spaces.")
    for name in PRODUCERS:
        if steps.count(name) != len(STEPS):
            raise BadInput(
                f"steps: {name} does {steps.count(name)} steps; an offer has {len(STEPS)}:"
                f" {', '.join(STEPS)}."
            )
    return steps


def replay(steps: Sequence[str]) -> Replay:
    """One offer of each producer to an empty ring, interleaved so; then workers take all."""
    slots = ["-"] * CAPACITY
    published = consumed = 0
    done = dict.fromkeys(PRODUCERS, 0)
    seen = dict.fromkeys(PRODUCERS, 0)
    states = [State("The ring is empty; both producers are about to offer.", list_rows(slots, 0))]
    for name in steps:
        number, marked = done[name], []
        if number == 0:
            seen[name] = published
            told = f"{name} reads next: {published}"
        elif number == 1:
            told = f"{name} reads consumed: {consumed}, so there is room"
        elif number == 2:
            place = seen[name] % CAPACITY
            before, slots[place] = slots[place], PRODUCERS[name]
            over = f", over {before}" if before != "-" else ""
            told, marked = (
                f"{name} writes its task {PRODUCERS[name]} into slot {place}{over}",
                [place],
            )
        else:
            published += 1
            told = f"{name} adds 1 to next, at once: {published}. Its offer says true"
        done[name] += 1
        states.append(State(f"{told}.", list_rows(slots, published, marked)))
    taken = [slots[place % CAPACITY] for place in range(consumed, published)]
    lost = sorted(set(PRODUCERS.values()) - set(taken))
    words = f"Workers take {', '.join(taken)}: " + (
        f"task {' and '.join(lost)} is lost." if lost else "both tasks arrive."
    )
    states.append(State(words, list_rows(slots, published)))
    return Replay(states, taken)


def list_rows(slots: Sequence[str], published: int, marked: Sequence[int] = ()) -> list[Row]:
    return [Row("slots", list(slots), marked), Row("next", [str(published)])]


def show_schedule(text: str) -> Steps:
    """A schedule, to step through."""
    steps = parse_schedule(text)
    return Steps(f"Two producers: {' '.join(steps)}", replay(steps).states)


def describe_schedule(content: dict, _: object) -> str:
    """Why a schedule does not show that A's task is lost; '' if it does."""
    try:
        found = replay(parse_schedule(content.get("steps", "")))
    except BadInput as wrong:
        return str(wrong)
    if not found.loses:
        return "no task is lost: workers take both"
    return "" if PRODUCERS["A"] not in found.taken else "it is B's task that is lost, not A's"
