"""Cost of handing a cache line from core to core, and of primitives.

The study has no source; the costs of all other studies are made of these.
"""

from collections.abc import Mapping

from handoff.study import Cost, Look, Response, Study

NS_HOP = 150.0
NS_PRIMITIVES = 250.0
NS_WAKE = 100_000.0
"""Time to wake the two threads of a pair."""

MOST_PAIRS = 1000
"""Most pairs that a shot measures, as in `CacheLine` of the jar."""

LOOKS = {
    "CACHE_LINE": Look("a hop of a cache line", "hop", "#0072B2", "o", "-"),
    "PRIMITIVES": Look("primitives", "primitives", "#D55E00", "s", "-"),
}


def count_pairs(threads: int) -> int:
    return threads * (threads - 1) // 2


def count_hops(params: Mapping[str, str]) -> int:
    """Return the hops of all measured pairs, or the runs of a fast primitive."""
    pairs = count_pairs(int(params["threads"])) if params["mechanism"] == "CACHE_LINE" else 1
    return int(params["events"]) * min(pairs, MOST_PAIRS)


def estimate_ns_per_event(cost: Cost) -> float:
    if cost.params["mechanism"] == "CACHE_LINE":
        return NS_HOP + NS_WAKE / int(cost.params["events"])
    return NS_PRIMITIVES


STUDY = Study(
    responses=(
        Response("hop_p50", "hop of a cache line", "hop, ns"),
        Response("park_unpark_ns", "wake-up there and back", "park and unpark, ns"),
    ),
    name="hops",
    title="Hops",
    order=65,
    location=("threads",),
    count_events=count_hops,
    ns_per_event=estimate_ns_per_event,
    looks=LOOKS,
)
