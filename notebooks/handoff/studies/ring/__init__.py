"""Actor ring: tokens pass around a hundred nodes, run by a thread per node or by a pool."""

from handoff.study import Cost, Load, Look, Study

NS_HOP = {"THREAD_PER_NODE": 20_000, "SCALA_ACTORS": 800}
NS_HOP_ELSE, NS_DART = 140, 15

LOOKS = {
    "THREAD_PER_NODE": Look("a thread for each node", "thread per node", "#D55E00", "s", "-"),
    "SHARED_POOL": Look("shared pool", "shared pool", "#0072B2", "o", "-"),
    "PEKKO": Look("actors (Pekko)", "actors", "#CC79A7", "*", "-"),
    "SCALA_ACTORS": Look("Scala's original actors", "Scala actors", "#009E73", "D", "-"),
    "VIRTUAL_THREAD_PER_NODE": Look(
        "a virtual thread for each node", "virtual per node", "#332288", "p", "--"
    ),
    "PI_TASKS": Look("two tasks for pi", "pi tasks", "#000000", "^", "-"),
}


def estimate_ns_per_event(cost: Cost) -> float:
    """Return the guess for a hop.

    Two threads are hardly faster than one, and a thread per node must be woken at each hop.
    """
    params = cost.params
    if params["mechanism"] == "PI_TASKS":
        contended = params["generator"] == "SHARED" and int(params["threads"]) > 1
        return NS_DART * (4 if contended else 1)
    return NS_HOP.get(params["mechanism"], NS_HOP_ELSE) + int(params["work"]) * NS_DART


STUDY = Study(
    name="ring",
    title="Ring",
    order=50,
    location=("threads",),
    ns_per_event=estimate_ns_per_event,
    load=Load("work", "a hop", {"mechanism": "SHARED_POOL", "threads": 1, "tokens": 4}),
    looks=LOOKS,
    units={"size": "nodes", "work": "random points, per hop"},
)
