"""What a run's paper says first: what hand-overs cost here, and what that hangs on."""

from typing import Any

from handoff.studies.scaling import FREQUENCIES, LOOKS
from handoff.text import pluralize

QUEUE, POOL, STRIPED = (
    LOOKS[name].label
    for name in ("ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED")
)
ALONE = LOOKS["SEQUENTIAL"].short
ORDER = "order "


def list_findings(measured: list[dict], sensitivity: dict | None) -> list[str]:
    """Sentences. `measured`: the points whose threads have a core each, with their `ratio` to one
    thread alone; `sensitivity`: what another run of the machine says of our choices.
    """
    told = [describe_load(measured, sorts) for sorts in FREQUENCIES]
    return [sentence for sentence in [*told, describe_order(sensitivity)] if sentence]


def describe_load(measured: list[dict], sorts: int) -> str:
    """With the most consumers that all three were measured with; '' where there are none."""
    ratios = {
        (row["consumers"], row["mechanism"]): row["ratio"]
        for row in measured
        if row["sorts"] == sorts and row["consumers"] and row["ratio"] is not None
    }
    names = (QUEUE, POOL, STRIPED)
    counts = [n for n, _ in ratios if all((n, name) in ratios for name in names)]
    if not counts:
        return ""
    queue, pool, striped = (format_factor(ratios[max(counts), name]) for name in names)
    return (
        f"With {pluralize(max(counts), 'consumer')} and {pluralize(sorts, 'sort')} an event,"
        f" relative to one thread alone: blocking queue {queue}, Disruptor {pool} as worker pool"
        f" and {striped} with striped handlers."
    )


def describe_order(sensitivity: dict[str, Any] | None) -> str:
    """What the order of an event's numbers does to one thread's work, where that is beyond all else
    that the study leaves open; '' where it was not measured or is not.
    """
    if sensitivity is None:
        return ""
    rows = sensitivity["notable"]
    orders = [row for row in rows if row["choice"].startswith(ORDER) and row["mechanism"] == ALONE]
    others = [measure_size(row) for row in rows if not row["choice"].startswith(ORDER)]
    if not orders:
        return ""
    most = max(orders, key=measure_size)
    if measure_size(most) <= max(others, default=1.0):
        return ""
    word, size = most["choice"].removeprefix(ORDER).lower(), format_factor(measure_size(most))
    beyond = (
        f"no other choice that was tried does more than {format_factor(max(others))}"
        if others
        else "no other choice that was tried moves a time by more than a tenth for certain"
    )
    return (
        "The order of the 100 numbers that an event sorts, which the study does not state, changes"
        f" what an event costs one thread by a factor of {size} ({word} against"
        f" ascending; sorts an event: {sensitivity['sorts']}); {beyond}."
    )


def measure_size(row: dict) -> float:
    """How far from no change, either way."""
    ratio = float(row["ratio"])
    return max(ratio, 1 / ratio)


def format_factor(factor: float) -> str:
    """'36', '4.1', '0.95'."""
    return f"{factor:.0f}" if factor >= 10 else f"{factor:.1f}" if factor >= 1 else f"{factor:.2f}"
