"""Decide whether a fork counts: everything must be as planned, or the fork is rejected."""

import math
from typing import Any

from handoff.run.java.command import list_not_in_force
from handoff.run.plan.points import HeapPolicy, Point
from handoff.run.store.forkfile import Evidence, Jvm, Shot, WarmUp
from handoff.study import find_study

HEAP_TOLERANCE = 0.05
"""Share of the pages in large mappings that may be outside the heap."""


class Rejected(Exception):
    """The reason, in one sentence, why a fork must not be counted."""


def accept_fork(point: Point, rows: Any, evidence: Evidence, flags: list[str]) -> dict:
    """Return JMH's row; raise Rejected unless the point was measured as planned, with `flags`."""
    accept_jvm(evidence.jvm, flags)
    if not isinstance(rows, list) or len(rows) != 1:
        raise Rejected(
            f"JMH reported {len(rows) if isinstance(rows, list) else 'no'} rows instead of one"
        )
    row = rows[0]
    if different := {name for name, _ in row["params"].items() ^ point.params.items()}:
        raise Rejected(f"JMH measured with unplanned parameters: {', '.join(sorted(different))}")
    scores = row["primaryMetric"]["rawData"]
    if len(scores) != 1 or len(scores[0]) != point.shots:
        raise Rejected(
            f"expected one fork of {point.shots} shots, but JMH reported {[len(s) for s in scores]}"
        )
    if not all(
        isinstance(score, int | float) and math.isfinite(score) and score > 0 for score in scores[0]
    ):
        raise Rejected("JMH reported a time that is not a positive number")
    if len(evidence.shots) != point.shots:
        raise Rejected(f"expected {point.shots} shots, but the fork recorded {len(evidence.shots)}")
    accept_warm_up(point, evidence.warmUp)
    accept_heap(point.heap, evidence.heapPagesByNode)
    for shot, score in zip(evidence.shots, scores[0], strict=True):
        accept_shot(point, shot, score)
    return row


def accept_warm_up(point: Point, warm_up: WarmUp | None) -> None:
    limit = warm_up.limitSeconds if warm_up else 0
    if limit != point.warmup_limit:
        raise Rejected(
            f"expected a warm-up limit of {point.warmup_limit} s, but the fork had {limit} s"
        )
    whole = find_study(point.study).count_events(point.params)
    planned = point.warmup_events or whole
    if warm_up and (warm_up.events or whole) != planned:
        raise Rejected(
            f"expected {planned} events per warm-up shot, but the fork had"
            f" {warm_up.events or whole}"
        )


def accept_jvm(reported: Jvm, flags: list[str]) -> None:
    if missing := [flag for flag in flags if flag not in reported.flags]:
        raise Rejected(f"the JVM ran without {' '.join(missing)}")
    if changed := list_not_in_force(flags, reported.inForce or {}):
        raise Rejected(f"the JVM did not apply its flags: {', '.join(changed)}")


def accept_runtime(reported: Jvm, runtime: str) -> None:
    """Check that the JVM is the planned one; `runtime` is as in `Jdk`."""
    if reported.version not in runtime:
        raise Rejected(f"expected {runtime} to measure, but it was Java {reported.version}")


def accept_heap(policy: HeapPolicy | None, pages: dict[str, int] | None) -> None:
    """Check that the heap lies where planned."""
    # Where the kernel does not say, the fork counts, but claims about nodes are not judged by it.
    if policy is None or not pages:
        return
    total = sum(pages.values())
    shares = {node: pages.get(str(node), 0) / total for node in policy.nodes}
    least = (1 - HEAP_TOLERANCE) / (len(shares) if policy.interleaved else 1)
    placed = shares.values() if policy.interleaved else [sum(shares.values())]
    if min(placed) < least:
        actual = ", ".join(f"{count / total:.0%} on node {node}" for node, count in pages.items())
        where = "evenly over nodes" if policy.interleaved else "on node"
        planned = f"{where} {', '.join(map(str, policy.nodes))}"
        raise Rejected(f"expected the heap {planned}, but it lies {actual}")


def accept_shot(point: Point, shot: Shot, score_ns: float) -> None:
    events = find_study(point.study).count_events(point.params)
    if shot.events != events:
        raise Rejected(f"expected {events} events per shot, but one had {shot.events}")
    if not 0 < shot.wallNs <= score_ns:
        raise Rejected(
            f"a shot's wall time of {shot.wallNs} ns does not lie inside JMH's {score_ns:.0f} ns"
        )
    placed = [(thread.role, thread.asked) for thread in shot.threads]
    planned = [(slot.role, slot.cpu) for slot in point.threads]
    if placed != planned:
        raise Rejected(f"expected threads on {planned}, but they were on {placed}")
    for thread in shot.threads:
        if thread.asked is not None and thread.mask != str(thread.asked):
            raise Rejected(
                f"{thread.role} was allowed on CPUs {thread.mask} instead of {thread.asked} alone"
            )
