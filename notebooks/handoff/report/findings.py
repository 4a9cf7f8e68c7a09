"""First sentences of a run's paper: what hand-overs cost here, and what that depends on."""

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
    """Return the sentences.

    `measured` are the points whose threads have a core each, with their `ratio` to one thread
    alone; `sensitivity` is what another run of the machine says about our choices.
    """
    loads = [describe_load(measured, sorts) for sorts in FREQUENCIES]
    return [sentence for sentence in [*loads, describe_order(sensitivity)] if sentence]


def describe_load(measured: list[dict], sorts: int) -> str:
    """Return the three ratios at a load, at their greatest common number of consumers, or ''."""
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
        f"With {pluralize(max(counts), 'consumer')} and {pluralize(sorts, 'sort')} per event,"
        f" relative to one thread alone: blocking queue {queue}, Disruptor {pool} as worker pool"
        f" and {striped} with striped handlers."
    )


def describe_order(sensitivity: dict[str, Any] | None) -> str:
    """Return a sentence on how the initial order of the sorted numbers affects one thread's time.

    Return '' unless that effect was measured and exceeds the effect of every other choice that the
    source leaves open.
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
        f"no other choice that was tried changes a time by more than {format_factor(max(others))}"
        if others
        else "no other choice that was tried is certain to change a time by more than a tenth"
    )
    return (
        "The order of the 100 numbers that an event sorts, which the study does not state, changes"
        f" what an event costs one thread by a factor of {size} ({word} against"
        f" ascending; sorts per event: {sensitivity['sorts']}); {beyond}."
    )


def measure_size(row: dict) -> float:
    """Return the change as a factor of at least 1, in either direction."""
    ratio = float(row["ratio"])
    return max(ratio, 1 / ratio)


def format_factor(factor: float) -> str:
    """Return a factor such as '36', '4.1' or '0.95'."""
    return f"{factor:.0f}" if factor >= 10 else f"{factor:.1f}" if factor >= 1 else f"{factor:.2f}"
