"""The claims of one run for notebooks and papers: tables, pictures and files with traces."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from handoff.analysis.forks import compute_fork_means, list_session_means
from handoff.claims import verdict_table, verdicts
from handoff.claims.claim_rows import REST, describe_answer, tabulate_choices, tabulate_claims
from handoff.claims.files import load_claim_files
from handoff.paths import generated_folder
from handoff.run.store.run import Run
from handoff.tables import tidy, trace
from handoff.tables.schema import save_tables
from handoff.text import format_value

GREY = "#777777"
COLOURS = {verdicts.REPRODUCED: "#009E73", verdicts.CONTRADICTED: "#D55E00"}
COLOURS |= dict.fromkeys(verdicts.DIRECTIONS, "#56B4E9")
"""Colours of verdicts in a notebook's table; other verdicts are GREY."""

CELL = "text-align: left; vertical-align: top; white-space: normal; min-width: 4em"


class ClaimsReport:
    """Verdicts of the studies that the run measured, or of one study."""

    def __init__(self, run: Run, study: str = "") -> None:
        self.run = run
        self.folder = generated_folder(run.folder)
        rows = verdict_table.build_verdict_table(run, [study] if study else None)
        self.forks = {
            name: compute_fork_means(tidy.load_table(run, name))
            for name in rows.loc[rows["points"].astype(bool), "study"].unique()
        }
        self.rows = rows.assign(trace=[self.trace(row) for row in rows.itertuples()])

    def trace(self, row: Any) -> str:
        """Record the forks behind a verdict; return the trace's id, '' without forks."""
        if row.verdict == verdicts.NOT_MEASURED or not row.points:
            return ""
        # An interval also rests on the forks that show how much such forks vary.
        forks, points = self.forks[row.study], row.points + row.spread_points
        behind = forks[forks["point"].isin(points)]
        setting = f", {row.setting}" if row.setting else ""
        return trace.record_trace(self.run, f"claim {row.claim}{setting}: {row.verdict}", behind)

    def of(self, study: str) -> pd.DataFrame:
        return self.rows[self.rows["study"] == study]

    def claims(self, study: str) -> list[dict]:
        """Return one row per claim: what the source says, and what was found in each setting."""
        return tabulate_claims(self.of(study))

    def choices(self, study: str) -> list[dict]:
        """Return one row per claim, setting and choice that the source leaves open, as text."""
        return tabulate_choices(self.of(study))

    def table(self, study: str) -> Styler:
        """Return the rows of `claims` as HTML."""
        rows, colours = [], []
        for claim in self.claims(study):
            answers = {a["setting"]: describe_answer(a) for a in claim["answers"]}
            named = {"claim": f"{claim['claim']}: {claim['says']}", "test": claim["test"]}
            rows.append(named | answers | {REST: claim["rest"]})
            colours.append(
                {a["setting"]: COLOURS.get(a["verdict"], GREY) for a in claim["answers"]}
            )
        styles = pd.DataFrame(colours).map(lambda colour: f"color: {colour}; font-weight: bold")
        table = pd.DataFrame(rows).style.hide(axis="index")
        looks = {"th": "text-align: left", "td": CELL}
        table.set_table_styles([{"selector": cell, "props": look} for cell, look in looks.items()])
        return table.apply(lambda _: styles, axis=None, subset=list(styles))

    def save(self) -> Path:
        """Write verdicts.csv, the tables next to it, and the Data Package of their columns."""
        save_tables(self.folder, verdict_table.split_rows(self.rows), "verdicts")
        return self.folder / "verdicts.csv"

    def summary(self, study: str) -> str:
        """Return '14 claims: 3 reproduced, 2 contradicted ...', for each setting."""
        return verdict_table.count_claims(self.of(study))

    def shown(self, study: str) -> list[str]:
        """Return what is reported next to the verdicts and decides nothing."""
        parts = []
        for row in self.of(study).itertuples():
            where = f"{row.claim}, {row.setting}" if row.setting else row.claim
            parts += [f"{where}: {part}" for part in row.shown]
        return [*parts, *filter(None, [describe_wake_ups(self.run, study)])]

    def drift(self, study: str) -> list[str]:
        """Say what sessions took, and what differs in their ratios; [] with one session."""
        return describe_drift(self.forks[study]) if study in self.forks else []


def describe_wake_ups(run: Run, study: str) -> str:
    """Say what a wake-up costs on the run's machine, for claims whose sizes are made of them."""
    file = load_claim_files().get(study)
    claims = [name for name, claim in file.claims.items() if claim.wakes] if file else []
    if not claims:
        return ""
    head = f"{', '.join(claims)}: their sizes contain wake-ups of threads and are this machine's"
    hops = tidy.load_table(run, "hops") if "hops" in tidy.list_studies(run) else pd.DataFrame()
    forks = compute_fork_means(hops)
    forks = forks[forks["mechanism"] == "PRIMITIVES"] if len(forks) else forks
    if forks.empty:
        return f"{head}; `hops` times them, and this run does not have it."
    there_and_back, call = (forks[name].median() for name in ("park_unpark_ns", "unpark_ns"))
    return (
        f"{head}: park and unpark take {format_value(there_and_back)} ns there and back, of which"
        f" the call of unpark is {format_value(call)} ns (medians of {len(forks)} forks)."
    )


def describe_drift(forks: pd.DataFrame) -> list[str]:
    """Say what each session took, and how much ratios differ between sessions; [] with one."""
    study = list_session_means(forks, "ns_per_event")
    spread = study.measure_spread(study.usual)
    if spread is None:
        return []
    means = pd.DataFrame([sessions for _, sessions in study.points])[[*study.usual]].dropna()
    times = np.exp((means.T - means.mean(axis=1)).mean(axis=1))
    parts = {"mechanisms": spread.mechanisms, "points of a mechanism": spread.rest}
    squares = [
        f"{square.value:.2g} ({square.freedom} degrees of freedom) between {of}"
        for of, square in parts.items()
        if square.freedom
    ]
    kind = "Nodes" if forks["host"].nunique() > 1 else "Sessions"
    return [
        f"{kind} {', '.join(str(s) for s in times.index)} took"
        f" {', '.join(f'{t:.3f}' for t in times)} of the mean time of the {len(means)} points that"
        " fit the cores; ratios do not contain this.",
        "They contain what differs beyond it: mean squares of logarithms of"
        f" {' and '.join(squares)}.",
    ]
