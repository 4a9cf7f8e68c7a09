"""From shots to forks: the fork is the unit of statistics."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.intervals import MIN_FORKS, Estimate, Interval, Term, estimate
from handoff.analysis.sessions import SessionMeans
from handoff.catalog import load_catalog

FLOOR_SHARE = 0.5
"""Share of the variance of a setting's points that a point has at least."""

LEAST_SPREAD, LEAST_CPU_SPREAD = 0.06, 0.03
"""Smallest spread that is assumed between forks, in time and in CPU usage.

Some forks are of a slow kind that is so rare that five or ten of them may include none, and then
agree far too well: see tests/calibration.py. Forks of the shipped runs differ by 7 to 15 % and by 1
to 5 % (medians of points).
"""

TIMES = ("wall_ns", "user_ns", "sys_ns", "producer_ns")
SWITCHES = ("voluntary", "involuntary")
HOPS = ("hop_near_ns", "hop_far_ns")
EXTREMES = ("min", "max")


def select_measurements(shots: pd.DataFrame) -> pd.DataFrame:
    """Return the shots, warm-up included, of the measurements that count."""
    measurement = shots.groupby(["point", "fork", "again"])["counted"]
    return shots[measurement.transform("any").astype(bool)]


def compute_fork_means(shots: pd.DataFrame) -> pd.DataFrame:
    """Return one row per fork, over its measured shots.

    Of a fork that was measured again because it ran disturbed, the measurement that counts is used.
    New columns: `cpu_process`, `cpu_workers`, `cpu_producer` (the first thread) and `cpu_rest`, CPU
    time over wall time, in cores. `ns_per_event` is the mean over shots, `too_short` says whether
    any shot was, `voluntary` and `involuntary` are per event. The study's other measures, and the
    cost of a hop, are medians over shots; of a least or greatest value, the least or greatest. All
    other columns of the point and the fork are kept, and `variation` is added.
    """
    if shots.empty:
        return shots
    spec = load_catalog().get(shots["study"].iloc[0])
    measured = shots[shots["counted"]]
    measured = measured.assign(producer_ns=measured["cpu_producer"] * measured["wall_ns"])
    grouped = measured.groupby(["point", "fork"], sort=False)
    forks = grouped.first()
    total = grouped[[*TIMES, "workers_ns", "events", *SWITCHES]].sum()
    forks["ns_per_event"] = grouped["ns_per_event"].mean()
    forks["cpu_process"] = (total["user_ns"] + total["sys_ns"]) / total["wall_ns"]
    forks["cpu_workers"] = total["workers_ns"] / total["wall_ns"]
    forks["cpu_producer"] = total["producer_ns"] / total["wall_ns"]
    forks["cpu_rest"] = forks["cpu_process"] - forks["cpu_workers"]
    forks["too_short"] = grouped["too_short"].any()
    for switches in SWITCHES:
        forks[switches] = total[switches] / total["events"]
    for name in (*HOPS, *(spec.measures if spec else [])):
        if name in measured:
            last = name.rpartition("_")[2]
            forks[name] = grouped[name].agg(last if last in EXTREMES else "median")
    of_shots = ["shot", "warmup", "counted", *TIMES, "gc_ns", "compiler_ns"]
    forks = forks.drop(columns=of_shots).reset_index()
    return forks.assign(
        variation=Variation(forks, ["arm", *(spec.defaults() if spec else ["mechanism"])])
    )


class Variation:
    """Variation of the forks of one study, within points and between sessions, by quantity.

    Each row of a table of forks has it in the column `variation`, so that a comparison of two
    points uses what all points of the study show.
    """

    def __init__(self, forks: pd.DataFrame, parameters: Iterable[str]) -> None:
        self.forks = forks
        self.words = [
            name
            for name in parameters
            if name in forks and any(isinstance(value, str) for value in forks[name])
        ]
        self.known: dict[str, tuple[dict[str, float], SessionMeans]] = {}

    def of(self, column: str) -> tuple[dict[str, float], SessionMeans]:
        """Return the variance floor of each point, and the means of the sessions."""
        if column not in self.known:
            floors = compute_floors(self.forks, column, self.words)
            self.known[column] = floors, list_session_means(self.forks, column)
        return self.known[column]


def select_fit(forks: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the forks with positive values whose threads have a core each."""
    fit = forks[column] > 0
    if "oversubscribed" in forks:
        fit &= ~forks["oversubscribed"].astype(bool)
    return forks[fit]


def prefer_fitting(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose threads have a core each, or all where none has."""
    fitting = rows[~rows["oversubscribed"].astype(bool)] if len(rows) else rows
    return fitting if len(fitting) else rows


def compute_floors(forks: pd.DataFrame, column: str, words: list[str]) -> dict[str, float]:
    """Return the smallest variance that the forks of each point are assumed to have.

    Forks are sometimes of two kinds, such as fast and slow ones. Where the few forks of one point
    happen to be of one kind, they agree too well. The points of its setting, which has the same
    `words` as parameters at all numbers, correct that: the floor is FLOOR_SHARE of their mean
    variance within a session, and at least LEAST_SPREAD squared. Crowded points are left out.
    """
    setting = pd.Series(
        [str(tuple(values)) for values in forks[words].itertuples(index=False)], forks.index
    )
    fit = select_fit(forks, column)
    logs = np.log(fit[column].astype(float))
    apart = [fit[name] for name in ("point", "session") if name in fit]
    floors = {
        name: compute_floor(column, [part.to_numpy() for _, part in own.groupby(apart)])
        for name, own in logs.groupby(setting.loc[fit.index])
    }
    least = compute_floor(column, [])
    return {
        point: floors.get(name, least)
        for point, name in setting.groupby(forks["point"]).first().items()
    }


def compute_floor(column: str, groups: list[np.ndarray]) -> float:
    """Return the variance floor from logarithms, grouped by a setting's points and sessions."""
    least = LEAST_CPU_SPREAD if column.startswith("cpu") else LEAST_SPREAD
    free = sum(len(group) - 1 for group in groups)
    squares = sum(((group - group.mean()) ** 2).sum() for group in groups)
    return max(FLOOR_SHARE * squares / free if free else 0.0, least**2)


def list_session_means(forks: pd.DataFrame, column: str) -> SessionMeans:
    """Return the session means of the study's points that fit the cores; none without sessions."""
    fit = select_fit(forks, column) if "session" in forks else forks.head(0)
    return SessionMeans(
        (
            rows["mechanism"].iloc[0],
            np.log(rows[column].to_numpy(float)),
            rows["session"].to_numpy(),
        )
        for _, rows in fit.groupby("point", sort=False)
    )


def make_term(
    weight: float, forks: pd.DataFrame, column: str = "ns_per_event", like: str = ""
) -> Term:
    """Return one point's part of an estimate; its logarithms are not finite for values up to 0.

    `like` is the quantity whose variation stands for that of a derived column. Forks without the
    column `variation`, as in tables made by hand, have none beyond their own.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(forks[column].to_numpy(float))
    sessions = forks["session"].to_numpy() if "session" in forks else None
    if "variation" not in forks:
        return Term(weight, logs, 0.0, sessions)
    first = forks.iloc[0]
    floors, means = first["variation"].of(like or column)
    mechanism = first.get("mechanism", "")
    return Term(weight, logs, floors[first["point"]], sessions, mechanism, means)


class Level(NamedTuple):
    """The level of a point, and its 95 % intervals: one per session, or one from three on."""

    level: float
    bars: list[Interval]

    @property
    def low(self) -> float | None:
        return min((low for low, _ in self.bars), default=None)

    @property
    def high(self) -> float | None:
        return max((high for _, high in self.bars), default=None)


def measure_level(forks: pd.DataFrame, column: str = "ns_per_event", like: str = "") -> Level:
    """Return a point's level: the geometric mean over its sessions, which weigh alike.

    Of values that may be 0, the plain mean. There are no bars for these, where threads share cores,
    and below five forks.
    """
    if not (forks[column] > 0).all():
        return Level(float(forks[column].mean()), [])
    made = estimate([make_term(1.0, forks, column, like)])
    if made.forks < MIN_FORKS or ("oversubscribed" in forks and forks["oversubscribed"].any()):
        return Level(made.ratio, [])
    bars = [part.interval(fewest=2) for part in made.apart] or [made.interval()]
    return Level(made.ratio, [bounds for bounds in bars if bounds])


def mean_level(forks: pd.DataFrame, column: str = "ns_per_event", like: str = "") -> float:
    """Return the level of `measure_level` alone."""
    return measure_level(forks, column, like).level


def estimate_ratio(numerator: pd.DataFrame, denominator: pd.DataFrame) -> Estimate:
    """Return the ratio of two points' times per event, formed within sessions."""
    return estimate([make_term(1.0, numerator), make_term(-1.0, denominator)])


def compare_times(
    after: pd.DataFrame, before: pd.DataFrame
) -> tuple[float, float | None, float | None, bool]:
    """Return the ratio of two points' times, `low` and `high` (95 %), and whether cores are shared.

    There are no bounds where threads of either point share cores, or below five forks.
    """
    made = estimate_ratio(after, before)
    shared = any(
        "oversubscribed" in side and bool(side["oversubscribed"].any()) for side in (after, before)
    )
    return made.ratio, *((None, None) if shared else made.interval() or (None, None)), shared


def round_table(table: pd.DataFrame, digits: Mapping[str, int]) -> pd.DataFrame:
    """Return the table with these decimals by column, the bounds of intervals rounded outwards."""
    rounded = table.round(digits)
    for name, outwards in (("low", np.floor), ("high", np.ceil)):
        for column in (c for c in digits if c == name or c.endswith(f"_{name}")):
            # A number that is exact at these decimals is not moved by binary fractions.
            scaled = (table[column].astype(float) * 10 ** digits[column]).round(6)
            rounded[column] = outwards(scaled) / 10 ** digits[column]
    return rounded
