"""The one map from code names to the names, colours and marks of figures and tables."""

from typing import NamedTuple


class Look(NamedTuple):
    """How one series is drawn; colours of Okabe and Ito, told apart also in grey and by their marks."""

    label: str
    short: str
    colour: str
    marker: str
    line: str


MECHANISMS = {
    "SEQUENTIAL": Look("sequential", "sequential", "#000000", "_", "-"),
    "ARRAY_BLOCKING_QUEUE": Look("standard (array blocking queue)", "blocking queue", "#D55E00", "s", "-"),
    "LINKED_BLOCKING_QUEUE": Look("linked blocking queue", "linked queue", "#E69F00", "D", ":"),
    "DISRUPTOR_WORKER_POOL": Look("disruptor (worker pool)", "disruptor (pool)", "#0072B2", "o", "-"),
    "DISRUPTOR_STRIPED": Look("disruptor (striped handlers)", "disruptor (striped)", "#56B4E9", "^", "--"),
    "DISRUPTOR_1": Look("disruptor 1", "disruptor 1", "#CC79A7", "*", "-"),
    "DISRUPTOR_3": Look("disruptor 3.4.4", "disruptor 3", "#0072B2", "v", "-"),
    "DISRUPTOR_4": Look("disruptor 4.0.0", "disruptor 4", "#009E73", "P", "--"),
    "PLAIN": Look("plain", "plain", "#000000", "o", "-"),
    "VOLATILE": Look("volatile", "volatile", "#56B4E9", "D", "-"),
    "CAS": Look("compare and set", "compare and set", "#0072B2", "s", "-"),
    "LOCK": Look("lock", "lock", "#D55E00", "X", "-"),
    "FIXED_THREAD_POOL": Look("fixed thread pool", "fixed pool", "#000000", "H", "-"),
    "DISRUPTOR_PARTITIONED": Look("disruptor (partitioned)", "disruptor (partitioned)", "#56B4E9", "^", "--"),
    "PEKKO": Look("actors (Pekko)", "actors", "#CC79A7", "*", "-"),
    "LINKED_TRANSFER_QUEUE": Look("linked transfer queue", "transfer queue", "#009E73", "D", "-"),
    "STRIPED_LINKED_TRANSFER_QUEUE": Look("striped transfer queues", "striped queues", "#009E73", "d", ":"),
    "SYNCHRONOUS_QUEUE": Look("synchronous queue", "synchronous queue", "#999999", "X", "-"),
    "RING_BUFFER": Look("ring, first stage", "first ring", "#E69F00", "v", ":"),
    "RING_BUFFER_SPMC": Look("ring, single producer", "single-producer ring", "#E69F00", "<", "--"),
    "RING_BUFFER_CACHED": Look("ring, cached reads", "cached ring", "#E69F00", ">", "-"),
    "FORK_JOIN_POOL": Look("fork/join pool", "fork/join pool", "#882255", "P", "-"),
    "JCTOOLS_SPMC": Look("JCTools SPMC ring", "JCTools ring", "#882255", "h", "--"),
    "VIRTUAL_THREADS": Look("virtual threads", "virtual threads", "#332288", "p", "-"),
    "THREAD_PER_NODE": Look("a thread for each node", "thread per node", "#D55E00", "s", "-"),
    "SHARED_POOL": Look("shared pool", "shared pool", "#0072B2", "o", "-"),
    "SCALA_ACTORS": Look("Scala's original actors", "Scala actors", "#009E73", "D", "-"),
    "VIRTUAL_THREAD_PER_NODE": Look("a virtual thread for each node", "virtual per node", "#332288", "p", "--"),
    "PI_TASKS": Look("two tasks for pi", "pi tasks", "#000000", "^", "-"),
    "WORK_STEALING": Look("work stealing", "work stealing", "#D55E00", "s", "-"),
    "THREAD_POOL": Look("thread pool", "thread pool", "#000000", "H", "-"),
    "DEDICATED_SCHEDULED": Look("dedicated threads (as published)", "dedicated (published)", "#56B4E9", "v", ":"),
    "DEDICATED_CORRECTED": Look("dedicated threads (corrected)", "dedicated", "#0072B2", "o", "-"),
    "SOFT_AFFINITY": Look("soft affinity (ours)", "soft affinity", "#009E73", "D", "-"),
}

FREQUENCIES = {1: "High", 15: "Medium", 300: "Low"}

CONSUMERS = "consumers"
SECONDS_40M = "seconds per 40 million events"
CPU_USAGE = "CPU usage (cores)"


def look(mechanism: str) -> Look:
    """The look of a mechanism; one that nobody has named yet is drawn grey under its code name."""
    plain = mechanism.lower().replace("_", " ")
    return MECHANISMS.get(mechanism, Look(plain, plain, "#777777", "x", "-."))


def counted(number: int, thing: str) -> str:
    """'1 fork', '2 forks'; numbers of numpy too."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
