"""Table of contention of the Disruptor paper: cost of an increment, by one thread or two."""

from handoff.study import Cost, Look, Study

NS_INCREMENT = {"PLAIN": 0.6, "VOLATILE": 3.0, "CAS": 3.0, "LOCK": 6.0}
NS_CONTENDED = 15.0

LOOKS = {
    "PLAIN": Look("plain", "plain", "#000000", "o", "-"),
    "VOLATILE": Look("volatile", "volatile", "#56B4E9", "D", "-"),
    "CAS": Look("compare and set", "compare and set", "#0072B2", "s", "-"),
    "LOCK": Look("lock", "lock", "#D55E00", "X", "-"),
}


def estimate_ns_per_event(cost: Cost) -> float:
    alone = NS_INCREMENT.get(cost.params["mechanism"], NS_CONTENDED)
    return NS_CONTENDED if cost.params["threads"] == "2" else alone


STUDY = Study(
    name="counters",
    title="Counters",
    order=35,
    location=("threads",),
    ns_per_event=estimate_ns_per_event,
    looks=LOOKS,
)
