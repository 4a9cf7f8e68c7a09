"""Table of a study's claims: what the source says, and what was found in each setting."""

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from handoff.claims.check import Bounds
from handoff.claims.files import load_claim_files
from handoff.claims.published import NO_NUMBERS
from handoff.claims.sentences import format_bounds
from handoff.claims.verdicts import DECIDED, DIRECTION, FORCED, JUDGED
from handoff.draw.words import capitalize, join_words
from handoff.study import find_primary
from handoff.text import format_range, format_value

RESULTS = ("P3", "P8", "P11", "P6", "P12")
"""Claims that a reader of the paper asks for first: README's and the terminal's."""

REST = "missing, or what changes it"
"""Heading of what a verdict lacks, and of the choices that surely change it."""

HERE = "here"
"""Heading of the verdicts of a source with one setting."""


def tabulate_claims(table: pd.DataFrame) -> list[dict]:
    """Return one row per claim, given a study's rows of `verdict_table`, as text.

    `answers` has one entry per setting: its number, its verdict, and what is missing. `judged` says
    that forks decide in some setting, `forced` that the code does. The coverage that most judged
    rows have is left out of `words`: `describe_usual` says it once.
    """
    usual = find_usual(table)
    rows = []
    for claim, settings in table.groupby("claim", sort=False):
        first = next(settings.itertuples())
        answers = [make_answer(row, usual) for row in settings.itertuples()]
        rows.append(
            {
                "claim": claim,
                "says": first.says.rstrip("."),
                "test": describe_test(settings),
                "place": first.place if pd.isna(first.figure) else f"figure {first.figure:.0f}",
                "answers": answers,
                "rest": merge_words(answers, "rest"),
                "missing": merge_words(answers, "missing"),
                "judged": any(answer["judged"] for answer in answers),
                "forced": any(answer["forced"] for answer in answers),
            }
        )
    return rows


def make_answer(row: Any, usual: str) -> dict:
    """Return what was found about a claim in one setting."""
    coverage, missing = find_coverage(row), describe_missing(row)
    return {
        "setting": row.setting or HERE,
        "here": format_ours(row),
        "verdict": row.verdict,
        "words": row.verdict if coverage == usual and row.verdict in JUDGED else row.words,
        "missing": missing,
        "depends": row.depends,
        "rest": "; ".join(filter(None, [missing, row.depends, *describe_shown(row)])),
        "judged": row.verdict in JUDGED,
        "forced": row.verdict in FORCED,
        "at": row.at,
        "reason": row.reason,
        "coverage": row.coverage,
        "trace": getattr(row, "trace", ""),
    }


def describe_shown(row: Any) -> list[str]:
    """Return what is reported next to a verdict and decides nothing."""
    shown = getattr(row, "shown", [])
    return [f"also: {words}" for words in shown] if row.verdict in DECIDED else []


def merge_words(answers: list[dict], key: str) -> str:
    """Return what the settings say, once where they agree: 'then: ...; today: ...'."""
    said = {answer[key] for answer in answers}
    if len(said) == 1:
        return str(said.pop())
    return "; ".join(f"{a['setting']}: {a[key]}" for a in answers if a[key])


def describe_answer(answer: dict) -> str:
    """Return a verdict with its number: 'reproduced: 4.00 [3.72 to 4.30]'."""
    return ": ".join(filter(None, [answer["words"], answer["here"]]))


CHOICES = {
    "claim": "claim",
    "setting": "setting",
    "choice": "choice",
    "ours": "with the choice",
    "change": "with ÷ without",
    "verdict": "verdict with it",
}
"""Headings of the table of choices, by the keys of its cells."""


def tabulate_choices(table: pd.DataFrame) -> list[dict]:
    """Return one row per claim, setting and choice that has a number, as text.

    `changes` says whether the choice surely leads to another verdict.
    """
    rows = []
    for row in table.itertuples():
        for choice in row.tried:
            if "change" in choice:
                cells = {"claim": row.claim, "setting": row.setting, "choice": choice["choice"]}
                cells["ours"] = format_bounded(choice["ours"], choice["low"], choice["high"])
                ends = choice.get("change_low"), choice.get("change_high")
                cells["change"] = format_bounded(choice["change"], *ends)
                cells |= {"verdict": choice["verdict"], "run": choice["run"]}
                rows.append(cells | {"changes": choice["changes"]})
    return rows


def format_ours(row: Any) -> str:
    """Return '4.00 [3.72 to 4.30]', or '' where there is no number."""
    return "" if pd.isna(row.ours) else format_bounded(row.ours, row.low, row.high)


def format_bounded(value: float, low: float | None, high: float | None) -> str:
    if low is None or high is None or pd.isna(low):
        return format_value(value)
    return f"{format_value(value)} [{format_range(low, high)}]"


def describe_test(settings: pd.DataFrame) -> str:
    """Return what is compared with its bounds, and what the source's own numbers show.

    The values that a setting gives are left out. Return '' where nothing was tested.
    """
    tested = [row for row in settings.itertuples() if row.verdict in DECIDED and row.compared]
    if not tested:
        return ""
    row = tested[0]
    short = re.sub(r" (release|placement|sort) \S+?(?=,| |$)", "", row.compared)
    short = capitalize(short.replace("disruptor (pool)", "Disruptor"))
    numbers = "" if row.theirs == NO_NUMBERS else f"; the source's numbers: {row.theirs}"
    return f"{short}: {format_bounds(Bounds(row.claimed_low, row.claimed_high))}{numbers}"


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
    names = table.loc[table["verdict"].isin(JUDGED), "claim"].unique()
    judged = [claims[name] for name in names]
    cores = max((claim.needs.all or 0 for claim in judged), default=0)
    noun = "numbers of consumers" if study == find_primary().name else "points"
    needs = f"; all of them need {cores} cores" if cores and "points" in usual else ""
    usual = usual.replace("points", noun)
    noted = f"Unless noted, claims are judged {usual or 'at every point'}{needs}."
    return noted if judged else ""


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
