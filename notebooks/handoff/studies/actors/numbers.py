"""Numbers of the actors: times next to the post's, and messages that moved or ran in a row."""

import pandas as pd

from handoff.analysis.forks import estimate_ratio
from handoff.paths import PUBLISHED
from handoff.studies.actors import POINT, SCENE, STUDY, describe_scene
from handoff.studies.actors.soft_affinity import describe_soft_affinity, select_baseline
from handoff.text import format_extent

STEALING = "WORK_STEALING"


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


def describe_misses(forks: pd.DataFrame) -> str:
    """Return whether this machine counted cache misses, in a sentence."""
    if "cache_misses" in forks and forks["cache_misses"].notna().any():
        return "The machine of this run counts cache misses: they are in the table above."
    return (
        "Cache misses are not available: like most virtual machines, the machine of this run has no"
        " hardware counters."
    )


def describe_migration(forks: pd.DataFrame) -> list[str]:
    """Return sentences on the messages that moved and ran in a row, and on cache misses."""
    moved = tabulate_points(select_baseline(forks))
    parts = []
    for mechanism in (STEALING, "THREAD_POOL") if len(moved) else ():
        points = moved[(moved["mechanism"] == mechanism) & (moved["route"] == "SELF")]
        points = points.dropna(subset=["moved", "in_a_row"])
        if len(points):
            name = STUDY.look(mechanism).label.capitalize()
            parts.append(f"{name}, where actors send to themselves: {describe_habit(points)}")
    return [*parts, describe_misses(forks)] if len(forks) else []


def describe_habit(points: pd.DataFrame) -> str:
    """Return how many of one mechanism's messages moved and ran in a row, at its points."""
    moved = format_extent(points["moved"], format_percent)
    in_a_row = format_extent(points["in_a_row"], format_percent)
    return (
        f"{moved} of an actor's messages moved to another thread"
        f" ({format_percent(points['random'].iloc[0])} if threads were drawn at random),"
        f" {in_a_row} ran right after one of the same actor."
    )


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on soft affinity against its rivals, and on the messages."""
    return [*describe_soft_affinity(forks), *describe_migration(forks)]
