"""Numbers of the actors: times next to the post's, messages that moved, soft affinity's rivals."""

import pandas as pd

from handoff.analysis import baseline
from handoff.analysis.forks import compare_times, estimate_ratio
from handoff.paths import PUBLISHED
from handoff.studies.actors import POINT, SCENE, STUDY, describe_scene
from handoff.studies.ratios import RATIO
from handoff.text import format_extent, pluralize

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
            rows.append([describe_scene(*scene), mechanism, state, ratio])
    if not rows:
        return pd.DataFrame()
    ours = pd.DataFrame(rows, columns=["scene", "mechanism", "bytes", "ratio"])
    both = pd.concat([ours.assign(where="here"), load_published().assign(where="the post")])
    return both.pivot_table("ratio", ["scene", "where", "mechanism"], "bytes").round(2)


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
            parts.append(
                f"{STUDY.look(mechanism).label.capitalize()}, where actors send to themselves:"
                f" {format_extent(points['moved'], format_percent)} of an actor's messages moved to"
                f" another thread ({format_percent(points['random'].iloc[0])} if threads were drawn"
                f" at random), {format_extent(points['in_a_row'], format_percent)} ran right after"
                " one of the same actor."
            )
    return parts


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Return forks of every scene, size of state and mechanism under the run's other choices."""
    return baseline.select_baseline(forks, STUDY.name, POINT)


def compare_rivals(forks: pd.DataFrame) -> pd.DataFrame:
    """Return soft affinity's time over each rival's, one row per point and rival.

    `better` says whether the rival is the faster one at that point, `standing` what the interval
    says of soft affinity.
    """
    rows = []
    for (*scene, state), point in forks.groupby([*POINT], sort=True) if len(forks) else ():
        ways = dict(list(point.groupby("mechanism")))
        rivals = [name for name in RIVALS if name in ways]
        if OURS in ways and rivals:
            where = [describe_scene(*scene), scene[0], state]
            fastest = min(rivals, key=lambda name: ways[name]["ns_per_event"].mean())
            for name in rivals:
                made = compare_times(ways[OURS], ways[name])
                rows.append([*where, name, *made, name == fastest, describe_standing(*made[1:3])])
    columns = ["scene", "route", "bytes", "rival", *RATIO, "better", "standing"]
    return pd.DataFrame(rows, columns=columns)


def count_standings(rivals: pd.DataFrame) -> dict[str, int]:
    """Return at how many points soft affinity beats its faster rival, loses, or does neither."""
    standings = list(rivals.loc[rivals["better"].astype(bool), "standing"])
    return {word: standings.count(word) for word in ("faster", "indistinguishable", "slower")}


def describe_standing(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "no verdict: threads share cores, or too few forks"
    return "slower" if low > LOSS_RATIO else "faster" if high < 1 else "indistinguishable"


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on soft affinity, where it is judged against a rival, and on messages."""
    counts = count_standings(compare_rivals(select_baseline(forks)))
    judged, sizes = sum(counts.values()), ", ".join(f"{n} {word}" for word, n in counts.items())
    soft = (
        "Soft affinity against the faster of work stealing and dedicated threads, at"
        f" {pluralize(judged, 'point')}: {sizes}."
    )
    return [soft] * (judged > 0) + describe_migration(forks)
