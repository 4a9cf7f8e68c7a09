"""Step-throughs of algorithms: a ring, a queue, two producers of one ring, a checker's trace.

Each is made by a small model of the algorithm, not typed. The two producers' code is that of the
executors post; see RingBuffer.java.
"""

from collections import Counter, deque
from collections.abc import Sequence

from handoff.draw.steps import Row, Steps
from handoff.errors import BadInput
from handoff.files import read_json
from handoff.paths import CHECKS


def show_ring(capacity: int = 4, events: int = 6) -> Steps:
    """Step through a ring whose producer waits for a slower consumer when the ring is full."""
    places, published, consumed = ["-"] * capacity, -1, -1
    steps = Steps("A ring and its gating")

    def note(words: str, producer: str, consumer: str, marked: Sequence[int] = ()) -> None:
        steps.add(
            words,
            Row("thread producer", [producer]),
            Row("thread consumer", [consumer]),
            Row("field places", list(places), marked),
            Row("field published (the producer writes)", [str(published)]),
            Row("field consumed (the consumer writes)", [str(consumed)]),
        )

    note("Nothing is published yet: both counters are -1.", "-", "looks")
    while consumed < events - 1:
        wanted, place = published + 1, (published + 1) % capacity
        if wanted < events and published - consumed < capacity:
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
    return steps


def show_queue(capacity: int = 2, events: int = 4) -> Steps:
    """Step through a bounded queue with a lock and two conditions, on which threads sleep."""
    items: deque[str] = deque()
    steps = Steps("A queue with a lock and two conditions")

    def note(words: str, lock: str = "", asleep: str = "") -> None:
        cells = [*items, *["-"] * (capacity - len(items))]
        doing = {asleep: "sleeps", lock: "holds the lock"}
        threads = ("producer", "consumer")
        rows = [Row(f"thread {name}", [doing.get(name, "runs")]) for name in threads]
        rows += [Row("field items", cells), Row("field lock", [lock or "free"])]
        steps.add(words, *rows)

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
    return steps


SLOTS = 4
PRODUCERS = {"A": "a", "B": "b"}
"""Each producer and its task."""

STEPS = ("reads next", "reads consumed", "writes the slot", "adds 1 to next")
"""The steps of one offer."""


def replay(schedule: str) -> tuple[Steps, list[str]]:
    """Return the steps of one offer per producer to an empty ring, and the tasks that are lost.

    Raise BadInput unless the schedule is 'A A B ...', with all steps of both producers.
    """
    order = str(schedule).split()
    if Counter(order) != dict.fromkeys(PRODUCERS, len(STEPS)):
        raise BadInput(f"steps: write A and B four times each: {', '.join(STEPS)}.")
    steps = Steps(f"Two producers: {' '.join(order)}")
    slots, published, seen = ["-"] * SLOTS, 0, dict[str, int]()

    def note(words: str, *marked: int) -> None:
        steps.add(words, Row("slots", list(slots), marked), Row("next", [str(published)]))

    note("The ring is empty; both producers are about to offer.")
    left = {name: iter(STEPS) for name in PRODUCERS}
    for name in order:
        match next(left[name]):
            case "reads next" as step:
                seen[name] = published
                note(f"{name} {step}: {published}.")
            case "reads consumed" as step:
                note(f"{name} {step}: 0, so there is room.")
            case "writes the slot":
                place, task = seen[name], PRODUCERS[name]
                over = "" if slots[place] == "-" else f", over {slots[place]}"
                slots[place] = task
                note(f"{name} writes its task {task} into slot {place}{over}.", place)
            case step:
                published += 1
                note(f"{name} {step}, at once: {published}. Its offer says true.")
    taken = slots[:published]
    lost = sorted(set(PRODUCERS.values()) - set(taken))
    end = f"task {' and '.join(lost)} is lost." if lost else "both tasks arrive."
    note(f"Workers take {', '.join(taken)}: {end}")
    return steps, lost


def show_schedule(schedule: str) -> Steps:
    """Step through a schedule of two producers."""
    return replay(schedule)[0]


def describe_schedule(schedule: str) -> str:
    """Return why a schedule does not lose A's task, or '' if it does."""
    try:
        _, lost = replay(schedule)
    except BadInput as wrong:
        return str(wrong)
    if not lost:
        return "no task is lost: workers take both"
    return "" if PRODUCERS["A"] in lost else "it is B's task that is lost, not A's"


MARK = "The following interleaving leads to the error:"
SWITCH = "switch"


def show_shipped_trace() -> Steps:
    """Step through the checker's trace of the post's first ring with two producers."""
    return show_trace(read_json(CHECKS / "executors.json")["RING_BUFFER, two producers"])


def show_trace(text: str) -> Steps:
    """Step through both threads' steps in a trace of the model checker."""
    _, _, table = text.partition(MARK)
    steps, latest = Steps("What the checker found"), ["-", "-"]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        side = 0 if cells[0] else 1
        if len(cells) != 2 or cells[0].startswith(("Thread 1", "---")) or not cells[side]:
            continue
        latest[side] = step = cells[side]
        stopped = " is stopped here, and the other one continues."
        words = f"Thread {side + 1}{stopped if step.startswith(SWITCH) else f': {step}'}"
        steps.add(words, *(Row(f"thread {i + 1}", [latest[i]], [0] * (i == side)) for i in (0, 1)))
    if not steps.states:
        raise BadInput("This is not a trace of the model checker.")
    return steps


def shorten_trace(trace: str) -> str:
    """Return a trace's first line, such as 'Invalid execution results'."""
    return trace.split("\n", 1)[0].strip(" =")
