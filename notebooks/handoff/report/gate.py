"""The outcome of a gate as JUnit XML, which CI systems show, and as Markdown for a pull request."""

from xml.etree import ElementTree

import pandas as pd

from handoff.analysis.arms import ArmComparison
from handoff.analysis.gate import NOT_JUDGED, SLOWER
from handoff.errors import COMPLETE, INCOMPLETE, REGRESSION, UNJUDGED
from handoff.run.store.run import Run
from handoff.text import format_range, format_table, pluralize

HEADINGS = {
    COMPLETE: "not slower",
    INCOMPLETE: "incomplete: forks are missing",
    REGRESSION: "slower",
    UNJUDGED: "not judged",
}
MOST_ROWS = 200
"""Rows of a table of points in Markdown, which pull requests limit to 65,536 letters."""


def format_junit(run: Run, compared: ArmComparison, margin: float) -> str:
    """Return one test case per point and arm: a failure if slower, an error if not judged."""
    words = list(compared.rows["outcome"])
    suite = ElementTree.Element(
        "testsuite",
        name=f"gate {run.folder.name}",
        tests=str(len(words) + bool(compared.missing)),
        failures=str(words.count(SLOWER)),
        errors=str(words.count(NOT_JUDGED) + bool(compared.missing)),
        skipped="0",
        time="0",
    )
    for row in compared.rows.to_dict("records"):
        name = f"{row['what']} [{row['arm']}]" if row["arm"] else row["what"]
        group = f"handoff.{row['study'] or 'gate'}"
        case = ElementTree.SubElement(suite, "testcase", classname=group, name=name, time="0")
        if row["outcome"] == SLOWER:
            message = f"{format_ratio(row)}, more than {margin:.0%} slower"
            ElementTree.SubElement(case, "failure", type=SLOWER, message=message)
        elif row["outcome"] == NOT_JUDGED:
            ElementTree.SubElement(case, "error", type=NOT_JUDGED, message=row["why"])
    if compared.missing:
        whole = {"classname": "handoff.gate", "name": "forks", "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", whole)
        message = f"{pluralize(compared.missing, 'fork')} missing"
        ElementTree.SubElement(case, "error", type="incomplete", message=message)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def format_ratio(row: dict) -> str:
    """Return '1.213 (1.104 to 1.333)', or '' where no ratio is known."""
    if pd.isna(row["ratio"]):
        return ""
    if pd.isna(row["low"]):
        return f"{row['ratio']:.3f}"
    return f"{row['ratio']:.3f} ({format_range(row['low'], row['high'], 3)})"


def format_markdown(run: Run, compared: ArmComparison, margin: float) -> str:
    """Return the outcome in words, a table of what fails, and all points folded away."""
    rows = compared.rows
    said = compared.describe(margin)
    failing = rows[rows["outcome"].isin((SLOWER, NOT_JUDGED))]
    lines = [
        f"### Gate: {HEADINGS[compared.code]} (exit code {compared.code})",
        "",
        *(f"- {sentence}" for sentence in (*said, *describe_arms(run))),
        "",
        *format_rows(failing),
        "<details><summary>All points</summary>",
        "",
        *format_rows(rows),
        "</details>",
    ]
    return "\n".join(lines) + "\n"


def format_rows(rows: pd.DataFrame) -> list[str]:
    """Return a table in Markdown, [] without rows."""
    if rows.empty:
        return []
    head = ["point", "arm", "arm ÷ baseline, interval", "would have shown", "outcome"]
    lines = []
    for row in rows.head(MOST_ROWS).to_dict("records"):
        seen = "" if pd.isna(row["visible"]) else f"+{row['visible'] - 1:.0%}"
        outcome = f"{row['outcome']}: {row['why']}" if row["why"] else row["outcome"]
        cells = (f"{row['study']} {row['what']}", row["arm"], format_ratio(row), seen, outcome)
        lines.append([cell.replace("|", "\\|").strip() for cell in cells])
    rest = len(rows) - MOST_ROWS
    more = [f"{rest} more in gate.csv.", ""] if rest > 0 else []
    return [*format_table(head, lines), "", *more]


def describe_arms(run: Run) -> list[str]:
    arms = run.identity.get("arms", {})
    sentences = [
        f"{'Arm' if place else 'Baseline'} `{name}`: jar `{parts['jar'][:12]}`,"
        f" {parts['jdk']}, flags `{parts['flags']}`."
        for place, (name, parts) in enumerate(arms.items())
    ]
    return [*sentences, f"{run.title()}."]
