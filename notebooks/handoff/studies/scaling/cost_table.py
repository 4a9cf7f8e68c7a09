"""Numbers of the figure of costs: time over one thread's, and cores kept busy, of one consumer."""

import pandas as pd

from handoff.analysis.baseline import select_baseline
from handoff.studies.scaling import STUDY
from handoff.studies.scaling.numbers import average_alone, tabulate_ratios

QUEUE, POOL, STRIPED = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED"
RINGS = (POOL, STRIPED)
NAMES = {QUEUE: "blocking queue", POOL: "Disruptor", STRIPED: "Disruptor"}

EVERY = 0
"""Session number of the rows about all sessions together."""


def select_forks(forks: pd.DataFrame, shown: pd.DataFrame) -> pd.DataFrame:
    """Return the forks of the figure: those of one consumer and of one thread alone, that fit.

    `shown` are those of the other figures, which have one release; of the Disruptor, those of the
    other releases are added, under the same choices, or else with the sort of their setting and
    one thread alone with that sort.
    """
    if shown.empty:
        return shown
    rings = shown[shown["mechanism"].isin(RINGS)]
    measured = forks.loc[forks["mechanism"].isin(RINGS), "release"]
    parts = [shown]
    for release in sorted(set(measured) - set(rings["release"]), reverse=True):
        parts.append(select_release(forks, str(release)))
    every = pd.concat(parts)
    every = every[~every["oversubscribed"].astype(bool)]
    drawn = every["mechanism"].isin(choose_mechanisms(every)) & (every["consumers"] == 1)
    return every[drawn | (every["mechanism"] == STUDY.sequential)]


def select_release(forks: pd.DataFrame, release: str) -> pd.DataFrame:
    """Return the forks of the Disruptor in a release, with one thread alone if its sort differs."""
    free = ("consumers", "sorts")
    same = select_baseline(forks, STUDY.name, free, release=release)
    same = same[same["mechanism"].isin(RINGS)]
    if len(same):
        return same
    measured = forks[forks["mechanism"].isin(RINGS) & (forks["release"] == release)]
    sort = measured["sort"].mode().iloc[0]
    other = select_baseline(forks, STUDY.name, free, release=release, sort=sort)
    return other[other["mechanism"].isin((*RINGS, STUDY.sequential))]


def tabulate_costs(forks: pd.DataFrame) -> pd.DataFrame:
    """Return time over one thread's and cores kept busy, per line, load and session.

    `forks` are those of `select_forks`. The columns are those of `tabulate_ratios`, and the `name`
    and `release` of the line; `session` 0 stands for all sessions together.
    """
    parts = [tabulate_ratios(forks[:0]).assign(session=EVERY, name="", release="")]
    for (name, release), rows in split_lines(forks).items():
        sessions = rows.groupby("session") if "session" in rows else ()
        for session, some in ((EVERY, rows), *sessions):
            part = tabulate_ratios(some).assign(session=session, name=name, release=release)
            if len(part):
                parts.append(part.assign(work_ns=part["sorts"].map(average_alone(rows))))
    return pd.concat(parts[1:] or parts)


def split_lines(forks: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the forks of each line and of one thread alone, by the line's name and release."""
    if forks.empty:
        return {}
    alone = forks[forks["mechanism"] == STUDY.sequential]
    lines = {}
    for mechanism in choose_mechanisms(forks):
        rows = forks[forks["mechanism"] == mechanism]
        for release in rows["release"].unique() if mechanism in RINGS else [""]:
            chosen = rows[rows["release"] == release] if release else rows
            name = f"{NAMES[mechanism]} {release}".strip()
            same_work = alone[alone["sort"].isin(chosen["sort"])]
            lines[name, release] = pd.concat([same_work, chosen])
    return lines


def choose_mechanisms(rows: pd.DataFrame) -> list[str]:
    """Return the queue, and one Disruptor: the pool, or without it the striped handlers."""
    known = set(rows["mechanism"])
    return [QUEUE] * (QUEUE in known) + [n for n in (POOL, STRIPED) if n in known][:1]


def select_lines(costs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the points of all sessions together by line, those with the least work first."""
    every = costs[costs["session"] == EVERY].sort_values("work_ns")
    return {name: every[every["name"] == name] for name in costs["name"].unique()}
