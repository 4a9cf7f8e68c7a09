"""Executors for pi: fourteen ways to run a million small tasks."""

from handoff.study import Cost, Look, Study

NS_TASK = {"SYNCHRONOUS_QUEUE": 24_000, "PEKKO": 300, "ARRAY_BLOCKING_QUEUE": 400}
NS_TASK_ELSE = 220
NS_REST, SMALL = 75_000, 1024
"""Real length of a sleep of 1 ns, which a small ring takes whenever it is full or empty."""

LOOKS = {
    "FIXED_THREAD_POOL": Look("fixed thread pool", "fixed pool", "#000000", "H", "-"),
    "DISRUPTOR_WORKER_POOL": Look(
        "disruptor (worker pool)", "disruptor (pool)", "#0072B2", "o", "-"
    ),
    "DISRUPTOR_PARTITIONED": Look(
        "disruptor (partitioned)", "disruptor (partitioned)", "#56B4E9", "^", "--"
    ),
    "PEKKO": Look("actors (Pekko)", "actors", "#CC79A7", "*", "-"),
    "LINKED_TRANSFER_QUEUE": Look("linked transfer queue", "transfer queue", "#009E73", "D", "-"),
    "SYNCHRONOUS_QUEUE": Look("synchronous queue", "synchronous queue", "#999999", "X", "-"),
    "ARRAY_BLOCKING_QUEUE": Look("array blocking queue", "blocking queue", "#D55E00", "s", "-"),
    "STRIPED_LINKED_TRANSFER_QUEUE": Look(
        "striped transfer queues", "striped queues", "#009E73", "d", ":"
    ),
    "RING_BUFFER": Look("ring, first stage", "first ring", "#E69F00", "v", ":"),
    "RING_BUFFER_SPMC": Look("ring, single producer", "single-producer ring", "#E69F00", "<", "--"),
    "RING_BUFFER_CACHED": Look("ring, cached reads", "cached ring", "#E69F00", ">", "-"),
    "FORK_JOIN_POOL": Look("fork/join pool", "fork/join pool", "#882255", "P", "-"),
    "JCTOOLS_SPMC": Look("JCTools SPMC ring", "JCTools ring", "#AA4499", "h", "--"),
    "VIRTUAL_THREADS": Look("virtual threads", "virtual threads", "#332288", "p", "-"),
}


def estimate_ns_per_event(cost: Cost) -> float:
    """Ignore the number of threads, which does not help where cores are few."""
    params = cost.params
    task = NS_TASK.get(params["mechanism"], NS_TASK_ELSE) * max(1, int(params["terms"]) / 100)
    ring = "RING" in params["mechanism"] or "JCTOOLS" in params["mechanism"]
    rests = ring and int(params["capacity"]) < SMALL and params["idle"] == "PARK"
    return task + (NS_REST / int(params["capacity"]) if rests else 0)


STUDY = Study(
    name="executors",
    title="Executors",
    order=40,
    location=("threads",),
    ns_per_event=estimate_ns_per_event,
    looks=LOOKS,
    units={"terms": "of the sum, per task"},
)
