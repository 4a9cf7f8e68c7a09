"""Cost guesses shared by studies, for a plan's time; the runner corrects them as it measures.

Measured on two virtual Zen 4 CPUs under JDK 17; an older machine takes a small multiple.
"""

from collections.abc import Mapping

NS_PER_HANDOFF = {"SEQUENTIAL": 0, "ARRAY_BLOCKING_QUEUE": 250, "LINKED_BLOCKING_QUEUE": 300}
NS_PER_HANDOFF_ELSE = 40
NS_PER_SORT, NS_PER_ARRAY = {"TODAY": 20, "DUAL_PIVOT": 85}, 25


def estimate_handoff(mechanism: str) -> float:
    """Return nanoseconds per hand-over; for an unknown mechanism, those of a queue or a ring."""
    queue = mechanism.endswith(("QUEUE", "DEQUE"))
    other = NS_PER_HANDOFF["ARRAY_BLOCKING_QUEUE"] if queue else NS_PER_HANDOFF_ELSE
    return NS_PER_HANDOFF.get(mechanism, other)


def estimate_work(params: Mapping[str, str]) -> float:
    """Return nanoseconds of work per event of the paper: making its array, and sorting it."""
    sorts = int(params.get("sorts", 1))
    return NS_PER_ARRAY + NS_PER_SORT[params.get("sort", "TODAY")] * sorts
