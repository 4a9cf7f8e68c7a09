"""The actors' numbers: time over the size of the state, messages that moved to another thread, and soft affinity against its rivals."""

import pandas as pd

from handoff.judge.choices import standing
from handoff.judge.forks import interval, times
from handoff.names import counted, look
from handoff.paths import PUBLISHED

OURS, RIVALS = "SOFT_AFFINITY", ("WORK_STEALING", "DEDICATED_CORRECTED")
SCENE = ("route", "accesses", "perworker", "workers", "generator")
"""What the actors do and how many there are: what a comparison over mechanisms and state has in common."""

LOSES = 1.05
"""Soft affinity is as good as a rival as long as its interval is not wholly above this."""


def scene(route: str, accesses: int, perworker: int, workers: int, generator: str) -> str:
    """'2 workers, 3 actors each, 100 accesses'; what is not as published is said."""
    told = [counted(workers, "worker"), f"{counted(perworker, 'actor')} each", counted(accesses, "access").replace("accesss", "accesses")]
    told += ["cheap generator"] if generator == "CHEAP" else []
    return ", ".join(told + (["to other actors"] if route == "OTHERS" else []))


def baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Every scene, size of state and mechanism; placement and collector as they stand for the run."""
    return standing(forks, "actors", (*SCENE, "bytes"))


def points(forks: pd.DataFrame) -> pd.DataFrame:
    """One row a point: `scene`, `mechanism`, `bytes`, `ns` a message with `low` and `high`, `moved` (share of messages that ran on another
    thread than their actor's one before), `random` (what it were if threads were drawn), `misses` (None where not counted),
    `oversubscribed`."""
    rows = []
    for key, own in forks.groupby([*SCENE, "bytes", "mechanism"], sort=True) if len(forks) else ():
        *where, state, mechanism = key
        low, high = interval(own["ns_per_event"]) or (None, None)
        misses = own["cache_misses"].mean() if "cache_misses" in own else None
        stayed = own["stayed"].mean() if "stayed" in own else None
        at = dict(zip(SCENE, where, strict=True))
        moved = None if stayed is None else 1 - stayed
        found = [scene(**at), mechanism, state, own["ns_per_event"].mean(), low, high, moved, 1 - 1 / at["workers"], misses]
        rows.append([*where, *found, bool(own["oversubscribed"].any())])
    columns = [*SCENE, "scene", "mechanism", "bytes", "ns", "low", "high", "moved", "random", "misses", "oversubscribed"]
    return pd.DataFrame(rows, columns=columns)


def against(forks: pd.DataFrame) -> pd.DataFrame:
    """Soft affinity's time over each rival's, one row a point and rival: `scene`, `bytes`, `rival`, `ratio`, `low`, `high`,
    `oversubscribed`; `better`: whether the rival is the faster of the two there."""
    rows = []
    for key, own in forks.groupby([*SCENE, "bytes"], sort=True) if len(forks) else ():
        *where, state = key
        ours = own[own["mechanism"] == OURS]
        rivals = {name: own[own["mechanism"] == name] for name in RIVALS if (own["mechanism"] == name).any()}
        if len(ours) and rivals:
            fastest = min(rivals, key=lambda name: rivals[name]["ns_per_event"].mean())
            told = scene(**dict(zip(SCENE, where, strict=True)))
            rows += [[told, where[0], state, name, *times(ours, theirs), name == fastest] for name, theirs in rivals.items()]
    return pd.DataFrame(rows, columns=["scene", "route", "bytes", "rival", "ratio", "low", "high", "oversubscribed", "better"])


def against_table(forks: pd.DataFrame) -> pd.DataFrame:
    """The same for people: a row a point, for each rival the ratio with its interval; and how it stands against the faster of both."""
    rows: dict[tuple, dict] = {}
    for r in against(forks).itertuples():
        cell = rows.setdefault((r.scene, r.bytes), {})
        bounds = "" if pd.isna(r.low) else f" ({r.low:.2f}–{r.high:.2f})"
        cell[f"over {look(r.rival).short}"] = f"{r.ratio:.2f}{bounds}"
        if r.better:
            cell["against the faster"] = stands(r.low, r.high)
    found = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        found.index = pd.MultiIndex.from_tuples(found.index, names=["", "bytes"])
    return found


def stands(low: float | None, high: float | None) -> str:
    if low is None or pd.isna(low):
        return "no verdict: threads share cores, or too few forks"
    return "slower" if low > LOSES else "faster" if high < 1 else "as fast"


def theirs() -> pd.DataFrame:
    """The post's tables, times as they are and over work stealing's: `scene`, `mechanism`, `bytes`, `ms`, `ratio`."""
    table = pd.read_csv(PUBLISHED / "actor_scheduling.csv", comment="#")
    told = [scene("SELF", r.accesses, r.perworker, r.workers, "AS_PUBLISHED") for r in table.itertuples()]
    keys = ["workers", "accesses", "bytes"]
    stealing = table[table["mechanism"] == "WORK_STEALING"].set_index(keys)["ms"].rename("stealing")
    joined = table.assign(scene=told).join(stealing, on=keys)
    return joined.assign(ratio=joined["ms"] / joined["stealing"])[["scene", "mechanism", "bytes", "ms", "ratio"]]


def table(forks: pd.DataFrame) -> pd.DataFrame:
    """Time over work stealing's with the same state: a row a mechanism and scene, here and in the post, a column a size."""
    rows: dict[tuple[str, str, str], dict] = {}
    for key, own in forks.groupby([*SCENE, "bytes"]) if len(forks) else ():
        *where, state = key
        stealing = own[own["mechanism"] == "WORK_STEALING"]
        for mechanism, of in own.groupby("mechanism") if len(stealing) else ():
            told = scene(**dict(zip(SCENE, where, strict=True)))
            rows.setdefault((told, "here", look(mechanism).label), {})[state] = times(of, stealing)[0]
    for r in theirs().itertuples() if rows else ():
        rows.setdefault((r.scene, "the post", look(r.mechanism).label), {})[r.bytes] = r.ratio
    found = pd.DataFrame.from_dict(rows, orient="index")
    if rows:
        found = found[sorted(found.columns)].sort_index().round(2)
        found.index = pd.MultiIndex.from_tuples(found.index, names=["", "", "time over work stealing's"])
    return found


def moves(forks: pd.DataFrame) -> pd.DataFrame:
    """The share of messages that moved, a row a scene and mechanism, a column a size; `random`: what it were if threads were drawn."""
    rows = points(forks).dropna(subset=["moved"])
    if rows.empty:
        return rows
    told = rows.assign(mechanism=rows["mechanism"].map(lambda name: look(name).label))
    shares = told.pivot_table(index=["scene", "random", "mechanism"], columns="bytes", values="moved", observed=True)
    return shares.map(lambda share: "" if pd.isna(share) else percent(share))


def percent(share: float) -> str:
    """'12 %', '0.03 %', '0'."""
    return "0" if share <= 0 else f"{100 * share:.0f} %" if share >= 0.095 else f"{100 * share:.2g} %"


def misses_in_words(forks: pd.DataFrame) -> str:
    """Whether this machine counted cache misses."""
    if "cache_misses" in forks and forks["cache_misses"].notna().any():
        return "This machine counts cache misses: they are in the tables."
    return "Cache misses are not available here: this machine offers no hardware counters to its users, as most virtual ones do not."


def in_words(forks: pd.DataFrame) -> list[str]:
    """How soft affinity stands, how many messages moved, and whether misses were counted."""
    kept = baseline(forks)
    rows = against(kept)
    better = rows[rows["better"] & rows["low"].notna()] if len(rows) else rows
    told = []
    if len(better):
        counts = [stands(r.low, r.high) for r in better.itertuples()]
        sizes = ", ".join(f"{counts.count(word)} {word}" for word in ("faster", "as fast", "slower"))
        told.append(
            f"Soft affinity against the faster of work stealing and dedicated threads, at {counted(len(counts), 'point')}: {sizes}."
        )
    moved = points(kept)
    for mechanism in ("WORK_STEALING", "THREAD_POOL"):
        own = moved[(moved["mechanism"] == mechanism) & (moved["route"] == "SELF")].dropna(subset=["moved"])
        if len(own):
            least, most, drawn = percent(own["moved"].min()), percent(own["moved"].max()), percent(own["random"].iloc[0])
            told.append(f"{look(mechanism).label.capitalize()} moved {least} to {most} of an actor's messages; at random it were {drawn}.")
    return [*told, misses_in_words(forks)] if len(forks) else []
