"""README's tables of verdicts are those of the shipped run."""

import pandas as pd

from handoff.judge import results
from handoff.judge.verdicts import NOT_TESTABLE
from handoff.judge.words import value
from handoff.paths import ROOT


def lines(table: pd.DataFrame) -> list[str]:
    """A line a claim: what it says, its figure, and the verdict with the numbers of its readings."""
    told = []
    for claim, rows in table.groupby("claim", sort=False):
        first = rows.iloc[0]
        verdicts = " / ".join(dict.fromkeys(rows["verdict"]))
        if first["verdict"] == NOT_TESTABLE:
            verdicts += f": {first['reason'][0].lower()}{first['reason'][1:].rstrip('.')}"
        else:
            verdicts = f"**{verdicts}**: {', '.join(value(ours) for ours in rows['ours'])}"
        figure = "" if pd.isna(first["figure"]) else f" {first['figure']:.0f} |"
        told.append(f"| {claim} | {first['says'].rstrip('.')} |{figure} {verdicts} |")
    return told


def test_the_table_of_verdicts_is_the_shipped_runs(reference):
    judged = results.table(reference, ["topologies", "latency", "counters", "executors"])
    wanted = lines(results.table(reference, ["scaling"])) + lines(judged[judged["verdict"] != NOT_TESTABLE])
    readme = (ROOT / "README.md").read_text().splitlines()
    there = [line for line in readme if line.startswith(("| P", "| L", "| X"))]
    assert there == wanted, "README's table should be:\n" + "\n".join(wanted)
