"""Anchors: points that an extension of a run measured again, to see if the machine is the same."""

from typing import NamedTuple

import pandas as pd

from handoff.analysis.forks import compute_fork_means, estimate_ratio
from handoff.analysis.intervals import Estimate
from handoff.registry import find_study
from handoff.run.store.run import Extension, Run
from handoff.tables import tidy
from handoff.text import format_range

ZONE = 1.1
"""An anchor is the same if its interval lies within 10 % of 1."""

LEAST_FORKS = 2
"""Forks that each side of an anchor needs: what it decides is not a verdict."""

ERROR = 0.05
"""Chance that an unchanged machine is found to be another one."""


class Anchor(NamedTuple):
    """A point's time after the extension started over its time before, with the 90 % interval.

    `differs` says whether the time changed, at 5 % for all anchors together.
    """

    point: str
    ratio: float
    bounds: tuple[float, float]
    differs: bool

    @property
    def is_same(self) -> bool:
        """Whether the time differs by less than the zone."""
        low, high = self.bounds
        return low >= 1 / ZONE and high <= ZONE


def judge_extension(run: Run, place: int) -> Extension:
    """Return one of the run's extensions with `same` and `sentence`, from the run's tables.

    `same` is True where every anchor is the same, False where one differs and may differ by more
    than the zone, otherwise None.
    """
    extension = run.extensions[place]
    until = next((later.began for later in run.extensions[place + 1 :]), None)
    measured = (measure_anchor(run, key, extension, until) for key in extension.anchors)
    anchors = [anchor for anchor in measured if anchor]
    same = judge_anchors(anchors, len(extension.anchors))
    sentence = describe_anchors(extension, anchors, same)
    return extension.model_copy(update={"same": same, "sentence": sentence})


def judge_anchors(anchors: list[Anchor], planned: int) -> bool | None:
    """Return whether the machine is the same, or None where the anchors do not show it."""
    if any(anchor.differs and not anchor.is_same for anchor in anchors):
        return False
    complete = anchors and len(anchors) == planned
    return True if complete and all(anchor.is_same for anchor in anchors) else None


def measure_anchor(run: Run, key: str, extension: Extension, until: str | None) -> Anchor | None:
    """Compare an anchor's forks of this extension with those of the session before it.

    Forks of the extension count if they started before `until`. The session before is the last one
    with enough forks. None where either side has too few.
    """
    point = next(point for point in run.points if point.key == key)
    forks = compute_fork_means(tidy.load_table(run, point.study, every_arm=True))
    column = find_study(point.study).responses[0].column
    forks = forks[forks["point"] == key].assign(ns_per_event=lambda rows: rows[column])
    started = pd.to_datetime(forks["started"])
    new = started >= pd.Timestamp(extension.began)
    after = forks[new & (started < pd.Timestamp(until))] if until else forks[new]
    counts = forks[~new].groupby("session").size()
    enough = counts[counts >= LEAST_FORKS]
    if len(after) < LEAST_FORKS or enough.empty:
        return None
    before = forks[~new & (forks["session"] == enough.index.max())]
    # Only the anchor's own forks count: the other points are what it vouches for.
    alone = (side.drop(columns=["session", "variation"]) for side in (after, before))
    return make_anchor(str(point), estimate_ratio(*alone), len(extension.anchors))


def make_anchor(point: str, estimate: Estimate, number: int) -> Anchor | None:
    """Return the anchor, one of `number` anchors, or None where it has no interval."""
    bounds = estimate.interval(0.90, LEAST_FORKS)
    wide = estimate.interval(1 - ERROR / number, LEAST_FORKS)
    if bounds is None or wide is None:
        return None
    return Anchor(point, estimate.ratio, bounds, not wide[0] <= 1 <= wide[1])


def describe_anchors(extension: Extension, anchors: list[Anchor], same: bool | None) -> str:
    """Describe each anchor's ratio and what follows for comparisons with earlier forks."""
    ratios = [
        f"{anchor.point}: {anchor.ratio:.2f} times ({format_range(*anchor.bounds)})"
        for anchor in anchors
    ]
    apart = (
        "the forks are a separate session, and compared with the earlier ones only where both"
        " sessions measured."
    )
    unknown = "they continue the session unless six hours passed." if extension.planned else apart
    conclusion = {
        True: "The machine was still the same, and the forks are pooled with the earlier ones.",
        False: f"The machine was no longer the same: {apart}",
        None: f"This does not show whether the machine was still the same: {unknown}",
    }[same]
    shown = f"Anchors, after over before: {'; '.join(ratios)}." if ratios else "No usable anchor."
    return f"Extended on {extension.began[:10]}. {shown} {conclusion}"
