"""The actors' numbers: time over the size of the state, beside the post's, and messages that moved
or ran in a row.
"""

import pandas as pd

from handoff.analysis.forks import compare_times, compute_interval
from handoff.paths import PUBLISHED
from handoff.studies.actors import POINT, SCENE, STUDY, describe_scene
from handoff.studies.actors.soft_affinity import describe_soft_affinity, select_baseline


def tabulate_points(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a point: `scene`, `mechanism`, `bytes`, `ns` a message with `low` and `high`, `moved`
    (share of messages that ran on another thread than their actor's one before), `random` (what it
    would be with threads drawn at random), `in_a_row` (share whose thread had dealt with the same
    actor just before), `misses` (cache misses; nan where not counted), `oversubscribed`.
    """
    rows = []
    for key, own in forks.groupby([*POINT, "mechanism"], sort=True) if len(forks) else ():
        at = dict(zip([*POINT, "mechanism"], key, strict=True))
        low, high = compute_interval(own["ns_per_event"]) or (None, None)
        found = {
            "ns": own["ns_per_event"].mean(),
            "low": low,
            "high": high,
            "moved": 1 - mean_or_nan(own, "stayed"),
        }
        found |= {
            "random": 1 - 1 / at["workers"],
            "in_a_row": mean_or_nan(own, "in_a_row"),
            "misses": mean_or_nan(own, "cache_misses"),
        }
        rows.append(
            at
            | {"scene": describe_scene(*key[: len(SCENE)])}
            | found
            | {"oversubscribed": bool(own["oversubscribed"].any())}
        )
    return pd.DataFrame(rows)


def mean_or_nan(forks: pd.DataFrame, name: str) -> float:
    """nan where it was not found."""
    return float(forks[name].mean()) if name in forks else float("nan")


def load_published() -> pd.DataFrame:
    """The post's tables, times as they are and over work stealing's: `scene`, `mechanism`, `bytes`,
    `ms`, `ratio`.
    """
    table = pd.read_csv(PUBLISHED / "actor_scheduling.csv")
    parts = [
        describe_scene("SELF", r.accesses, r.perworker, r.workers, "AS_PUBLISHED")
        for r in table.itertuples()
    ]
    keys = ["workers", "accesses", "bytes"]
    stealing = table[table["mechanism"] == "WORK_STEALING"].set_index(keys)["ms"].rename("stealing")
    joined = table.assign(scene=parts).join(stealing, on=keys)
    return joined.assign(ratio=joined["ms"] / joined["stealing"])[
        ["scene", "mechanism", "bytes", "ms", "ratio"]
    ]


def tabulate_ratios(forks: pd.DataFrame) -> pd.DataFrame:
    """Time over work stealing's with the same state: a row a mechanism and scene, here and in the
    post, a column a size.
    """
    rows: dict[tuple[str, str, str], dict] = {}
    for key, own in forks.groupby([*POINT]) if len(forks) else ():
        *where, state = key
        stealing = own[own["mechanism"] == "WORK_STEALING"]
        for mechanism, of in own.groupby("mechanism") if len(stealing) else ():
            text = describe_scene(**dict(zip(SCENE, where, strict=True)))
            rows.setdefault((text, "here", STUDY.look(mechanism).label), {})[state] = compare_times(
                of, stealing
            )[0]
    for r in load_published().itertuples() if rows else ():
        rows.setdefault((r.scene, "the post", STUDY.look(r.mechanism).label), {})[r.bytes] = r.ratio
    found = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        found = found[sorted(found.columns)].sort_index().round(2)
        found.index = pd.MultiIndex.from_tuples(
            found.index, names=["", "", "time over work stealing's"]
        )
    return found


def tabulate_habits(forks: pd.DataFrame) -> pd.DataFrame:
    """A row a scene and mechanism, a column a size: the share of messages that moved to another
    thread, and of those that ran right after one of the same actor; cache misses a message where
    they were counted; `random`: what the first would be with threads drawn at random.
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
    habit = text.pivot(index=["scene", "random", "mechanism"], columns="bytes", values=shown)
    return (
        habit.rename(columns={"in_a_row": "in a row", "misses": "cache misses"}, level=0)
        .astype(object)
        .fillna("")
    )


def format_percent(share: float) -> str:
    """'12 %', '0.03 %', '0'."""
    return (
        "0" if share <= 0 else f"{100 * share:.0f} %" if share >= 0.095 else f"{100 * share:.2g} %"
    )


def describe_misses(forks: pd.DataFrame) -> str:
    """Whether this machine counted cache misses."""
    if "cache_misses" in forks and forks["cache_misses"].notna().any():
        return "The machine of this run counts cache misses: they are in the table above."
    return (
        "Cache misses are not available here: the machine of this run offered no hardware counters,"
        " as most virtual ones do not."
    )


def describe_migration(forks: pd.DataFrame) -> list[str]:
    """How many messages moved and ran in a row, and whether misses were counted."""
    moved = tabulate_points(select_baseline(forks))
    parts = []
    for mechanism in ("WORK_STEALING", "THREAD_POOL") if len(moved) else ():
        own = moved[(moved["mechanism"] == mechanism) & (moved["route"] == "SELF")].dropna(
            subset=["moved", "in_a_row"]
        )
        if len(own):
            parts.append(f"{STUDY.look(mechanism).label.capitalize()}: {describe_habit(own)}")
    return [*parts, describe_misses(forks)] if len(forks) else []


def describe_habit(own: pd.DataFrame) -> str:
    """How much of one mechanism's messages moved and ran in a row, at its points."""
    random = format_percent(own["random"].iloc[0])
    return (
        f"{format_spread(own['moved'])} of an actor's messages moved to another thread"
        f" (with threads drawn at random it would be {random}),"
        f" {format_spread(own['in_a_row'])} ran right after one of the same actor."
    )


def format_spread(shares: pd.Series) -> str:
    """'14 % to 32 %', or once where they are alike."""
    return " to ".join(dict.fromkeys([format_percent(shares.min()), format_percent(shares.max())]))


def list_sentences(forks: pd.DataFrame) -> list[str]:
    """How soft affinity stands against its rivals, and what the messages did."""
    return [*describe_soft_affinity(forks), *describe_migration(forks)]
