"""The forks behind a verdict: how many, of which points, and what is weak about them."""

import pandas as pd

from handoff.claims.observations import Observations
from handoff.claims.verdicts import Verdict
from handoff.registry import find_study
from handoff.text import pluralize


def count_forks(verdict: Verdict) -> int | None:
    """The fewest forks of a point behind the verdict."""
    return min((c.found.forks for w in verdict.weighed for c in w.comparisons), default=None)


def list_points(verdict: Verdict, observed: Observations | None) -> list[str]:
    """The points behind the verdict, in the run's order."""
    used = {
        point for w in verdict.weighed + verdict.shown for c in w.comparisons for point in c.points
    }
    return (
        []
        if observed is None or not used
        else [point for point in dict.fromkeys(observed.rows["point"]) if point in used]
    )


def describe_weakness(verdict: Verdict, observed: Observations | None, study: str) -> str:
    """Of the forks behind it, how many ran disturbed, and on which side some never settled; ''
    where all is well, or nothing was judged.
    """
    if observed is None or verdict.deciding is None:
        return ""
    rows = observed.rows[observed.rows["point"].isin(list_points(verdict, observed))]
    disturbed = int((rows["disturbed"] != "").sum())
    parts = [f"{disturbed} of {pluralize(len(rows), 'fork')} ran disturbed"] if disturbed else []
    return "; ".join(parts + list_unsettled(rows, study))


def list_unsettled(rows: pd.DataFrame, study: str) -> list[str]:
    """'2 of 5 forks of ArrayBlockingQueue never settled', a side each; of those that warmed up by
    their own shots.
    """
    told = rows[rows["settled"].notna()] if "settled" in rows else rows.head(0)
    sides = [
        (
            find_study(study).look(str(mechanism)).label,
            own,
            int((~own["settled"].astype(bool)).sum()),
        )
        for mechanism, own in told.groupby("mechanism", sort=False)
    ]
    return [
        f"{number} of {pluralize(len(own), 'fork')} of {label} never settled"
        for label, own, number in sides
        if number
    ]
