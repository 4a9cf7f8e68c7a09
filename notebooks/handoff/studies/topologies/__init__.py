"""Throughput tables of the Disruptor: five wirings of queues and rings."""

from handoff.studies.costs import estimate_handoff
from handoff.study import Cost, Look, Study

LOOKS = {
    "ARRAY_BLOCKING_QUEUE": Look("array blocking queue", "blocking queue", "#D55E00", "s", "-"),
    "DISRUPTOR_3": Look("disruptor 3.4.4", "disruptor 3", "#0072B2", "v", "-"),
    "DISRUPTOR_4": Look("disruptor 4.0.0", "disruptor 4", "#009E73", "P", "--"),
    "LINKED_BLOCKING_QUEUE": Look("linked blocking queue", "linked queue", "#E69F00", "D", ":"),
    "DISRUPTOR_1": Look("disruptor 1", "disruptor 1", "#CC79A7", "*", "-"),
}


def estimate_ns_per_event(cost: Cost) -> float:
    """Count one hand-over per thread after the first; those of a ring overlap."""
    mechanism = cost.params["mechanism"]
    overlap = 1 if "QUEUE" in mechanism else 2
    return estimate_handoff(mechanism) * max(1, cost.threads - 1) / overlap


STUDY = Study(
    name="topologies",
    title="Topologies",
    order=20,
    location=("topology",),
    ns_per_event=estimate_ns_per_event,
    looks=LOOKS,
)
