"""Findings of a run in sentences that need no glossary; each depends on the run's verdicts."""

import re
from typing import Any

import pandas as pd

from handoff.claims.claim_rows import describe_untestable, describe_usual
from handoff.claims.files import load_claim_files
from handoff.claims.verdicts import DIRECTION, INCONCLUSIVE, REPRODUCED
from handoff.draw.words import join_words
from handoff.studies.scaling import LOOKS
from handoff.study import find_primary
from handoff.text import pluralize

ALONE = LOOKS["SEQUENTIAL"].short
ORDER = "order "

STATEMENTS = {
    "P1": "With one sort per event{at}, the blocking queue takes {ratio} times as long as one"
    " thread alone",
    "P3": "With one sort per event{at}, the blocking queue takes {ratio} times as long as the"
    " Disruptor",
    "P8": "With 15 sorts per event, the blocking queue takes {ratio} times as long as the"
    " Disruptor",
    "P11": "With 300 sorts per event, the blocking queue takes {ratio} times as long as the"
    " Disruptor",
    "P6": "With one sort per event{at}, the blocking queue keeps {ratio} times as many cores busy"
    " as the Disruptor",
    "P12": "With 300 sorts per event, the blocking queue keeps {ratio} times as many cores busy as"
    " the Disruptor",
    "P13": "Between the two neighbouring loads that decide the verdict, the ratio of blocking queue"
    " to Disruptor changes by a factor of {ratio}",
    "P2": "With one sort per event, one thread alone takes {ratio} times as long as the Disruptor",
    "P7": "With 15 sorts per event{at}, the blocking queue takes {ratio} times as long as one"
    " thread alone",
    "P10": "With 300 sorts per event{at}, the blocking queue takes {ratio} times as long as one"
    " thread alone",
    "P4": "With one sort per event, threads on two sockets take {ratio} times as long as threads on"
    " one",
    "P9": "With 15 sorts per event{at}, the blocking queue keeps {ratio} times as many cores busy"
    " as the Disruptor",
    "P5": "At the point that decides, the Disruptor keeps {ratio} cores busy per thread",
}
"""What was compared for each claim, with places for the ratio and where; the most telling first."""

TELLING = ("P3", "P6", "P11")
"""Claims that the abstract names: time under much and little load, and CPU usage."""

NEEDS_MORE = (
    "With {sorts} sorts per event, the blocking queue needs two or more consumers to beat one"
    " thread: with {at} it takes {ratio} times as long"
)
"""Statement of P7 and P10 where they are reproduced."""

FORCED_AT_ONE = {
    "P1": "with one consumer this is so by construction, because it does all the work that one"
    " thread alone does, and the hand-over adds to it",
}
"""Why the result of a claim that was judged with one consumer only could not be otherwise."""

OF_RELEASE = ("P6", "P9", "P12")
"""Claims about CPU usage, which depends on whether a release's producer yields or parks."""

LOADS = re.compile(r"^With (?:one sort|\d+ sorts)(?: per event)?, ")


def list_findings(rows: list[dict]) -> list[str]:
    """Return one sentence per claim that was judged or that the code decides.

    `rows` are those of `claim_rows.tabulate_claims`.
    """
    return [state_finding(row) for row in select_stated(rows)]


def find_conclusion(rows: list[dict]) -> str:
    """Return the most telling finding that could have been otherwise, or ''."""
    open_results = [row for row in select_stated(rows) if not explain_forced(row)]
    return state_finding(open_results[0]) if open_results else ""


def state_finding(row: dict) -> str:
    """Return what was found about a claim, with its verdict or why there is nothing to judge."""
    if row["forced"]:
        return f"{name_claim(row)}: {row['words']}: {row['missing']}.{describe_change(row)}"
    if why := explain_forced(row):
        return f"{state_claim(row)}: {why} ({row['claim']}).{describe_change(row)}"
    return f"{state_claim(row)}. {compare_with_claim(row)}{describe_change(row)}"


def select_stated(rows: list[dict]) -> list[dict]:
    """Return the rows with a verdict, the most telling ones first, and last what is forced."""
    known = {row["claim"]: row for row in rows if row["judged"] or row["forced"]}
    stated = [known[claim] for claim in STATEMENTS if claim in known]
    return sorted(stated, key=lambda row: bool(explain_forced(row)))


def explain_forced(row: dict) -> str:
    """Return why a result could not have been otherwise, or ''."""
    if row["forced"]:
        return row["missing"]
    judged_at = row["coverage"].partition(";")[0]
    alone = row["verdict"] == REPRODUCED and judged_at == "1 consumer"
    return FORCED_AT_ONE.get(row["claim"], "") if alone else ""


def state_claim(row: dict, where: bool = True) -> str:
    """Return what was found about a judged claim, with ratio and interval, and `where`."""
    statement = STATEMENTS[row["claim"]]
    if row["claim"] in OF_RELEASE:
        literal = load_claim_files()[find_primary().name].judged_readings()[0]
        statement = statement.replace("the Disruptor", f"Disruptor {literal.bindings()['RELEASE']}")
    if row["claim"] in ("P7", "P10") and row["verdict"] == REPRODUCED:
        sorts = 15 if row["claim"] == "P7" else 300
        return NEEDS_MORE.format(sorts=sorts, at=row["at"], ratio=row["here"])
    at = f" and {row['at']}" if row["at"] and where else ""
    return statement.format(ratio=row["here"], at=at)


def name_claim(row: dict) -> str:
    """Return 'Claim P5: the Disruptor keeps ...'; the words are ours, not the source's."""
    says = LOADS.sub("", row["says"])
    return f"Claim {row['claim']}: {says[:1].lower()}{says[1:]}"


def compare_with_claim(row: dict) -> str:
    """Return the verdict, and the claim in our words unless it is reproduced."""
    if row["verdict"] == REPRODUCED:
        return f"This reproduces claim {row['claim']}."
    why = {
        DIRECTION: " (no size: the study does not give its time per event)",
        INCONCLUSIVE: " (neither confirmed nor refuted)",
    }.get(row["verdict"], "")
    return f"{name_claim(row)}: {row['words']}{why}."


def describe_change(row: dict) -> str:
    """Return ' The verdict changes with release 3.2.0: inconclusive.', or '' where it stays."""
    return f" The verdict {row['depends']}." if row["depends"].startswith("changes") else ""


def list_abstract(rows: list[dict]) -> list[str]:
    """Return three results in short, where they were found, and what could not be tested.

    These are sentences of the abstract.
    """
    judged = [row for row in select_stated(rows) if not explain_forced(row)]
    chosen = [row for row in judged if row["claim"] in TELLING] or judged
    results = []
    for row in chosen[:3]:
        changes = row["depends"].startswith("changes")
        verdict = [row["verdict"], *[row["depends"]] * changes]
        sentence = f"{state_claim(row, where=False)} ({'; '.join(verdict)})."
        results.append(sentence.replace("the blocking queue", "the queue"))
    places = {row["at"] for row in chosen[:3]}
    if len(places) == 1 and "" not in places:
        results.append(f"These results are with {places.pop()}.")
    rest = [row for row in rows if not row["judged"] and not row["forced"]]
    if not rest:
        return results
    verb = "is" if len(rest) == 1 else "are"
    return [*results, f"{len(rest)} of {len(rows)} claims {verb} not testable here."]


def describe_scope(study: str, table: pd.DataFrame, rows: list[dict]) -> str:
    """Return what a run judges of a study's claims, and why not the rest, or ''."""
    if not rows:
        return ""
    judged = [row["claim"] for row in rows if row["judged"]]
    forced = [row["claim"] for row in rows if row["forced"]]
    claims = pluralize(len(rows), "claim")
    if not judged and not forced:
        return f"The run judges none of the study's {claims}."
    scope = f"The run judges {len(judged) or 'none'} of the study's {claims}"
    scope += f": {join_words(judged)}." if judged else "."
    parts = [describe_usual(study, table), describe_forced(forced), describe_untestable(rows)]
    return " ".join(filter(None, [scope, *parts]))


def describe_forced(claims: list[str]) -> str:
    """Return which claims the code decides, so that nothing is left to judge, or ''."""
    verb = "is" if len(claims) == 1 else "are"
    return f"{join_words(claims)} {verb} forced by construction." if claims else ""


def list_open(sensitivity: dict[str, Any] | None) -> list[str]:
    """Return sentences on choices that the source leaves open and that matter most here."""
    order = describe_order(sensitivity)
    reversals = sensitivity["reversed"] if sensitivity else []
    return [order] * bool(order) + [
        f"A choice that the study does not state can reverse a result. {words}."
        for words in reversals[:1]
    ]


def describe_order(sensitivity: dict[str, Any] | None) -> str:
    """Return a sentence on how the initial order of the sorted numbers affects one thread's time.

    Return '' unless that effect was measured and exceeds that of every other open choice.
    """
    rows = sensitivity["notable"] if sensitivity else []
    orders = [row for row in rows if row["choice"].startswith(ORDER) and row["mechanism"] == ALONE]
    others = [row for row in rows if not row["choice"].startswith(ORDER)]
    next_most = max(others, key=measure_size, default=None)
    most = max(orders, key=measure_size, default=None)
    if not sensitivity or not most or (next_most and measure_size(most) <= measure_size(next_most)):
        return ""
    word, size = most["choice"].removeprefix(ORDER).lower(), format_factor(measure_size(most))
    beyond = "changes a time by more than a tenth with its whole 95 % interval"
    if next_most:
        named = f"{next_most['choice']}, {next_most['mechanism']}"
        factor = format_factor(measure_size(next_most))
        beyond = f"changes a time by more than a factor of {factor} ({named})"
    return (
        "The study does not state the order of the 100 numbers that an event sorts. It changes"
        f" what an event costs one thread by a factor of {size} ({word} against ascending, with"
        f" {pluralize(int(sensitivity['sorts']), 'sort')} per event). No other choice that was"
        f" tried {beyond}."
    )


def measure_size(row: dict) -> float:
    """Return the change as a factor of at least 1, in either direction."""
    ratio = float(row["ratio"])
    return max(ratio, 1 / ratio)


def format_factor(factor: float) -> str:
    """Return a factor such as '36' or '4.1'."""
    return f"{factor:.0f}" if factor >= 10 else f"{factor:.1f}"
