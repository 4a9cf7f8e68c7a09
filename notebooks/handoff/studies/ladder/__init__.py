"""Study of single decisions: from a blocking queue to the Disruptor, one after the other."""

from handoff.studies.costs import estimate_handoff, estimate_work
from handoff.study import MARKERS, Cost, Load, Look, Study

STEPS = {
    "ARRAY_BLOCKING_QUEUE": "the JDK's blocking queue",
    "ONE_LOCK": "our own: one lock, two conditions",
    "ONE_LOCK_IDLE": "wait without sleeping",
    "TWO_LOCKS": "a lock for each end",
    "NO_LOCK": "no lock: one writer per cursor",
    "PADDED_CURSORS": "a cache line for each cursor",
    "RELEASE_ACQUIRE": "release and acquire, not volatile",
    "CACHED_CURSORS": "remember the other side's cursor",
    "REUSED_EVENTS": "reuse the events",
    "BATCHED": "publish once per batch",
}
"""The steps in their order, each with the decision in which it differs from the one before."""

NOUNS = {
    "ONE_LOCK": "a lock and conditions of our own",
    "ONE_LOCK_IDLE": "waiting without sleeping",
    "TWO_LOCKS": "a lock for each end",
    "NO_LOCK": "doing without locks",
    "PADDED_CURSORS": "a cache line for each cursor",
    "RELEASE_ACQUIRE": "release-acquire access",
    "CACHED_CURSORS": "remembering the other side's cursor",
    "REUSED_EVENTS": "reusing the events",
    "BATCHED": "publishing once per batch",
}
"""The decision of each step but the first, for sentences."""

REFERENCES = ("JCTOOLS_SPSC", "DISRUPTOR")
"""Libraries that stand for steps: for remembered cursors, and for the last step."""

TAKEN_AWAY = {
    "BATCHED_UNPADDED": "PADDED_CURSORS",
    "BATCHED_VOLATILE": "RELEASE_ACQUIRE",
    "BATCHED_UNCACHED": "CACHED_CURSORS",
    "BATCHED_ALLOCATING": "REUSED_EVENTS",
    "REUSED_EVENTS": "BATCHED",
}
"""The last step without one decision, and the step that took this decision first."""

LAST = "BATCHED"
SHADES = (
    *("#D55E00", "#E07B2E", "#EB985C", "#F5B58A"),
    *("#9ECAE1", "#6BAED6", "#4292C6", "#2171B5", "#08519C", "#0072B2"),
)
"""Colours of the steps: orange with a lock, as of the queue elsewhere, blue without one."""

LOCKED = ("ARRAY_BLOCKING_QUEUE", "ONE_LOCK", "ONE_LOCK_IDLE", "TWO_LOCKS")
"""The steps that have a lock."""

LOOKS = {
    "SEQUENTIAL": Look("one thread alone", "one thread", "#000000", "_", "-"),
    **{
        name: Look(label, label, colour, marker, "-")
        for (name, label), colour, marker in zip(STEPS.items(), SHADES, MARKERS[:10], strict=True)
    },
    "BATCHED_UNPADDED": Look("all but padding", "unpadded", "#CC79A7", "p", ":"),
    "BATCHED_VOLATILE": Look("all but release and acquire", "volatile", "#882255", "d", ":"),
    "BATCHED_UNCACHED": Look("all but remembering the head", "unremembered", "#332288", "H", ":"),
    "BATCHED_ALLOCATING": Look("all but reuse", "allocating", "#56B4E9", "*", ":"),
    "JCTOOLS_SPSC": Look("JCTools' SPSC ring", "JCTools SPSC", "#009E73", "8", "--"),
    "DISRUPTOR": Look("Disruptor", "Disruptor", "#CC79A7", "1", "--"),
}


def find_look(mechanism: str) -> Look:
    """Return how a row is marked: steps alike, apart from their lock, because rows name them."""
    if mechanism in STEPS:
        return LOOKS[LOCKED[0] if mechanism in LOCKED else LAST]._replace(marker="o")
    return LOOKS[mechanism]._replace(marker="D")


def estimate_ns_per_event(cost: Cost) -> float:
    """Add work and hand-over: with a lock as of the queue, without one as of a ring."""
    mechanism = cost.params["mechanism"]
    kind = "ARRAY_BLOCKING_QUEUE" if mechanism in LOCKED else mechanism
    return estimate_work(cost.params) + estimate_handoff(kind)


STUDY = Study(
    name="ladder",
    title="The ladder",
    order=15,
    location=("sorts",),
    axis="sorts",
    ns_per_event=estimate_ns_per_event,
    sequential="SEQUENTIAL",
    same_work=("sorts", "sort", "order", "events", "collector"),
    load=Load("sorts", "an event", {"mechanism": "SEQUENTIAL"}),
    looks=LOOKS,
)
