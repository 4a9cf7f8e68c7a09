"""What the forks of a run come to, as numbers: points.csv, effects.csv and arms.csv of tidy/."""

import pandas as pd

from handoff.analysis.effects import tabulate_effects
from handoff.analysis.swept import Swept, load_swept, measure_levels
from handoff.run.store.identity import ARMS
from handoff.run.store.run import Run
from handoff.tables import schema, tidy
from handoff.tables.rows import HASH_DIGITS

ENDS = ("", "_low", "_high")
"""Endings of the columns of a response: its level, and the ends of the interval."""


def write_summary(run: Run, tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Add what its forks come to to each point, and the effects; return all tables of tidy/.

    `tables` are those that `tables.tidy.write_tables` has just written. The numbers are those of
    the report of the sweep, unrounded.
    """
    studies = [load_swept(run, study) for study in tidy.list_studies(run)]
    levels = [tabulate_levels(swept) for swept in studies]
    effects = [label_effects(swept) for swept in studies]
    points = tables["points"]
    if levels:
        points = points.merge(pd.concat(levels), how="left", left_on="point", right_index=True)
    # A study of single forks has no effects, and the types of its blank columns are unknown.
    rows = [table for table in effects if len(table)]
    made = {"effects": pd.concat(rows, ignore_index=True)} if rows else {}
    if run.sweep.arms:
        made["arms"] = tabulate_arms(run)
    summary = {**tables, "points": points, **made}
    folder = run.folder / "tidy"
    for name in ("points", *made):
        schema.write_table(summary[name], folder / f"{name}.csv")
    schema.write_package(folder, summary)
    return summary


def tabulate_levels(swept: Swept) -> pd.DataFrame:
    """Return the sessions of each point, and each response with its 95 % interval, by point."""
    sessions = swept.forks.groupby("point")["session"].nunique()
    table = pd.DataFrame({"sessions": sessions})
    for response in swept.responses:
        levels = measure_levels(swept.forks, response.column)
        rows = {point: (made.level, made.low, made.high) for point, made in levels.items()}
        names = [f"{response.column}{end}" for end in ENDS]
        found = pd.DataFrame.from_dict(rows, orient="index", columns=names)
        table = table.join(found.astype(float))
    return table


def tabulate_arms(run: Run) -> pd.DataFrame:
    """Return the JDK, the jar and the flags of each arm, in the sweep's order."""
    rows = []
    for name in run.sweep.arms:
        java = run.identity.get(ARMS, {}).get(name, run.identity)
        flags = " ".join(run.sweep.make_jvm(name).flags)
        row = {"arm": name, "jdk": java["jdk"], "jar": java["jar"][:HASH_DIGITS], "flags": flags}
        rows.append(row)
    return pd.DataFrame(rows, columns=["arm", "jdk", "jar", "flags"])


def label_effects(swept: Swept) -> pd.DataFrame:
    """Return the effects on a study's first response, as in the report of its sweep."""
    response = swept.responses[0].column
    effects = tabulate_effects(swept, response)
    return pd.concat(
        [pd.DataFrame({"study": swept.study.name, "response": response}, effects.index), effects],
        axis=1,
    )
