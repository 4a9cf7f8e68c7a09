"""Anchors: points of a run that an extension measured again. Is the machine still the same?"""

from typing import NamedTuple

import pandas as pd

from handoff.analysis.averages import LEAST_FORKS
from handoff.analysis.contrast import Estimate
from handoff.analysis.forks import compute_fork_means
from handoff.analysis.sessions import compare_forks
from handoff.registry import find_study
from handoff.run.store.run import Extension, Run
from handoff.tables import tidy

ZONE = 1.1
"""The same is what lies, interval and all, within 10 %."""

ERROR = 0.05
"""How often a machine that is the same is found to be another."""


class Anchor(NamedTuple):
    """A point, its time after the extension began over its time before, the 90 % interval, and
    whether the time is another one, at 5 % for all anchors together.
    """

    point: str
    ratio: float
    bounds: tuple[float, float]
    differs: bool


def judge_extension(run: Run, place: int) -> Extension:
    """One of the run's extensions, with `same` and `sentence`, from the run's tables.

    True where every anchor is the same; False where one is another, and may be so by more than
    that; else None.
    """
    extension = run.extensions[place]
    later = [each.began for each in run.extensions[place + 1 : place + 2]]
    anchors = [
        measure_anchor(run, key, extension, later[0] if later else None)
        for key in extension.anchors
    ]
    found = [anchor for anchor in anchors if anchor]
    same = judge_anchors(found, len(extension.anchors))
    return extension.model_copy(
        update={"same": same, "sentence": describe_anchors(extension, found, same)}
    )


def judge_anchors(found: list[Anchor], asked: int) -> bool | None:
    """Of so many anchors as were asked for."""
    inside = [low >= 1 / ZONE and high <= ZONE for _, _, (low, high), _ in found]
    if any(anchor.differs and not same for anchor, same in zip(found, inside, strict=True)):
        return False
    return True if inside and all(inside) and len(found) == asked else None


def measure_anchor(run: Run, key: str, extension: Extension, until: str | None) -> Anchor | None:
    """Its forks of this extension, begun before `until`, over those of the last session before that
    has enough; None where a side has too few.
    """
    point = next(point for point in run.points if point.key == key)
    forks = compute_fork_means(tidy.load_table(run, point.study))
    column = find_study(point.study).responses[0].column
    own = forks[forks["point"] == key].assign(ns_per_event=lambda rows: rows[column])
    started = pd.to_datetime(own["started"])
    began = started >= pd.Timestamp(extension.began)
    after = own[began & (started < pd.Timestamp(until))] if until else own[began]
    counts = own[~began].groupby("session").size()
    enough = counts[counts >= LEAST_FORKS]
    if len(after) < LEAST_FORKS or enough.empty:
        return None
    before = own[~began & (own["session"] == enough.index.max())]
    estimate = compare_forks(*(side.drop(columns="session") for side in (after, before)))
    return make_anchor(str(point), estimate, len(extension.anchors))


def make_anchor(point: str, estimate: Estimate, number: int) -> Anchor | None:
    """One of so many."""
    bounds, wide = estimate.interval(), estimate.interval(1 - ERROR / number)
    if bounds is None or wide is None:
        return None
    return Anchor(point, estimate.ratio, bounds, not wide[0] <= 1 <= wide[1])


def describe_anchors(extension: Extension, found: list[Anchor], same: bool | None) -> str:
    """Each anchor's ratio, and what follows for comparisons with the forks of before."""
    ratios = [
        f"{anchor.point}: {anchor.ratio:.2f} times ({anchor.bounds[0]:.2f} to"
        f" {anchor.bounds[1]:.2f})"
        for anchor in found
    ]
    verdict = {
        True: "The machine was still the same, and the forks are pooled with those of before.",
        False: (
            "The machine was no longer the same: the forks are a session of their own, and are"
            " compared with those of before only through points that both measured."
        ),
        None: (
            "That cannot tell whether the machine was still the same: the forks are a session of"
            " their own, and are compared with those of before only through points that both"
            " measured."
        ),
    }[same]
    shown = f"Anchors, after over before: {'; '.join(ratios)}." if ratios else "No anchor tells."
    return f"Extended on {extension.began[:10]}. {shown} {verdict}"
