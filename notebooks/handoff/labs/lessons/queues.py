"""Step-throughs of a ring and of a queue with a lock, each made by a small model."""

from collections import deque
from collections.abc import Sequence

from handoff.draw.steps import Row, State, Steps


def show_ring(capacity: int = 4, events: int = 6) -> Steps:
    """Step through a ring whose producer waits for a slower consumer when the ring is full."""
    places, published, consumed = ["-"] * capacity, -1, -1
    states: list[State] = []

    def note(words: str, producer: str, consumer: str, marked: Sequence[int] = ()) -> None:
        rows = [Row("thread producer", [producer]), Row("thread consumer", [consumer])]
        rows += [Row("field places", list(places), marked)]
        rows += [Row("field published (the producer writes)", [str(published)])]
        rows += [Row("field consumed (the consumer writes)", [str(consumed)])]
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
