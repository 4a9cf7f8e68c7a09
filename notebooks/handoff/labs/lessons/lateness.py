"""Lab 7: how late is an event under load? Quantiles and coordinated omission."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from handoff.draw.steps import Row, Steps
from handoff.labs.forks import load_forks
from handoff.labs.lab import Function, Known, Lab, Values, ask
from handoff.run.store.run import Run

WAYS = {"queue": "ARRAY_BLOCKING_QUEUE", "disruptor": "DISRUPTOR_4"}
CLOCKS = {"after": "total", "due": "due"}
"""Clocks that start at an event's publication, and when it was due."""

MEASURES = {
    f"{way}_{clock}_{part}": (mechanism, f"{measure}_{part}")
    for way, mechanism in WAYS.items()
    for clock, measure in CLOCKS.items()
    for part in ("p50", "p99")
}
"""Mechanism and measure of each number, such as 'queue_due_p99'."""

GAP = 1000


def due(trace: Mapping[str, Any], gap: int) -> list[float]:
    """Return the time from when each event was due until it was seen.

    Event i is due at start + (i + 1) × gap, whether or not the producer was on time.
    """
    return [float(seen - (trace["start"] + (i + 1) * gap)) for i, seen in enumerate(trace["seen"])]


def quantile(values: Sequence[float], q: float) -> float:
    """Return the smallest value that at least the share q of all values do not exceed."""
    return float(sorted(values)[max(0, math.ceil(q * len(values)) - 1)])


def bucketed(values: Sequence[float], q: float, quantile: Callable[..., float] = quantile) -> float:
    """Return the upper bound of the quantile's bucket; buckets end at 2, 4, 8, and so on."""
    return float(2 ** max(1, math.ceil(math.log2(max(1.0, quantile(values, q))))))


def draw_trace(random: np.random.Generator) -> tuple[dict[str, Any], int]:
    """Draw times of a producer that keeps a schedule and a consumer that stalls once."""
    gap, number = int(random.choice([500, 1000, 2000])), int(random.integers(20, 80))
    start, stalled = int(random.integers(0, 10**6)), random.integers(3, number - 5)
    free, published, seen = start, [], []
    for i in range(number):
        published.append(max(start + (i + 1) * gap, free))
        pause = 20 * gap if i == stalled else 0
        free = published[-1] + int(random.integers(50, 200)) + pause
        seen.append(free)
    return {"start": start, "published": published, "seen": seen}, gap


def draw_quantile(random: np.random.Generator) -> tuple:
    values = np.round(np.exp(random.normal(6, 1.5, random.integers(10, 200))) + 2)
    return values, random.choice([0.5, 0.9, 0.99])


def list_medians(run: Run, mechanism: str, measure: str) -> list[float]:
    """Return each fork's median over counted shots."""
    return [
        float(np.median([s["measures"][measure] for s in fork["evidence"]["shots"][warmup:]]))
        for fork, warmup in load_forks(run, mechanism=mechanism, gap=GAP)
    ]


def compute_numbers(run: Run) -> dict[str, float]:
    """Return quantiles in ns at a gap of 1 µs, by the names of MEASURES."""
    return {
        name: float(np.mean(list_medians(run, mechanism, measure)))
        for name, (mechanism, measure) in MEASURES.items()
    }


def list_dots(run: Run) -> dict[str, list[float]]:
    return {
        f"{mechanism}, {clock} p99": list_medians(run, mechanism, f"{measure}_p99")
        for mechanism in WAYS.values()
        for clock, measure in CLOCKS.items()
    }


def expect_hidden(known: Known) -> dict[str, Any]:
    """Return the 99 % quantile counted from when events were due over that from publication.

    The ratios follow from the numbers, and the word from the ratios, if they are given.
    """
    numbers = compute_numbers(known.measured) | dict(known.given.get("numbers", {}))
    ratios: dict[str, Any] = {
        f"{way}_hidden": numbers[f"{way}_due_p99"] / numbers[f"{way}_after_p99"] for way in WAYS
    }
    stated = ratios | dict(known.given.get("hidden", {}))
    hidden = max(ratios, key=lambda way: stated[way])
    return ratios | {"hides_more": hidden.removesuffix("_hidden")}


def show_due(trace: Mapping[str, Any], gap: int) -> Steps:
    """Step through the events, with the times at which each was due, published and seen."""
    steps = Steps("Due, published, seen")
    for i, (published, seen) in enumerate(zip(trace["published"], trace["seen"], strict=True)):
        at = trace["start"] + (i + 1) * gap
        times = {
            "due": at - trace["start"],
            "published": published - trace["start"],
            "seen": seen - trace["start"],
            "late by its publication": seen - published,
        }
        rows = [Row(name, [str(time)]) for name, time in times.items()]
        rows.append(Row("late by its schedule", [str(seen - at)], [0]))
        waited = published - at
        held = f" It could only be published {waited} ns after it was due." if waited else ""
        steps.add(f"Event {i} was due at {at - trace['start']} ns.{held}", *rows)
    return steps


def word_question(name: str) -> str:
    way, clock, part = name.split("_")
    share = "half" if part == "p50" else "99 of 100"
    start = "due" if clock == "due" else "published"
    return (
        f"{share} of the events are seen within, by the {way}, counted from when each was {start};"
        " one every 1 µs"
    )


LAB = Lab(
    number=7,
    predictions=ask({name: word_question(name) for name in MEASURES}, "ns", 1, 1e9),
    parts=(
        Function("due", {"due": 2}, due, draw_trace),
        Function("quantile", {"quantile": 1.5}, quantile, draw_quantile, cases=40),
        Function("bucketed", {"bucketed": 1.5}, bucketed, draw_quantile, cases=40, via="quantile"),
        Values("numbers", dict.fromkeys(MEASURES, 0.25)),
        Values(
            "hidden", {"queue_hidden": 1, "disruptor_hidden": 1, "hides_more": 1}, expect_hidden
        ),
    ),
    forks_borrowed=3,
    borrowed_note="They are of three stages in a row: four threads that share two CPUs.",
    stand_ins=(
        ({"mechanism": WAYS["queue"]}, {"stages": "3", "wait": "BUSY_SPIN"}),
        ({"mechanism": WAYS["disruptor"]}, {"stages": "3"}),
    ),
    outcomes=compute_numbers,
)
