"""When a fork has warmed up: the rule of the jar's `handoff.measure.WarmUpRule`, for forks whose
shots were all recorded, and how level the shots are that were counted after it.
"""

from collections.abc import Sequence

import pandas as pd

WINDOW = 4
GAIN = 0.03
QUIET_CORES = 0.05


def count_warm_up(wall_ns: Sequence[float], compiler_ns: Sequence[float | None]) -> int | None:
    """The number of shots after which the rule ends a fork's warm-up; None where it never does."""
    for end in range(WINDOW + 1, len(wall_ns) + 1):
        if has_settled(wall_ns[:end], compiler_ns[:end]):
            return end
    return None


def has_settled(wall_ns: Sequence[float], compiler_ns: Sequence[float | None]) -> bool:
    """Whether none of the last shots was faster than the fastest before them by more than GAIN, and
    the compilers were quiet meanwhile; where their time is not known, the shots alone decide.
    """
    if len(wall_ns) <= WINDOW:
        return False
    last, compilers = wall_ns[-WINDOW:], [ns for ns in compiler_ns[-WINDOW:] if ns is not None]
    quiet = len(compilers) < WINDOW or sum(compilers) <= QUIET_CORES * sum(last)
    return quiet and min(last) >= (1 - GAIN) * min(wall_ns[:-WINDOW])


def tabulate_settling(shots: pd.DataFrame) -> pd.DataFrame:
    """One row a study, over its forks that count: how many there are, how many `settled` of those
    that warmed up by the rule, after how many shots and seconds (medians), and the `first / last`
    counted shot's time, median of forks.
    """
    rows = []
    counted = shots[shots["counted"] & ~shots["warmup"]] if len(shots) else shots
    for study, own in counted.groupby("study", sort=False) if len(counted) else []:
        forks = own.sort_values("shot").groupby(["point", "fork"], sort=False)
        first, last = forks["wall_ns"].first(), forks["wall_ns"].last()
        told = forks[["settled", "warmup_shots", "warmup_ns"]].first().dropna()
        rows.append(
            {
                "study": study,
                "forks": len(first),
                "warmed up": len(told),
                "settled": int(told["settled"].astype(bool).sum()),
                "shots": told["warmup_shots"].median(),
                "seconds": told["warmup_ns"].median() / 1e9,
                "first / last": (first / last).median(),
            }
        )
    return pd.DataFrame(rows).round({"seconds": 2, "first / last": 3})
