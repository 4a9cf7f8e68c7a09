"""Guesses that several studies share, for a plan's time. The runner corrects them as it goes."""

NS_PER_HANDOFF = {"SEQUENTIAL": 0, "ARRAY_BLOCKING_QUEUE": 250, "LINKED_BLOCKING_QUEUE": 300}
NS_PER_HANDOFF_ELSE = 40
"""Measured on two virtual Zen 4 CPUs under JDK 17; an older machine takes a small multiple."""


def estimate_handoff(mechanism: str) -> float:
    """Nanoseconds to hand an event over: what is not measured is a queue's if its name says so,
    else a ring's.
    """
    other = NS_PER_HANDOFF["ARRAY_BLOCKING_QUEUE"] if "QUEUE" in mechanism else NS_PER_HANDOFF_ELSE
    return NS_PER_HANDOFF.get(mechanism, other)
