"""Latency table of the Disruptor: a pipeline of stages, with events below its capacity."""

from handoff.studies.costs import estimate_handoff
from handoff.study import CPU, Cost, Look, Response, Study

NS_RECORDED = 60

LOOKS = {
    "ARRAY_BLOCKING_QUEUE": Look("array blocking queue", "blocking queue", "#D55E00", "s", "-"),
    "DISRUPTOR_3": Look("disruptor 3.4.4", "disruptor 3", "#0072B2", "v", "-."),
    "DISRUPTOR_4": Look("disruptor 4.0.0", "disruptor 4", "#009E73", "P", "--"),
    "LINKED_BLOCKING_QUEUE": Look("linked blocking queue", "linked queue", "#E69F00", "D", ":"),
    "DISRUPTOR_1": Look("disruptor 1", "disruptor 1", "#CC79A7", "*", "-"),
}


def estimate_ns_per_event(cost: Cost) -> float:
    """Return the gap between events, or one hand-over per stage if that takes longer."""
    hop = estimate_handoff(cost.params["mechanism"])
    return max(int(cost.params["gap"]) + NS_RECORDED, hop * int(cost.params["stages"]))


STUDY = Study(
    responses=(
        Response("hop_p50", "median latency of a hop", "hop, median, ns"),
        Response("hop_p99", "99 % latency of a hop", "hop, 99 %, ns"),
        Response("due_p99", "99 % latency from the due time", "from the due time, 99 %, ns"),
        CPU,
    ),
    name="latency",
    title="Latency",
    order=30,
    location=("stages",),
    ns_per_event=estimate_ns_per_event,
    looks=LOOKS,
    units={"gap": "ns between events"},
)
