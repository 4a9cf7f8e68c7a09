"""The claims of one run for its notebooks: the table for people, the picture, and verdicts.csv with
a trace for each verdict.
"""

import json
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from handoff.analysis.forks import compute_fork_means
from handoff.analysis.sessions import describe_sessions
from handoff.claims import columns, verdict_table
from handoff.claims import figure as picture
from handoff.claims.formatting import format_range, format_value
from handoff.claims.load import shorten_load
from handoff.claims.verdicts import CONTRADICTED, DIRECTIONS, NOT_MEASURED, REPRODUCED, VERDICTS
from handoff.draw.save import save_figure, use_style
from handoff.files import write_text
from handoff.paths import generated_folder
from handoff.run.store.run import Run
from handoff.tables import tidy, trace
from handoff.tables.schema import keep_integers
from handoff.text import pluralize

HEAD = {
    "claim": "claim",
    "reading": "read as",
    "says": "it says",
    "theirs": "theirs",
    "number": "ours",
    "interval": "90 % interval",
    "words": "verdict",
    "why": "why",
}


class ClaimsReport:
    """Verdicts of all studies, or of the one named."""

    def __init__(self, run: Run, study: str = "") -> None:
        use_style()
        self.run = run
        self.folder = generated_folder(run.folder)
        rows = verdict_table.build_verdict_table(run, [study] if study else None)
        self.forks = {
            name: compute_fork_means(tidy.load_table(run, name))
            for name in rows.loc[rows["points"].astype(bool), "study"].unique()
        }
        self.rows = rows.assign(trace=[self.trace(row) for row in rows.itertuples()])

    def trace(self, row: Any) -> str:
        """The id of a verdict that rests on forks; '' of the others."""
        if row.verdict == NOT_MEASURED or not row.points:
            return ""
        what = f"claim {row.claim}{f' ({row.reading})' if row.reading else ''}: {row.verdict}"
        # An interval also rests on the forks that say how much such forks vary.
        points = row.points + row.spread_points
        return trace.record_trace(self.run, what, self.behind(row.study, points))

    def picture_trace(self, study: str, rows: pd.DataFrame) -> str:
        points = [point for own in rows["points"] for point in own]
        return trace.record_trace(self.run, f"claims-{study}", self.behind(study, points))

    def behind(self, study: str, points: list[str]) -> pd.DataFrame:
        """The forks of these points."""
        forks = self.forks[study]
        return forks[forks["point"].isin(points)]

    def of(self, study: str) -> pd.DataFrame:
        return self.rows[self.rows["study"] == study]

    def table(self, study: str) -> Styler:
        """Claim, theirs, ours with its interval, verdict, why: as HTML with lines that wrap."""
        rows = self.of(study)
        shown = rows.assign(
            number=[
                "" if pd.isna(row.ours) else format_value(row.ours) for row in rows.itertuples()
            ],
            interval=[
                "" if pd.isna(row.low) else format_range(row.low, row.high)
                for row in rows.itertuples()
            ],
            why=[
                " ".join(
                    filter(
                        None,
                        [
                            r.reason,
                            f"Stands for: {r.coverage}." if r.coverage else "",
                            f"Load: {shorten_load(r.load)}." if r.load else "",
                        ],
                    )
                )
                for r in rows.itertuples()
            ],
        )
        styled = shown[list(HEAD)].rename(columns=HEAD).style.hide(axis="index")
        colours = [picture.VERDICT_LOOKS[verdict][0] for verdict in rows["verdict"]]
        styled.set_table_styles([{"selector": "th", "props": "text-align: left"}])
        return styled.apply(
            lambda _: [f"color: {colour}; font-weight: bold" for colour in colours],
            subset=["verdict"],
        ).set_properties(
            **{
                "text-align": "left",
                "vertical-align": "top",
                "white-space": "normal",
                "min-width": "4em",
            }
        )

    def figure(self, study: str) -> Figure | None:
        """One row a claim, theirs beside ours; None where there is neither, or the run did not
        measure the study.
        """
        rows = self.of(study)
        if study not in {point.study for point in self.run.points}:
            return None
        if rows["ours"].isna().all() and not rows["theirs_numbers"].any():
            return None
        ours = (
            f"{self.describe_sessions(study)}\n"
            f"{self.run.title()} trace {self.picture_trace(study, rows)}"
            if rows["ours"].notna().any()
            else ""
        )
        note = picture.write_note(rows, ours)
        fig = picture.draw_verdicts(rows, note)
        save_figure(fig, self.folder / "figures", f"claims-{study}")
        return fig

    def describe_sessions(self, study: str) -> str:
        forks = self.forks[study]
        return describe_sessions(forks["session"].nunique(), forks["host"].nunique())

    def save(self) -> Path:
        """Writes verdicts.csv, the tables beside it, and what their columns mean."""
        self.folder.mkdir(parents=True, exist_ok=True)
        tables = columns.split_rows(self.rows)
        for name, table in tables.items():
            whole = keep_integers(table, columns.TABLES[name][1])
            write_text(self.folder / f"{name}.csv", whole.to_csv(index=False))
        package = columns.describe_tables({name: list(table) for name, table in tables.items()})
        write_text(self.folder / "datapackage.json", json.dumps(package, indent=1) + "\n")
        return self.folder / "verdicts.csv"

    def verdicts(self, study: str) -> list[dict]:
        """The rows of a study as the paper prints them."""
        rows = self.of(study)
        parts = [
            "claim",
            "reading",
            "says",
            "place",
            "theirs",
            "verdict",
            "words",
            "reason",
            "coverage",
            "load",
            "forks",
            "trace",
        ]
        return [
            {name: getattr(row, name) for name in parts}
            | {"ours": format_ours(row), "load": shorten_load(row.load)}
            for row in rows.itertuples()
        ]

    def summary(self, study: str) -> str:
        """'3 reproduced, 2 contradicted, ... of 14 claims'; a claim with several readings counts by
        each verdict that it gets.
        """
        rows = self.of(study)
        numbers = [
            (verdict, rows.loc[rows["verdict"] == verdict, "claim"].nunique())
            for verdict in VERDICTS
        ]
        return f"{pluralize(rows['claim'].nunique(), 'claim')}: " + ", ".join(
            f"{number} {verdict}" for verdict, number in numbers if number
        )

    def divided(self, study: str) -> list[str]:
        """A sentence for each claim whose readings do not agree: which says what."""
        parts = []
        for claim, rows in self.of(study).groupby("claim", sort=False):
            if rows["verdict"].nunique() > 1:
                found = set(rows["verdict"])
                opposite = CONTRADICTED in found and bool(found & {REPRODUCED, *DIRECTIONS})
                says = (
                    "depends on how it is read"
                    if opposite
                    else "is not decided alike in all readings"
                )
                parts.append(
                    f"{claim} {says}: "
                    + "; ".join(
                        f"{r.reading or 'as published'}: {r.verdict}" for r in rows.itertuples()
                    )
                    + "."
                )
        return parts

    def shown(self, study: str) -> list[str]:
        """What is reported beside the verdicts and decides nothing."""
        rows = self.of(study)
        return [
            f"{r.claim}{f' ({r.reading})' if r.reading else ''}: {part}"
            for r in rows.itertuples()
            for part in r.shown
        ]


def format_ours(row: Any) -> str:
    """'4.00 [3.72 to 4.30]', with where it stands."""
    if pd.isna(row.ours):
        return ""
    bounds = "" if pd.isna(row.low) else f" [{format_range(row.low, row.high)}]"
    return f"{format_value(row.ours)}{bounds}"
