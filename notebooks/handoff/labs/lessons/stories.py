"""Step-throughs of algorithms: a ring, a queue, two producers of one ring, a checker's trace.

Each is made by a small model of the algorithm, not typed. The two producers' code is that of the
executors post; see RingBuffer.java.
"""

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handoff.draw.steps import Row, State, Steps
from handoff.errors import BadInput
from handoff.paths import CHECKS


def show_ring(capacity: int = 4, events: int = 6) -> Steps:
    """Step through a ring whose producer waits for a slower consumer when the ring is full."""
    places, published, consumed = ["-"] * capacity, -1, -1
    states: list[State] = []

    def note(words: str, producer: str, consumer: str, marked: Sequence[int] = ()) -> None:
        rows = [
            Row("thread producer", [producer]),
            Row("thread consumer", [consumer]),
            Row("field places", list(places), marked),
            Row("field published (the producer writes)", [str(published)]),
            Row("field consumed (the consumer writes)", [str(consumed)]),
        ]
        states.append(State(words, rows))

    note("Nothing is published yet: both counters are -1.", "-", "looks")
    while consumed < events - 1:
        wanted, place = published + 1, (published + 1) % capacity
        full = published - consumed == capacity
        if wanted < events and not full:
            published, places[place] = wanted, f"e{wanted}"
            words = (
                f"The producer claims {wanted}: place {wanted} mod {capacity} is {place}. It writes"
                " the event there, and only then publishes it."
            )
            note(words, f"writes e{wanted}, publishes", "looks", [place])
            continue
        if wanted < events:
            words = (
                f"The producer wants {wanted}, but place {place} still holds e{wanted - capacity},"
                " which the consumer has not passed: the ring is full, and the producer waits. This"
                " is the gating."
            )
            note(words, "waits: looks at consumed", "works", [place])
        consumed += 1
        words = (
            f"The consumer sees that {published} is published, handles e{consumed} and sets"
            f" consumed to {consumed}. No lock: each counter has one writer."
        )
        note(words, "-", f"works on e{consumed}", [consumed % capacity])
    return Steps("A ring and its gating", states)


def show_queue(capacity: int = 2, events: int = 4) -> Steps:
    """Step through a bounded queue with a lock and two conditions, on which threads sleep."""
    items: deque[str] = deque()
    states: list[State] = []

    def note(words: str, lock: str = "", asleep: str = "") -> None:
        cells = [*items, *["-"] * (capacity - len(items))]
        doing = {asleep: "sleeps", lock: "holds the lock"}
        threads = ("producer", "consumer")
        rows = [Row(f"thread {name}", [doing.get(name, "runs")]) for name in threads]
        rows += [Row("field items", cells), Row("field lock", [lock or "free"])]
        states.append(State(words, rows))

    note("The queue is empty, the lock is free.")
    note(
        "The consumer takes the lock, finds the queue empty, and waits for the condition 'not"
        " empty': it releases the lock and sleeps.",
        asleep="consumer",
    )
    for number in range(events):
        if len(items) == capacity:
            note(
                f"The producer takes the lock to put e{number}, finds the queue full, and waits for"
                " 'not full': it releases the lock and sleeps.",
                asleep="producer",
            )
            note(
                f"The consumer takes the lock, takes {items.popleft()}, and signals 'not full': the"
                " producer wakes, which costs both of them microseconds, and must get the lock"
                " first.",
                "consumer",
            )
        items.append(f"e{number}")
        waking = "" if number else " and signals 'not empty': the consumer wakes"
        note(f"The producer takes the lock, puts e{number}{waking}.", "producer")
    while items:
        note(f"The consumer takes the lock and takes {items.popleft()}.", "consumer")
    return Steps("A queue with a lock and two conditions", states)


SLOTS = 4
PRODUCERS = {"A": "a", "B": "b"}
"""Each producer and its task."""

STEPS = ("reads next", "reads consumed", "writes the slot", "adds 1 to next")
"""The steps of one offer."""


def parse_schedule(text: str) -> list[str]:
    """Parse 'A A B ...', the order of steps; raise BadInput unless each producer does all steps."""
    steps = str(text).split()
    for name in steps:
        if name not in PRODUCERS:
            raise BadInput(f"steps: unknown producer {name}; choose from A and B, with spaces.")
    for name in PRODUCERS:
        if steps.count(name) != len(STEPS):
            raise BadInput(
                f"steps: {name} does {steps.count(name)} steps; an offer has {len(STEPS)}:"
                f" {', '.join(STEPS)}."
            )
    return steps


def replay(steps: Sequence[str]) -> tuple[list[State], list[str]]:
    """Return the states of one offer per producer to an empty ring, and the tasks that are lost."""
    slots, published = ["-"] * SLOTS, 0

    def offer(name: str) -> Iterator[tuple[str, list[int]]]:
        """Do one step at a time, and yield it in words with the slot that it writes."""
        nonlocal published
        task, seen = PRODUCERS[name], published
        yield f"{name} reads next: {seen}", []
        yield f"{name} reads consumed: 0, so there is room", []
        place = seen % SLOTS
        over = "" if slots[place] == "-" else f", over {slots[place]}"
        slots[place] = task
        yield f"{name} writes its task {task} into slot {place}{over}", [place]
        published += 1
        yield f"{name} adds 1 to next, at once: {published}. Its offer says true", []

    states = [State("The ring is empty; both producers are about to offer.", list_rows(slots, 0))]
    offers = {name: offer(name) for name in PRODUCERS}
    for name in steps:
        words, marked = next(offers[name])
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
        side = 0 if cells[0] else 1
        if len(cells) != 2 or cells[0].startswith(("Thread 1", "---")) or not cells[side]:
            continue
        latest[side] = step = cells[side]
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
