"""Numbers of the actors: times next to the post's, and messages that moved or ran in a row."""

import pandas as pd

from handoff.analysis.forks import bound_level, compare_times, mean_level
from handoff.paths import PUBLISHED
from handoff.studies.actors import POINT, SCENE, STUDY, describe_scene
from handoff.studies.actors.soft_affinity import describe_soft_affinity, select_baseline


def tabulate_points(forks: pd.DataFrame) -> pd.DataFrame:
    """Return one row per point.

    `ns` is per message, with the interval `low` to `high`; `moved` is the share of messages that
    ran on another thread than their actor's previous message, `random` what that would be with
    threads drawn at random; `in_a_row` is the share whose thread had just served the same actor;
    `misses` counts cache misses (nan where not counted).
    """
    rows = []
    for key, point in forks.groupby([*POINT, "mechanism"], sort=True) if len(forks) else ():
        at = dict(zip([*POINT, "mechanism"], key, strict=True))
        low, high = bound_level(point)
        rows.append(
            at
            | {
                "scene": describe_scene(*key[: len(SCENE)]),
                "ns": mean_level(point),
                "low": low,
                "high": high,
                "moved": 1 - mean_or_nan(point, "stayed"),
                "random": 1 - 1 / at["workers"],
                "in_a_row": mean_or_nan(point, "in_a_row"),
                "misses": mean_or_nan(point, "cache_misses"),
                "oversubscribed": bool(point["oversubscribed"].any()),
            }
        )
    return pd.DataFrame(rows)


def mean_or_nan(forks: pd.DataFrame, name: str) -> float:
    """Return the mean of a column; nan if the forks do not have it."""
    return float(forks[name].mean()) if name in forks else float("nan")


def load_published() -> pd.DataFrame:
    """Return the post's tables: times in `ms`, and `ratio` to work stealing's."""
    table = pd.read_csv(PUBLISHED / "actor_scheduling.csv")
    scenes = [
        describe_scene("SELF", r.accesses, r.perworker, r.workers, "AS_PUBLISHED")
        for r in table.itertuples()
    ]
    keys = ["workers", "accesses", "bytes"]
    stealing = table[table["mechanism"] == "WORK_STEALING"].set_index(keys)["ms"].rename("stealing")
    joined = table.assign(scene=scenes).join(stealing, on=keys)
    return joined.assign(ratio=joined["ms"] / joined["stealing"])[
        ["scene", "mechanism", "bytes", "ms", "ratio"]
    ]


def tabulate_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time over work stealing's, here and in the post: one column per size of state."""
    rows: dict[tuple[str, str, str], dict] = {}
    for key, point in forks.groupby([*POINT]) if len(forks) else ():
        *where, state = key
        stealing = point[point["mechanism"] == "WORK_STEALING"]
        for mechanism, other in point.groupby("mechanism") if len(stealing) else ():
            scene = describe_scene(**dict(zip(SCENE, where, strict=True)))
            cells = rows.setdefault((scene, "here", STUDY.look(mechanism).label), {})
            cells[state] = compare_times(other, stealing)[0]
    for r in load_published().itertuples() if rows else ():
        rows.setdefault((r.scene, "the post", STUDY.look(r.mechanism).label), {})[r.bytes] = r.ratio
    table = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        table = table[sorted(table.columns)].sort_index().round(2)
        table.index = pd.MultiIndex.from_tuples(
            table.index, names=["", "", "time over work stealing's"]
        )
    return table


def tabulate_habits(forks: pd.DataFrame) -> pd.DataFrame:
    """Return a table for people of messages that moved and ran in a row, by size of state.

    It has cache misses if they were counted, and `random` as in `tabulate_points`.
    """
    rows = tabulate_points(forks)
    if rows.empty:
        return rows
    text = rows.assign(
        mechanism=rows["mechanism"].map(lambda name: STUDY.look(name).label),
        random=rows["random"].map(format_percent),
    )
    text = text.assign(
        **{
            name: text[name].map(format_percent, na_action="ignore")
            for name in ("moved", "in_a_row")
        },
        misses=text["misses"].round(2),
    )
    shown = ["moved", "in_a_row", *(["misses"] if text["misses"].notna().any() else [])]
    table = text.pivot(index=["scene", "random", "mechanism"], columns="bytes", values=shown)
    return (
        table.rename(columns={"in_a_row": "in a row", "misses": "cache misses"}, level=0)
        .astype(object)
        .fillna("")
    )


def format_percent(share: float) -> str:
    """Return a share such as '12 %', '0.03 %' or '0'."""
    return (
        "0" if share <= 0 else f"{100 * share:.0f} %" if share >= 0.095 else f"{100 * share:.2g} %"
    )


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
    for mechanism in ("WORK_STEALING", "THREAD_POOL") if len(moved) else ():
        points = moved[(moved["mechanism"] == mechanism) & (moved["route"] == "SELF")].dropna(
            subset=["moved", "in_a_row"]
        )
        if len(points):
            parts.append(f"{STUDY.look(mechanism).label.capitalize()}: {describe_habit(points)}")
    return [*parts, describe_misses(forks)] if len(forks) else []


def describe_habit(points: pd.DataFrame) -> str:
    """Return how many of one mechanism's messages moved and ran in a row, at its points."""
    random = format_percent(points["random"].iloc[0])
    return (
        f"{format_spread(points['moved'])} of an actor's messages moved to another thread"
        f" ({random} if threads were drawn at random),"
        f" {format_spread(points['in_a_row'])} ran right after one of the same actor."
    )


def format_spread(shares: pd.Series) -> str:
    """Return a range such as '14 % to 32 %', or one value if both ends look the same."""
    return " to ".join(dict.fromkeys([format_percent(shares.min()), format_percent(shares.max())]))


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """Return sentences on soft affinity against its rivals, and on the messages."""
    return [*describe_soft_affinity(forks), *describe_migration(forks)]
