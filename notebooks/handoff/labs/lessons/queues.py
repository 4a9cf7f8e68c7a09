"""Step-throughs of a ring and of a queue with a lock, each made by a small model."""

from collections import deque

from handoff.draw.steps import Row, State, Steps


class Ring:
    """A ring with one producer and one consumer, and the states that it has passed."""

    def __init__(self, capacity: int) -> None:
        self.places, self.produced, self.consumed = ["-"] * capacity, -1, -1
        self.states: list[State] = []
        self.note("Nothing is published yet: both counters are -1.", "-", "looks")

    def note(self, words: str, producer: str, consumer: str, sequence: int | None = None) -> None:
        """Add a state: both threads, the fields, and the place of a sequence marked."""
        marked = [] if sequence is None else [sequence % len(self.places)]
        rows = [
            Row("thread producer", [producer]),
            Row("thread consumer", [consumer]),
            Row("field places", list(self.places), marked),
            Row("field published (the producer writes)", [str(self.produced)]),
            Row("field consumed (the consumer writes)", [str(self.consumed)]),
        ]
        self.states.append(State(words, rows))

    def publish(self) -> None:
        self.produced += 1
        sequence, place = self.produced, self.produced % len(self.places)
        self.places[place] = f"e{sequence}"
        self.note(
            f"The producer claims {sequence}: place {sequence} mod {len(self.places)} is"
            f" {place}. It writes the event there, and only then publishes it.",
            f"writes e{sequence}, publishes",
            "looks",
            sequence,
        )

    def wait(self) -> None:
        wanted, capacity = self.produced + 1, len(self.places)
        self.note(
            f"The producer wants {wanted}, but place {wanted % capacity} still holds"
            f" e{wanted - capacity}, which the consumer has not passed: the ring is full, and"
            " the producer waits. This is the gating.",
            "waits: looks at consumed",
            "works",
            wanted,
        )

    def consume(self) -> None:
        self.consumed += 1
        self.note(
            f"The consumer sees that {self.produced} is published, handles e{self.consumed} and"
            f" sets consumed to {self.consumed}. No lock: each counter has one writer.",
            "-",
            f"works on e{self.consumed}",
            self.consumed,
        )


def show_ring(capacity: int = 4, events: int = 6) -> Steps:
    """Step through a ring whose producer waits for a slower consumer when the ring is full."""
    ring = Ring(capacity)
    while ring.consumed < events - 1:
        full = ring.produced + 1 - capacity > ring.consumed
        if ring.produced < events - 1 and not full:
            ring.publish()
            continue
        if ring.produced < events - 1:
            ring.wait()
        ring.consume()
    return Steps("A ring and its gating", ring.states)


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
