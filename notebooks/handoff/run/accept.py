"""When a fork counts: everything about it is as planned, or it is rejected with the reason."""

import math
from typing import Any

from handoff.run.java import jvm
from handoff.run.plan.points import HeapPolicy, Point
from handoff.run.store.forkfile import Evidence, Jvm, Shot

HEAP_TOLERANCE = 0.05
"""Of the pages of large mappings: not all of these are the heap's."""


class Rejected(Exception):
    """A fork that must not be counted, and why, in one sentence."""


def accept_fork(point: Point, rows: Any, evidence: Evidence, flags: list[str]) -> dict:
    """JMH's one row, when it and the evidence prove that this point was measured as planned, under
    these JVM flags. Rejected otherwise.
    """
    accept_jvm(evidence.jvm, flags)
    if not isinstance(rows, list) or len(rows) != 1:
        raise Rejected(
            f"JMH reported {len(rows) if isinstance(rows, list) else 'no'} rows instead of one"
        )
    row = rows[0]
    if row["params"] != point.params:
        different = sorted(
            k
            for k in {*row["params"], *point.params}
            if row["params"].get(k) != point.params.get(k)
        )
        raise Rejected(f"JMH measured other parameters than planned: {', '.join(different)}")
    scores = row["primaryMetric"]["rawData"]
    if len(scores) != 1 or len(scores[0]) != point.shots:
        raise Rejected(
            f"JMH reported {[len(s) for s in scores]} shots, planned was one fork of {point.shots}"
        )
    if not all(
        isinstance(score, int | float) and math.isfinite(score) and score > 0 for score in scores[0]
    ):
        raise Rejected("JMH reported a time that is not a positive number")
    if len(evidence.shots) != point.shots:
        raise Rejected(f"the fork recorded {len(evidence.shots)} shots, planned were {point.shots}")
    warm_up = evidence.warmUp.limitSeconds if evidence.warmUp else 0
    if warm_up != point.warmup_limit:
        raise Rejected(
            f"the fork warmed up for {warm_up} s at most, planned was {point.warmup_limit}"
        )
    accept_heap(point.heap, evidence.heapPagesByNode)
    for shot, score in zip(evidence.shots, scores[0], strict=True):
        accept_shot(point, shot, score)
    return row


def accept_jvm(found: Jvm, flags: list[str]) -> None:
    """Whether the JVM was given these flags, and did not turn them to other values."""
    lacking = [flag for flag in flags if flag not in found.flags]
    if lacking:
        raise Rejected(f"the JVM ran without {' '.join(lacking)}")
    other = jvm.list_not_in_force(flags, found.inForce or {})
    if other:
        raise Rejected(f"the JVM did not run as its flags say: {', '.join(other)}")


def accept_heap(policy: HeapPolicy | None, pages: dict[str, int] | None) -> None:
    """Whether the heap lies where it was planned; where the kernel does not tell, it is believed,
    and no claim about nodes is judged by it.
    """
    if policy is None or not pages:
        return
    total = sum(pages.values())
    shares = {node: pages.get(str(node), 0) / total for node in policy.nodes}
    least = (1 - HEAP_TOLERANCE) / (len(shares) if policy.interleaved else 1)
    there = shares.values() if policy.interleaved else [sum(shares.values())]
    if min(there) < least:
        found = ", ".join(f"{count / total:.0%} on node {node}" for node, count in pages.items())
        way = "evenly over nodes" if policy.interleaved else "on node"
        wanted = f"{way} {', '.join(map(str, policy.nodes))}"
        raise Rejected(f"the heap lies {found}, planned was {wanted}")


def accept_shot(point: Point, shot: Shot, score_ns: float) -> None:
    if shot.events != int(point.params["events"]):
        raise Rejected(
            f"a shot handed over {shot.events} events, planned were {point.params['events']}"
        )
    if not 0 < shot.wallNs <= score_ns:
        raise Rejected(
            f"a shot's wall time of {shot.wallNs} ns does not lie inside JMH's {score_ns:.0f} ns"
        )
    placed = [(thread.role, thread.asked) for thread in shot.threads]
    planned = [(slot.role, slot.cpu) for slot in point.threads]
    if placed != planned:
        raise Rejected(f"threads were placed on {placed}, planned was {planned}")
    for thread in shot.threads:
        if thread.asked is not None and thread.mask != str(thread.asked):
            raise Rejected(
                f"{thread.role} asked for CPU {thread.asked} and was allowed on {thread.mask}"
            )
