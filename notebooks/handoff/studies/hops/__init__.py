"""Cost of handing a cache line from core to core, and of primitives.

The study has no source; the costs of all other studies are made of these.
"""

from handoff.study import Cost, Look, Response, Study

NS_HOP = 150.0
NS_PRIMITIVES = 250.0

LOOKS = {
    "CACHE_LINE": Look("a hop of a cache line", "hop", "#0072B2", "o", "-"),
    "PRIMITIVES": Look("primitives", "primitives", "#D55E00", "s", "-"),
}


def estimate_ns_per_event(cost: Cost) -> float:
    return NS_HOP if cost.params["mechanism"] == "CACHE_LINE" else NS_PRIMITIVES


STUDY = Study(
    responses=(
        Response("hop_p50", "hop of a cache line", "hop, ns"),
        Response("park_unpark_ns", "wake-up there and back", "park and unpark, ns"),
    ),
    name="hops",
    title="Hops",
    order=65,
    location=("threads",),
    ns_per_event=estimate_ns_per_event,
    looks=LOOKS,
)
