"""Estimate from hops: a Disruptor's time per event, from the cost of its parts on this machine.

    worker pool: (work + call + claim) / n, but at least one claim
    striped:     work / n + call, but at least one hop if the handlers outrun the producer

The shared term: `work` is one thread's time per event without making the event, and `call` that of
the ring's methods. A worker also claims its event, for which the line of the claims makes two hops:
to be read, and to be written. Handlers claim nothing, but each of them passes every event. The
floor: claims take turns. One worker keeps the line, so its estimate has no claim and no hop.

No model that we know predicts the queue: how often its lock changes hands depends on microseconds.
"""

import pandas as pd

from handoff.studies.scaling import STUDY

POOL, STRIPED = "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED"
CALL_NS = 4.0
"""A guess: some ten instructions of the ring and the handler."""

MOST_CONSUMERS = 11


def estimate_ns(
    mechanism: str, n: int, work: float, making: float, hop: float, far: float
) -> float:
    """Return ns per event with n consumers, from ns of work, making an event, and a hop."""
    if mechanism == POOL:
        claim = 2 * hop if n > 1 else 0.0
        return max((work + CALL_NS + claim) / n, claim)
    shared = work / n + CALL_NS
    return shared if shared >= making + CALL_NS else max(shared, far)


def tabulate_estimates(forks: pd.DataFrame) -> pd.DataFrame:
    """Tabulate ns per event for 1 to 11 consumers, and `measured` if threads have a core each.

    A hop is the mean of the medians to the nearest and to the farthest thread, timed before the
    shots; where threads share cores, that of the largest number of consumers that has hops.
    Loads without one thread's time, or without hops, are left out.
    """
    alone = forks[forks["mechanism"] == STUDY.sequential].groupby("sorts")
    rows = []
    fitting = forks[~forks["oversubscribed"].astype(bool)]
    for (mechanism, sorts), own in fitting.groupby(["mechanism", "sorts"]):
        if mechanism not in (POOL, STRIPED) or sorts not in alone.groups:
            continue
        making = alone.get_group(sorts)["ns_per_event_created"].median()
        work = alone.get_group(sorts)["ns_per_event"].mean() - making
        by_consumers = own.groupby("consumers")
        measured = by_consumers["ns_per_event"].mean()
        timed = by_consumers[["hop_near_ns", "hop_far_ns"]].median().dropna()
        hops = timed.reindex(range(1, MOST_CONSUMERS + 1), method="ffill").dropna()
        for n, near, far in hops.itertuples():
            ns = estimate_ns(str(mechanism), n, work, making, (near + far) / 2, far)
            rows.append([sorts, mechanism, n, ns, measured.get(n)])
    return pd.DataFrame(rows, columns=["sorts", "mechanism", "consumers", "estimate", "measured"])
