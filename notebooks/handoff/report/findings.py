"""What a run found, in sentences that need no glossary; each depends on the run's verdicts."""

import re
from typing import Any

from handoff.claims.verdicts import (
    DIRECTION,
    INCONCLUSIVE,
    JUDGED,
    REPRODUCED,
)
from handoff.draw.words import join_words
from handoff.report.claim_rows import group_untestable
from handoff.studies.scaling import LOOKS
from handoff.text import pluralize

ALONE = LOOKS["SEQUENTIAL"].short
ORDER = "order "

STATEMENTS = {
    "P1": "With one sort per event, the blocking queue takes {} times as long as one thread alone",
    "P3": "With one sort per event, the blocking queue takes {} times as long as the Disruptor",
    "P8": "With 15 sorts per event, the blocking queue takes {} times as long as the Disruptor",
    "P11": "With 300 sorts per event, the blocking queue takes {} times as long as the Disruptor",
    "P13": "The more work an event brings, the less the choice matters: at the step in load where"
    " that is least clear, the ratio of queue to Disruptor is multiplied by {}",
    "P6": "With one sort per event, the blocking queue keeps {} times as many cores busy as the"
    " Disruptor",
    "P12": "With 300 sorts per event, the blocking queue keeps {} times as many cores busy as the"
    " Disruptor",
    "P2": "With one sort per event, one thread alone takes {} times as long as the Disruptor",
    "P7": "With 15 sorts per event, the blocking queue takes {} times as long as one thread alone,"
    " at the number of consumers that decides",
    "P10": "With 300 sorts per event, the blocking queue takes {} times as long as one thread"
    " alone, at the number of consumers that decides",
    "P4": "With one sort per event, threads on two sockets take {} times as long as threads on one",
    "P9": "With 15 sorts per event, the blocking queue keeps {} times as many cores busy as the"
    " Disruptor, where that decides",
    "P5": "That the Disruptor keeps as many cores busy as it has threads",
}
"""What was compared for each claim, with a place for the ratio; the most telling ones first."""

WHY = {
    DIRECTION: " (no size: the study's load is unknown)",
    INCONCLUSIVE: " (neither confirmed nor refuted)",
}
"""Additions for readers who do not know the verdict's word."""

LOADS = re.compile(r"^With (?:one sort|\d+ sorts) per event, ")


def list_findings(rows: list[dict]) -> list[str]:
    """Return one sentence per claim that was judged or that construction decides.

    `rows` are those of `claim_rows.tabulate_claims`. A coverage that all of them share is left to
    `describe_scope`.
    """
    known = {row["claim"]: row for row in rows if row["judged"] or row["forced"]}
    shared = list_shares(rows)
    usual = shared[0] if len(set(shared)) == 1 else ""
    return [state_claim(known[claim], usual) for claim in STATEMENTS if claim in known]


def state_claim(row: dict, usual: str = "") -> str:
    """Return the sentence on one claim: interval, verdict, what the study says, and its id."""
    statement = STATEMENTS[row["claim"]]
    lines = row["lines"]
    if not row["judged"]:
        parts = [f"{line['words']}{bracket(line['reading'])}" for line in lines]
        return f"{statement} {' and '.join(parts)}: {row['rest']} ({row['claim']})."
    first = next(line for line in lines if line["verdict"] in JUDGED)
    value, _, interval = first["ours"].partition(" ")
    where = first["words"].removeprefix(first["verdict"]).strip()
    verdict = first["verdict"] + (f" {where}" if where not in ("", usual) else "")
    says = LOADS.sub("", row["says"]).rstrip(".")
    others = [
        f"read as “{line['reading']}”, {line['verdict']}" for line in lines if line is not first
    ]
    reading = f", read as “{first['reading']}”; {'; '.join(others)}" if others else ""
    study = f"The study: {says[:1].lower()}{says[1:]}"
    if first["verdict"] == REPRODUCED:
        study = "As the study says"
    return (
        f"{statement.format(value)} {interval}. {study} ({row['claim']}): {verdict}"
        f"{WHY.get(first['verdict'], '')}{reading}."
    )


def list_shares(rows: list[dict]) -> list[str]:
    """Return the coverage of each judged line, such as 'at 1 of 11 points'."""
    return [
        line["words"].removeprefix(line["verdict"]).strip()
        for row in rows
        for line in row["lines"]
        if line["verdict"] in JUDGED
    ]


def bracket(words: str) -> str:
    return f" ({words})" if words else ""


def describe_scope(machine: str, rows: list[dict]) -> str:
    """Return what the run of one machine judges, and why not the rest, or ''."""
    if not rows:
        return ""
    known = [row["claim"] for row in rows if row["judged"] or row["forced"]]
    head = f"All of it holds for one machine: {machine}."
    if not known:
        return f"{head} The run judges none of the study's {pluralize(len(rows), 'claim')}."
    parts = [
        f"{head} The run judges {len(known)} of the study's {len(rows)} claims"
        f"{describe_share(rows)}: {join_words(known)}."
    ]
    return " ".join(filter(None, [*parts, group_untestable(rows)]))


def describe_share(rows: list[dict]) -> str:
    """Return ', at 1 of 11 points (numbers of consumers)', the coverage of most judged claims."""
    shares = list_shares(rows)
    part = max(sorted(set(shares)), key=shares.count, default="")
    return f", {part} (numbers of consumers)" if part else ""


def describe_order(sensitivity: dict[str, Any] | None) -> str:
    """Return a sentence on how the initial order of the sorted numbers affects one thread's time.

    Return '' unless that effect was measured and exceeds the effect of every other choice that the
    source leaves open.
    """
    if sensitivity is None:
        return ""
    rows = sensitivity["notable"]
    orders = [row for row in rows if row["choice"].startswith(ORDER) and row["mechanism"] == ALONE]
    others = [measure_size(row) for row in rows if not row["choice"].startswith(ORDER)]
    if not orders:
        return ""
    most = max(orders, key=measure_size)
    if measure_size(most) <= max(others, default=1.0):
        return ""
    word, size = most["choice"].removeprefix(ORDER).lower(), format_factor(measure_size(most))
    beyond = (
        f"no other choice that was tried changes a time by more than {format_factor(max(others))}"
        if others
        else "no other choice that was tried is certain to change a time by more than a tenth"
    )
    return (
        "The order of the 100 numbers that an event sorts, which the study does not state, changes"
        f" what an event costs one thread by a factor of {size} ({word} against"
        f" ascending; sorts per event: {sensitivity['sorts']}); {beyond}."
    )


def measure_size(row: dict) -> float:
    """Return the change as a factor of at least 1, in either direction."""
    ratio = float(row["ratio"])
    return max(ratio, 1 / ratio)


def format_factor(factor: float) -> str:
    """Return a factor such as '36', '4.1' or '0.95'."""
    return f"{factor:.0f}" if factor >= 10 else f"{factor:.1f}" if factor >= 1 else f"{factor:.2f}"
