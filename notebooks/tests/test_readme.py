"""README's tables of verdicts are those of the shipped run."""

import shutil

import pandas as pd
import pytest

from handoff.claims import verdict_table
from handoff.claims.sentences import format_value
from handoff.claims.verdicts import NOT_MEASURED, NOT_TESTABLE
from handoff.paths import ROOT, RUNS
from handoff.run import store
from handoff.tables import tidy


def lines(table: pd.DataFrame) -> list[str]:
    """A line a claim: what it says, its figure, and the verdict with the numbers
    of its readings.
    """
    parts = []
    for claim, rows in table.groupby("claim", sort=False):
        first = rows.iloc[0]
        verdicts = " / ".join(dict.fromkeys(rows["verdict"]))
        if first["verdict"] == NOT_TESTABLE:
            verdicts += f": {first['reason'][0].lower()}{first['reason'][1:].rstrip('.')}"
        else:
            verdicts = f"**{verdicts}**: {', '.join(format_value(ours) for ours in rows['ours'])}"
        figure = "" if pd.isna(first["figure"]) else f" {first['figure']:.0f} |"
        parts.append(f"| {claim} | {first['says'].rstrip('.')} |{figure} {verdicts} |")
    return parts


def in_readme(*starts: str) -> list[str]:
    return [
        line for line in (ROOT / "README.md").read_text().splitlines() if line.startswith(starts)
    ]


def test_the_table_of_verdicts_is_the_shipped_runs(reference):
    judged = verdict_table.build_verdict_table(reference, ["topologies", "latency", "counters"])
    wanted = lines(verdict_table.build_verdict_table(reference, ["scaling"])) + lines(
        judged[judged["verdict"] != NOT_TESTABLE]
    )
    assert in_readme("| P", "| L") == wanted, "README's table should be:\n" + "\n".join(wanted)


@pytest.mark.parametrize(("study", "letter"), [("executors", "X"), ("ring", "R"), ("actors", "A")])
def test_the_table_of_a_study_apart_is_its_shipped_runs(study, letter, tmp_path):
    shutil.copytree(RUNS / f"reference-{study}", tmp_path / study)
    run = store.read_run(tmp_path / study)
    tidy.write_tables(run)
    judged = verdict_table.build_verdict_table(run, [study])
    wanted = lines(judged[~judged["verdict"].isin([NOT_TESTABLE, NOT_MEASURED])])
    assert [line for line in in_readme(f"| {letter}") if line[3].isdigit()] == wanted, (
        "README's table should be:\n" + "\n".join(wanted)
    )
