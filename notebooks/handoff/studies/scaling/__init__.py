"""Study of the paper: one producer, 1 to 11 consumers, three loads, queue against Disruptor."""

from handoff.studies.costs import estimate_handoff, estimate_work
from handoff.study import Cost, Look, Study

FREQUENCIES = {1: "High", 15: "Medium", 300: "Low"}
"""The paper's word for each number of sorts per event."""

LOOKS = {
    "SEQUENTIAL": Look("sequential", "sequential", "#000000", "_", "-"),
    "ARRAY_BLOCKING_QUEUE": Look(
        "standard (array blocking queue)", "blocking queue", "#D55E00", "s", "-"
    ),
    "LINKED_BLOCKING_QUEUE": Look("linked blocking queue", "linked queue", "#E69F00", "D", ":"),
    "DISRUPTOR_WORKER_POOL": Look(
        "disruptor (worker pool)", "disruptor (pool)", "#0072B2", "o", "-"
    ),
    "DISRUPTOR_STRIPED": Look(
        "disruptor (striped handlers)", "disruptor (striped)", "#56B4E9", "^", "--"
    ),
    "YOURS": Look("a custom class", "yours", "#CC79A7", "P", "-."),
}


def estimate_ns_per_event(cost: Cost) -> float:
    """Add the work, which the cores share, and the hand-over, which is serial."""
    workers = max(1, min(cost.cores, cost.threads - 1))
    return estimate_work(cost.params) / workers + estimate_handoff(cost.params["mechanism"])


STUDY = Study(
    name="scaling",
    title="Scaling",
    order=10,
    primary=True,
    notebooks=("warmup", "scaling"),
    location=("consumers", "sorts"),
    axis="consumers",
    ns_per_event=estimate_ns_per_event,
    sequential="SEQUENTIAL",
    same_work=("sorts", "sort", "order", "events", "collector", "placement"),
    looks=LOOKS,
    units={"sorts": "of 100 numbers, per event"},
)
