"""Table of a study's claims: what the source says, what was found, the verdict, what is missing."""

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from handoff.claims.check import Bounds
from handoff.claims.files import load_claim_files
from handoff.claims.published import NO_NUMBERS
from handoff.claims.sentences import format_bounds
from handoff.claims.verdicts import DIRECTION, FORCED, JUDGED
from handoff.draw.words import capitalize, join_words
from handoff.study import find_primary
from handoff.text import format_range, format_value

RESULTS = ("P1", "P3", "P8", "P11", "P6")
"""Claims that a reader of the paper asks for first: README's and the terminal's."""

CELLS = {
    "claim": "claim",
    "source": "the source",
    "here": "here",
    "words": "verdict",
    "rest": "missing, or depends on",
}
"""Headings of the table that readers see, by the keys of its cells; the first has id and words."""


def tabulate_claims(table: pd.DataFrame) -> list[dict]:
    """Return one row per claim, given a study's rows of `verdict_table`, as text.

    The coverage that most judged rows have is left out of `words`: `describe_usual` says it once.
    """
    usual = find_usual(table)
    return [make_row(row, usual) for row in table.itertuples()]


def make_row(row: Any, usual: str) -> dict:
    """Return the row of one claim; `judged` says that forks decide, `forced` that the code does."""
    coverage, missing = find_coverage(row), describe_missing(row)
    return {
        "claim": row.claim,
        "says": row.says.rstrip("."),
        "source": describe_source(row),
        "here": format_ours(row),
        "verdict": row.verdict,
        "words": row.verdict if coverage == usual else row.words,
        "missing": missing,
        "depends": row.depends,
        "rest": "; ".join(filter(None, [missing, row.depends])),
        "judged": row.verdict in JUDGED,
        "forced": row.verdict in FORCED,
        "at": row.at,
        "reason": row.reason,
        "coverage": row.coverage,
        "trace": getattr(row, "trace", ""),
    }


def format_ours(row: Any) -> str:
    """Return '4.00 [3.72 to 4.30]', or '' where there is no number."""
    if pd.isna(row.ours):
        return ""
    bounds = "" if pd.isna(row.low) else f" [{format_range(row.low, row.high)}]"
    return f"{format_value(row.ours)}{bounds}"


def shorten_compared(row: Any) -> str:
    """Return what is compared, without the values that the literal reading has."""
    short = re.sub(r" (release|placement|sort) \S+?(?=,| |$)", "", row.compared)
    return short.replace("disruptor (pool)", "Disruptor")


def describe_source(row: Any) -> str:
    """Return what the source says in terms of the test, and what its own numbers show."""
    place = row.place if pd.isna(row.figure) else f"figure {row.figure:.0f}"
    numbers = place if row.theirs == NO_NUMBERS else row.theirs
    if pd.isna(row.claimed_low) or not row.compared:
        return capitalize(numbers)
    bounds = format_bounds(Bounds(row.claimed_low, row.claimed_high))
    return f"{capitalize(shorten_compared(row))}: {bounds} ({numbers})"


def describe_missing(row: Any) -> str:
    """Return what is missing for a verdict, or its reason where forks do not decide, or ''."""
    if row.verdict not in JUDGED:
        # What follows the reason of a forced verdict is what was measured.
        reason = row.reason.partition("; here ")[0].rstrip(".")
        return reason[:1].lower() + reason[1:]
    if row.verdict == DIRECTION:
        return "a size needs the source's time per event"
    return f"{row.needed} to decide" if row.needed else ""


def find_coverage(row: Any) -> str:
    """Return what the words of a verdict add to it, such as 'at 1 of 11 points'."""
    return str(row.words).removeprefix(row.verdict).strip(" ,")


def find_usual(table: pd.DataFrame) -> str:
    """Return the coverage that most judged claims of a study have; '' for all of their points."""
    shares = [find_coverage(row) for row in table.itertuples() if row.verdict in JUDGED]
    return max(sorted(set(shares)), key=shares.count, default="")


def describe_usual(study: str, table: pd.DataFrame) -> str:
    """Return the sentence that stands above the table: 'Unless noted, judged at 1 of 11 points'."""
    usual = find_usual(table)
    claims = load_claim_files()[study].claims
    judged = [claims[row.claim] for row in table.itertuples() if row.verdict in JUDGED]
    cores = max((claim.needs.all or 0 for claim in judged), default=0)
    noun = "numbers of consumers" if study == find_primary().name else "points"
    needs = f"; the largest needs {cores} cores" if cores and "points" in usual else ""
    usual = usual.replace("points", noun)
    return f"Unless noted, judged {usual or 'at every point'}{needs}." if judged else ""


def describe_untestable(rows: Iterable[dict]) -> str:
    """Return one sentence on the claims that were not judged, by reason; '' if there are none."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if not row["judged"] and not row["forced"]:
            # Of several reasons, the first one suffices.
            reasons.setdefault(row["missing"].partition(";")[0], []).append(row["claim"])
    parts = [
        f"{join_words(names)} ({reason.replace('needs ', 'need ') if names[1:] else reason})"
        for reason, names in reasons.items()
    ]
    return f"Not judged: {'; '.join(parts)}." if parts else ""
