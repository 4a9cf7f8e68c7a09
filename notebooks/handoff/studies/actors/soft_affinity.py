"""Comparison of soft affinity with both of its rivals, at every point that has one."""

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import compare_times
from handoff.studies.actors import POINT, STUDY, describe_scene
from handoff.studies.ratios import RATIO
from handoff.text import format_range, pluralize

OURS, RIVALS = "SOFT_AFFINITY", ("WORK_STEALING", "DEDICATED_CORRECTED")

LOSS_RATIO = 1.05
"""Ratio below which no interval means slower."""


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return forks of every scene, size of state and mechanism under the run's other choices."""
    return baseline.select_baseline(forks, STUDY.name, POINT)


def compare_rivals(forks: pd.DataFrame) -> pd.DataFrame:
    """Return soft affinity's time over each rival's, one row per point and rival.

    `better` says whether the rival is the faster one at that point.
    """
    rows = []
    for (*scene, state), point in forks.groupby([*POINT], sort=True) if len(forks) else ():
        ways = dict(list(point.groupby("mechanism")))
        rivals = [name for name in RIVALS if name in ways]
        if OURS in ways and rivals:
            where = [describe_scene(*scene), scene[0], state]
            fastest = min(rivals, key=lambda name: ways[name]["ns_per_event"].mean())
            rows += [
                [*where, name, *compare_times(ways[OURS], ways[name]), name == fastest]
                for name in rivals
            ]
    return pd.DataFrame(rows, columns=["scene", "route", "bytes", "rival", *RATIO, "better"])


def count_standings(rivals: pd.DataFrame) -> dict[str, int]:
    """Return at how many points soft affinity beats its faster rival, loses, or does neither."""
    judged = rivals[rivals["better"].astype(bool) & rivals["low"].notna()]
    standings = [describe_standing(row.low, row.high) for row in judged.itertuples()]
    return {word: standings.count(word) for word in ("faster", "indistinguishable", "slower")}


def tabulate_rivals(forks: pd.DataFrame) -> pd.DataFrame:
    """Return a table for people: one row per point, with the ratio to each rival as text."""
    rows: dict[tuple, dict] = {}
    for r in compare_rivals(forks).itertuples():
        cell = rows.setdefault((r.scene, r.bytes), {})
        bounds = "" if pd.isna(r.low) else f" ({format_range(r.low, r.high)})"
        cell[f"over {STUDY.look(r.rival).short}"] = f"{r.ratio:.2f}{bounds}"
        if r.better:
            cell["against the faster"] = describe_standing(r.low, r.high)
    table = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        table.index = pd.MultiIndex.from_tuples(table.index, names=["", "bytes"])
    return table


def describe_standing(low: float, high: float) -> str:
    if pd.isna(low):
        return "no verdict: threads share cores, or too few forks"
    return "slower" if low > LOSS_RATIO else "faster" if high < 1 else "indistinguishable"


def describe_soft_affinity(forks: pd.DataFrame) -> list[str]:
    """Return the sentence on soft affinity; none without a rival or without any interval."""
    counts = count_standings(compare_rivals(select_baseline(forks)))
    judged = sum(counts.values())
    if not judged:
        return []
    sizes = ", ".join(f"{number} {word}" for word, number in counts.items())
    return [
        "Soft affinity against the faster of work stealing and dedicated threads, at"
        f" {pluralize(judged, 'point')}: {sizes}."
    ]
