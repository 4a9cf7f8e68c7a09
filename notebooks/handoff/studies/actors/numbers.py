"""Numbers of the actors: times next to the post's, messages that moved, soft affinity's rivals."""

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import compare_times, estimate_ratio
from handoff.paths import PUBLISHED
from handoff.studies.actors import POINT, SCENE, STUDY, describe_scene
from handoff.studies.ratios import RATIO
from handoff.text import format_extent, format_range, pluralize

STEALING = "WORK_STEALING"
OURS, RIVALS = "SOFT_AFFINITY", (STEALING, "DEDICATED_CORRECTED")

LOSS_RATIO = 1.05
"""Ratio below which no interval means slower."""


def tabulate_points(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per point.

    `moved` is the share of messages that ran on another thread than their actor's previous
    message, `random` what that would be with threads drawn at random; `in_a_row` is the share whose
    thread had just served the same actor; `misses` counts cache misses (nan where not counted).
    """
    if forks.empty:
        return forks
    keys = [*POINT, "mechanism"]
    measured = forks.reindex(columns=[*keys, "stayed", "in_a_row", "cache_misses"])
    means = measured.groupby(keys, as_index=False).mean()
    points = means.rename(columns={"cache_misses": "misses"})
    scenes = [describe_scene(*scene) for scene in points[[*SCENE]].itertuples(index=False)]
    return points.assign(scene=scenes, moved=1 - points["stayed"], random=1 - 1 / points["workers"])


def load_published() -> pd.DataFrame:
    """Return the post's tables, with `ratio` to the time of work stealing."""
    table = pd.read_csv(PUBLISHED / "actor_scheduling.csv")
    scenes = [
        describe_scene("SELF", r.accesses, r.perworker, r.workers, "AS_PUBLISHED")
        for r in table.itertuples()
    ]
    keys = ["workers", "accesses", "bytes"]
    stealing = table[table["mechanism"] == STEALING].set_index(keys)["ms"].rename("stealing")
    joined = table.assign(scene=scenes).join(stealing, on=keys)
    return joined.assign(ratio=joined["ms"] / joined["stealing"])


def tabulate_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time over work stealing's, here and in the post: one column per size of state."""
    rows = []
    for (*scene, state), point in forks.groupby([*POINT]) if len(forks) else ():
        ways = dict(list(point.groupby("mechanism")))
        for mechanism, other in ways.items() if STEALING in ways else ():
            ratio = estimate_ratio(other, ways[STEALING]).ratio
            rows.append([describe_scene(*scene), "here", mechanism, state, ratio])
    if not rows:
        return pd.DataFrame()
    columns = ["scene", "where", "mechanism", "bytes", "ratio"]
    posts = load_published().assign(where="the post")[columns]
    both = pd.concat([pd.DataFrame(rows, columns=columns), posts])
    labels = both["mechanism"].map(lambda name: STUDY.look(name).label)
    table = both.assign(mechanism=labels).pivot(index=columns[:3], columns="bytes", values="ratio")
    return table.round(2).rename_axis(index=["", "", "time over work stealing's"], columns=None)


def tabulate_habits(forks: pd.DataFrame) -> pd.DataFrame:
    """Return a table for people of messages that moved and ran in a row, by size of state.

    It has cache misses if they were counted, and `random` as in `tabulate_points`.
    """
    rows = tabulate_points(forks)
    if rows.empty:
        return rows
    text = rows.assign(
        mechanism=rows["mechanism"].map(lambda name: STUDY.look(name).label),
        misses=rows["misses"].round(2),
    )
    for share in ("moved", "in_a_row", "random"):
        text[share] = rows[share].map(format_percent, na_action="ignore")
    shown = ["moved", "in_a_row", *(["misses"] if text["misses"].notna().any() else [])]
    table = text.pivot(index=["scene", "random", "mechanism"], columns="bytes", values=shown)
    words = {"in_a_row": "in a row", "misses": "cache misses"}
    return table.rename(columns=words, level=0).astype(object).fillna("")


def format_percent(share: float) -> str:
    """Return a share such as '12 %', '0.03 %' or '0'."""
    if share <= 0:
        return "0"
    return f"{100 * share:.0f} %" if share >= 0.095 else f"{100 * share:.2g} %"


def describe_migration(forks: pd.DataFrame) -> list[str]:
    """Return sentences on the messages that moved and ran in a row."""
    moved = tabulate_points(select_baseline(forks))
    parts = []
    for mechanism in (STEALING, "THREAD_POOL") if len(moved) else ():
        points = moved[(moved["mechanism"] == mechanism) & (moved["route"] == "SELF")]
        points = points.dropna(subset=["moved", "in_a_row"])
        if len(points):
            name = STUDY.look(mechanism).label.capitalize()
            parts.append(f"{name}, where actors send to themselves: {describe_habit(points)}")
    return parts


def describe_habit(points: pd.DataFrame) -> str:
    """Return how many of one mechanism's messages moved and ran in a row, at its points."""
    moved = format_extent(points["moved"], format_percent)
    in_a_row = format_extent(points["in_a_row"], format_percent)
    return (
        f"{moved} of an actor's messages moved to another thread"
        f" ({format_percent(points['random'].iloc[0])} if threads were drawn at random),"
        f" {in_a_row} ran right after one of the same actor."
    )


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


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on soft affinity against its rivals, and on the messages."""
    return [*describe_soft_affinity(forks), *describe_migration(forks)]
