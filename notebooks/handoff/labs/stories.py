"""The step-throughs of the labs: made by small models of the real algorithms, not typed."""

from collections import deque
from collections.abc import Sequence

from handoff.draw.steps import Row, State, Steps

CAPACITY, EVENTS = 4, 6


def show_ring(capacity: int = CAPACITY, events: int = EVENTS) -> Steps:
    """A ring with one producer and one slower consumer: the producer may claim a place only when
    the consumer is no further back than the ring is long.
    """
    places, produced, consumed, states = ["-"] * capacity, -1, -1, []

    def note(words: str, marked: Sequence[int] = ()) -> None:
        rows = [
            Row("ring", list(places), marked),
            Row("published up to", [str(produced)]),
            Row("consumed up to", [str(consumed)]),
        ]
        states.append(State(words, rows))

    note("Nothing is published yet: both counters stand at -1.")
    while consumed < events - 1:
        claimed = produced + 1
        full = claimed - capacity > consumed
        if claimed < events and not full:
            places[claimed % capacity] = f"e{claimed}"
            produced = claimed
            note(
                f"The producer claims {claimed}: place {claimed} mod {capacity} is"
                f" {claimed % capacity}. It writes the event there, and only then publishes it.",
                [claimed % capacity],
            )
            continue
        if full and claimed < events:
            note(
                f"The producer wants {claimed}, but place {claimed % capacity} still holds"
                f" e{claimed - capacity}, which the consumer has not passed: the ring is full, and"
                " the producer waits. This is the gating.",
                [claimed % capacity],
            )
        consumed += 1
        note(
            f"The consumer sees that {produced} is published, handles e{consumed} and says that it"
            f" has consumed up to {consumed}. No lock: each counter has one writer.",
            [consumed % capacity],
        )
    return Steps("A ring and its gating", states)


def show_queue(capacity: int = 2, events: int = 4) -> Steps:
    """A bounded queue with a lock and two conditions: who finds it full or empty sleeps."""
    held: deque[str] = deque()
    states: list[State] = []
    sleeping = ""

    def note(words: str, lock: str) -> None:
        cells = [*held, *["-"] * (capacity - len(held))]
        rows = [
            Row("queue", cells),
            Row("lock", [lock or "free"]),
            Row("asleep", [sleeping or "-"]),
        ]
        states.append(State(words, rows))

    note("The queue is empty, the lock is free.", "")
    sleeping = "consumer"
    note(
        "The consumer takes the lock, finds the queue empty, and waits for the condition 'not"
        " empty': it gives the lock back and sleeps.",
        "",
    )
    for number in range(events):
        if len(held) == capacity:
            sleeping = "producer"
            note(
                f"The producer takes the lock to put e{number}, finds the queue full, and waits for"
                " 'not full': it gives the lock back and sleeps.",
                "",
            )
            taken = held.popleft()
            sleeping = ""
            note(
                f"The consumer takes the lock, takes {taken}, and signals 'not full': the producer"
                " wakes, which costs both of them microseconds, and must get the lock first.",
                "consumer",
            )
        held.append(f"e{number}")
        woken, sleeping = sleeping, ""
        waking = " and signals 'not empty': the consumer wakes" if woken else ""
        note(f"The producer takes the lock, puts e{number}{waking}.", "producer")
    while held:
        taken = held.popleft()
        note(f"The consumer takes the lock and takes {taken}.", "consumer")
    return Steps("A queue with a lock and two conditions", states)
