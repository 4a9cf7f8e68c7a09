"""Confirmation: which verdicts of the run before the rules the next reference run gives again."""

from collections import Counter

import pandas as pd

from handoff.claims.figure import format_ours
from handoff.claims.judgings import list_changes
from handoff.claims.verdicts import CONTRADICTED, INCONCLUSIVE, JUDGED
from handoff.paths import DATA
from handoff.text import format_table, pluralize

EARLIER = DATA / "confirmation.csv"
"""The judged rows of verdicts.csv of the run that had been seen when the rules were chosen."""

KEYS = ["study", "claim", "reading"]

STAYED, DECIDED, LOST = "stayed", "decided now", "not decided again"
REVERSED, OTHER_SIZE, UNJUDGED = "reversed", "another size", "not judged now"
OUTCOMES = (STAYED, DECIDED, OTHER_SIZE, LOST, REVERSED, UNJUDGED)

INTRODUCTION = """\
## Confirmation

The rules of judging and the tests were chosen when the forks of an earlier run had been seen. The
run above was planned afterwards, under these rules. *Earlier* and *here* have the ratio (or level)
that decides, its interval, and the verdict.

Two rules on what a session is changed on 2026-11-26, before any verdict of this run was computed.
After its second session: `full` continues the session of `quick`, unless its anchors find that the
machine has changed; before, its forks were a session of their own, minutes later. After its third:
merged runs, here those of `full` and `ladder`, keep their own sessions; before, a pause of one that
the other had filled in part separated none.
"""


def compare_verdicts(earlier: pd.DataFrame, now: pd.DataFrame) -> pd.DataFrame:
    """Return the earlier rows with those of now in columns ending in `_now`, and `outcome`.

    Both are tables of verdicts, with one row per study, claim and reading.
    """
    rows = earlier.merge(now, "left", KEYS, suffixes=("", "_now"))
    pairs = zip(rows["verdict"], rows["verdict_now"], strict=True)
    return rows.assign(outcome=[name_outcome(*pair) for pair in pairs])


def name_outcome(earlier: str, now: str) -> str:
    """Return what became of a verdict; `now` is missing (NaN) where the run has no such row."""
    if now not in JUDGED:
        return UNJUDGED
    if earlier == now:
        return STAYED
    if now == INCONCLUSIVE:
        return LOST
    if earlier == INCONCLUSIVE:
        return DECIDED
    return REVERSED if CONTRADICTED in (earlier, now) else OTHER_SIZE


def describe_confirmation(now: pd.DataFrame) -> str:
    """Return the section of docs/verdicts.md, from the verdicts of the reference runs."""
    rows = compare_verdicts(pd.read_csv(EARLIER).fillna({"reading": ""}), now)
    counts = Counter(rows["outcome"])
    parts = [f"{counts[name]} {name}" for name in OUTCOMES if counts[name]]
    cells = [
        [f"{row['claim']} {row['reading']}".strip(), *list_sides(row), row["outcome"]]
        for row in rows.to_dict("records")
    ]
    return "\n".join(
        [
            INTRODUCTION,
            f"Of {pluralize(len(rows), 'judged row')} of the earlier run: {', '.join(parts)}.\n",
            *format_table(["", "earlier", "here", "outcome"], cells),
            "\nWhat these rules and tests changed on the earlier run, when they were chosen:\n",
            *(f"- {change}" for change in list_changes(set(rows["study"]))),
            "",
        ]
    )


def list_sides(row: dict) -> list[str]:
    """Return '4.16 [3.71 to 4.65], reproduced' for the earlier run and for this one."""
    sides = []
    for ending in ("", "_now"):
        side = pd.Series({name: row[f"{name}{ending}"] for name in ("ours", "low", "high")})
        words = row[f"words{ending}"]
        sides.append("" if pd.isna(words) else f"{format_ours(side)}, {words}".removeprefix(", "))
    return sides
