"""The sources' published tables as a study would see them: in its units, with points, and which of
these have a core for each thread.
"""

import pandas as pd

from handoff.claims.files import load_claim_files
from handoff.claims.readers import observe_tables


def list_tables() -> list[tuple[str, str]]:
    """Study and machine of each."""
    return [(s, m) for s, file in load_claim_files().items() for m in observe_tables(file)]


def count_threads(study: str, row: pd.Series) -> int:
    """On the event path of a published number."""
    match study:
        case "executors":
            return int(row["threads"]) + (2 if row["mechanism"].startswith("DISRUPTOR") else 1)
        case "topologies":
            return 2 if row["topology"] == "UNICAST" else 4
        case "latency":
            return 4
        case "actors":
            return int(row["workers"])
    return 1 if pd.isna(row["threads"]) else int(row["threads"])


def is_measured(column: str) -> bool:
    return column in ("time", "stayed") or "_" in column


def convert_units(rows: pd.DataFrame) -> pd.DataFrame:
    """Published numbers with their times as loads are told: in nanoseconds a hop."""
    measured = [n for n in rows.select_dtypes("number") if is_measured(n)]
    rows = rows.astype(dict.fromkeys(measured, float))
    if "rounds" in rows and rows["rounds"].notna().all():
        # A hundred nodes pass four tokens on in a round.
        return rows.assign(time=rows["time"] * 1e9 / (rows["rounds"] * 400))
    return rows


def place_rows(study: str, rows: pd.DataFrame, cores: int, parameters: list[str]) -> pd.DataFrame:
    """In the units of loads, with `point` and `oversubscribed`."""
    rows = convert_units(rows)
    shared = [count_threads(study, row) > cores for _, row in rows.iterrows()]
    point = rows.groupby(parameters, dropna=False, sort=False).ngroup().astype(str)
    return rows.assign(oversubscribed=shared, point=point)
