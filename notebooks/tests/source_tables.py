"""Published tables of the sources, as a study would measure them.

They are in its units, with points and a flag for oversubscribed ones.
"""

import pandas as pd

from handoff.claims.files import load_claim_files
from handoff.claims.model import ClaimFile
from handoff.claims.readers import observe_tables

from . import synthetic


def list_tables() -> list[tuple[str, str]]:
    """Return the study and machine of each table."""
    return [(s, m) for s, file in load_claim_files().items() for m in observe_tables(file)]


def count_threads(study: str, row: pd.Series) -> int:
    """Return the number of threads on the event path of a published row."""
    if study in ("executors", "topologies", "actors"):
        return synthetic.count_threads(study, row)
    if study == "latency":
        return 4
    return 1 if pd.isna(row["threads"]) else int(row["threads"])


def is_measured(column: str) -> bool:
    return column in ("time", "stayed") or "_" in column


def convert_units(rows: pd.DataFrame) -> pd.DataFrame:
    """Return published numbers with times in the unit of loads: nanoseconds per hop."""
    measured = [n for n in rows.select_dtypes("number") if is_measured(n)]
    rows = rows.astype(dict.fromkeys(measured, float))
    if "rounds" in rows and rows["rounds"].notna().all():
        # In a round, each of a hundred nodes passes on four tokens.
        return rows.assign(time=rows["time"] * 1e9 / (rows["rounds"] * 400))
    return rows


def place_rows(study: str, rows: pd.DataFrame, cores: int, parameters: list[str]) -> pd.DataFrame:
    """Return rows in the units of loads, with `point` and `oversubscribed`."""
    rows = convert_units(rows)
    shared = [count_threads(study, row) > cores for _, row in rows.iterrows()]
    point = rows.groupby(parameters, dropna=False, sort=False).ngroup().astype(str)
    return rows.assign(oversubscribed=shared, point=point)


def judge_everything(study: str) -> ClaimFile:
    """Return a study's claims with all readings judged, also of releases that only the source has.

    They are judged as if machines of today had measured the source's tables.
    """
    return load_claim_files()[study].model_copy(update={"parameters": {}})
