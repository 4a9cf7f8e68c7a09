"""Soft affinity against both of its rivals, at every point that has them."""

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import compare_times
from handoff.studies.actors import POINT, SCENE, STUDY, describe_scene
from handoff.text import pluralize

OURS, RIVALS = "SOFT_AFFINITY", ("WORK_STEALING", "DEDICATED_CORRECTED")

LOSS_RATIO = 1.05
"""An interval wholly above this speaks against it."""


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return forks of every scene, size of state and mechanism under the run's other choices."""
    return baseline.select_baseline(forks, STUDY.name, POINT)


def compare_rivals(forks: pd.DataFrame) -> pd.DataFrame:
    """Soft affinity's time over each rival's, one row a point and rival: `scene`, `bytes`, `rival`,
    `ratio`, `low`, `high`, `oversubscribed`; `better`: whether the rival is the faster of the two
    there.
    """
    rows = []
    for key, own in forks.groupby([*POINT], sort=True) if len(forks) else ():
        *where, state = key
        ours = own[own["mechanism"] == OURS]
        rivals = {
            name: own[own["mechanism"] == name]
            for name in RIVALS
            if (own["mechanism"] == name).any()
        }
        if len(ours) and rivals:
            fastest = min(rivals, key=lambda name: rivals[name]["ns_per_event"].mean())
            text = describe_scene(**dict(zip(SCENE, where, strict=True)))
            rows += [
                [text, where[0], state, name, *compare_times(ours, theirs), name == fastest]
                for name, theirs in rivals.items()
            ]
    return pd.DataFrame(
        rows,
        columns=[
            "scene",
            "route",
            "bytes",
            "rival",
            "ratio",
            "low",
            "high",
            "oversubscribed",
            "better",
        ],
    )


def tabulate_rivals(forks: pd.DataFrame) -> pd.DataFrame:
    """The same for people: a row a point, for each rival the ratio with its interval; and how it
    stands against the faster of both.
    """
    rows: dict[tuple, dict] = {}
    for r in compare_rivals(forks).itertuples():
        cell = rows.setdefault((r.scene, r.bytes), {})
        bounds = "" if pd.isna(r.low) else f" ({r.low:.2f}–{r.high:.2f})"
        cell[f"over {STUDY.look(r.rival).short}"] = f"{r.ratio:.2f}{bounds}"
        if r.better:
            cell["against the faster"] = describe_standing(r.low, r.high)
    found = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        found.index = pd.MultiIndex.from_tuples(found.index, names=["", "bytes"])
    return found


def describe_standing(low: float | None, high: float | None) -> str:
    if low is None or high is None or pd.isna(low):
        return "no verdict: threads share cores, or too few forks"
    return "slower" if low > LOSS_RATIO else "faster" if high < 1 else "not told apart"


def describe_soft_affinity(forks: pd.DataFrame) -> list[str]:
    """How it stands, in a sentence; none where a rival is lacking or no point has an interval."""
    rows = compare_rivals(select_baseline(forks))
    better = rows[rows["better"] & rows["low"].notna()] if len(rows) else rows
    if better.empty:
        return []
    counts = [describe_standing(r.low, r.high) for r in better.itertuples()]
    sizes = ", ".join(
        f"{counts.count(word)} {word}" for word in ("faster", "not told apart", "slower")
    )
    return [
        "Soft affinity against the faster of work stealing and dedicated threads, at"
        f" {pluralize(len(counts), 'point')}: {sizes}."
    ]
