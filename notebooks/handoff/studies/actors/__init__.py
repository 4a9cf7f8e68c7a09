"""Actor scheduling: whether to run an actor's next message where its state still is."""

from handoff.study import CPU, TIME, Cost, Look, Response, Study
from handoff.text import pluralize

NS_MESSAGE, NS_WOKEN, NS_ACCESS = 150, 1500, 4

LOOKS = {
    "WORK_STEALING": Look("work stealing", "work stealing", "#D55E00", "s", "-"),
    "THREAD_POOL": Look("thread pool", "thread pool", "#000000", "H", "-"),
    "DEDICATED_SCHEDULED": Look(
        "dedicated threads (as published)", "dedicated (published)", "#56B4E9", "v", ":"
    ),
    "DEDICATED_CORRECTED": Look("dedicated threads (corrected)", "dedicated", "#0072B2", "o", "-"),
    "SOFT_AFFINITY": Look("soft affinity (ours)", "soft affinity", "#009E73", "D", "-"),
    "SOFT_AFFINITY_PER_MESSAGE": Look(
        "soft affinity, a slice of one message", "soft affinity per message", "#CC79A7", "P", "--"
    ),
}


def estimate_ns_per_event(cost: Cost) -> float:
    """Add up a message, its accesses, and the wake-up of a dedicated thread by another thread."""
    params = cost.params
    access = NS_ACCESS if params["generator"] == "AS_PUBLISHED" else NS_ACCESS / 3
    wakes = params["route"] == "OTHERS" and params["mechanism"].startswith("DEDICATED")
    state = 1 + int(params["bytes"]) / 4e6
    return (NS_WOKEN if wakes else NS_MESSAGE) + int(params["accesses"]) * access * state


STUDY = Study(
    responses=(TIME, CPU, Response("in_a_row", "share in a row", "messages in a row")),
    name="actors",
    title="Actors",
    order=60,
    location=("workers", "bytes"),
    ns_per_event=estimate_ns_per_event,
    looks=LOOKS,
    units={
        "perworker": "actors per worker",
        "accesses": "per message",
        "bytes": "of each actor's state",
    },
)


SCENE = ("route", "accesses", "perworker", "workers", "generator")
"""Parameters for what the actors do and their number: equal in a comparison of mechanisms."""

POINT = (*SCENE, "bytes")


def describe_scene(route: str, accesses: int, perworker: int, workers: int, generator: str) -> str:
    """Return a scene such as '2 workers, 3 actors each, 100 accesses', with deviations."""
    parts = [
        pluralize(workers, "worker"),
        f"{pluralize(perworker, 'actor')} each",
        f"{accesses} access{'es' if accesses > 1 else ''}",
    ]
    parts += ["cheap generator"] if generator == "CHEAP" else []
    return ", ".join(parts + (["to other actors"] if route == "OTHERS" else []))
