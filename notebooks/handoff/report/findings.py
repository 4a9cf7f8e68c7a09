"""Findings of a run in sentences that need no glossary; each depends on the run's verdicts."""

import re
from collections.abc import Sequence
from typing import Any

from handoff.claims.verdicts import DIRECTION, INCONCLUSIVE, JUDGED, REPRODUCED
from handoff.draw.words import join_words
from handoff.report.claim_rows import OTHER, SOME, group_untestable
from handoff.studies.scaling import LOOKS
from handoff.text import pluralize

ALONE = LOOKS["SEQUENTIAL"].short
ORDER = "order "

STATEMENTS = {
    "P1": "With one sort per event, the blocking queue takes {} times as long as one thread alone",
    "P3": "With one sort per event, the blocking queue takes {} times as long as the Disruptor",
    "P8": "With 15 sorts per event, the blocking queue takes {} times as long as the Disruptor",
    "P11": "With 300 sorts per event, the blocking queue takes {} times as long as the Disruptor",
    "P13": "The more work an event brings, the less the choice matters: at the step between loads"
    " that shows this least, the ratio of queue to Disruptor changes by a factor of {}",
    "P6": "With one sort per event, the blocking queue keeps {} times as many cores busy as"
    " the Disruptor",
    "P12": "With 300 sorts per event, the blocking queue keeps {} times as many cores busy as"
    " the Disruptor",
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
    DIRECTION: " (no size: the study does not give its time per event)",
    INCONCLUSIVE: " (neither confirmed nor refuted{})",
}
"""Additions for readers who do not know the verdict's word."""

OF_RELEASE = ("P6", "P9", "P12")
"""Claims about CPU usage, which depends on whether a release's producer yields or parks."""

LOADS = re.compile(r"^With (?:one sort|\d+ sorts) per event, ")


def list_findings(rows: list[dict], releases: Sequence[str] = ()) -> list[str]:
    """Return one sentence per claim that was judged or that construction decides.

    `rows` are those of `claim_rows.tabulate_claims`. A coverage that all of them share is left to
    `describe_scope`. Of `releases` of the Disruptor, a single one is named where it matters.
    """
    known = {row["claim"]: row for row in rows if row["judged"] or row["forced"]}
    shared = set(list_coverages(rows))
    usual = shared.pop() if len(shared) == 1 else ""
    release = f" {releases[0]}" if len(releases) == 1 else ""
    return [
        state_claim(known[claim], usual, release if claim in OF_RELEASE else "")
        for claim in STATEMENTS
        if claim in known
    ]


def state_claim(row: dict, usual: str, release: str = "") -> str:
    """Return the sentence on one claim: interval, verdict, what the study says, and its id."""
    statement, lines = STATEMENTS[row["claim"]], row["lines"]
    statement = statement.replace("the Disruptor", f"the Disruptor{release}")
    if not row["judged"]:
        parts = [f"{line['words']} ({line['reading']})".removesuffix(" ()") for line in lines]
        return f"{statement} {' and '.join(parts)}: {row['rest']} ({row['claim']})."
    first = next(line for line in lines if line["verdict"] in JUDGED)
    value, _, interval = first["ours"].partition(" ")
    verdict, coverage = first["verdict"], find_coverage(first)
    where = f" {coverage}" if coverage not in ("", usual) else ""
    ways = count_ways([first, *(line for line in lines if line is not first)])
    head = f"{statement.format(value)} {interval}"
    if verdict == REPRODUCED:
        return f"{head}. This reproduces the study ({row['claim']}){where}{ways}."
    says = LOADS.sub("", row["says"]).rstrip(".")
    return (
        f"{head}. The study: {says[:1].lower()}{says[1:]} ({row['claim']}): {verdict}{where}"
        f"{WHY.get(verdict, '').format(row['claimed'])}{ways}."
    )


def count_ways(lines: list[dict]) -> str:
    """Return ' in 5 of 8 ways to read it, inconclusive in 3', or '' where all give one verdict."""
    if len(lines) == 1:
        return ""
    first, *others = lines
    number = sum(line["readings"] for line in lines)
    parts = [f" in {first['readings']} of {number} ways to read it{name_ways(first)}"]
    parts += [f"{line['verdict']} in {line['readings']}{name_ways(line)}" for line in others]
    return ", ".join(parts)


def name_ways(line: dict) -> str:
    named = line["readings"] > 1 and line["reading"] not in (SOME, OTHER)
    return f" ({line['reading']})" if named else ""


def list_coverages(rows: list[dict]) -> list[str]:
    lines = [line for row in rows for line in row["lines"]]
    return [find_coverage(line) for line in lines if line["verdict"] in JUDGED]


def find_coverage(line: dict) -> str:
    """Return what the words of a verdict add to it, such as 'at 1 of 11 points'."""
    return str(line["words"]).removeprefix(line["verdict"]).strip(" ,")


def describe_scope(machine: str, rows: list[dict]) -> str:
    """Return what the run of one machine judges, and why not the rest, or ''."""
    if not rows:
        return ""
    known = [row["claim"] for row in rows if row["judged"] or row["forced"]]
    head = f"All results are for one machine: {machine}."
    if not known:
        return f"{head} The run judges none of the study's {pluralize(len(rows), 'claim')}."
    shares = list_coverages(rows)
    usual = max(sorted(set(shares)), key=shares.count, default="")
    share = f", {usual.replace('points', 'numbers of consumers')}" if usual else ""
    judged = f"The run judges {len(known)} of the study's {len(rows)} claims{share}"
    rest = group_untestable(rows)
    return f"{head} {judged}: {join_words(known)}. {rest}".strip()


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

    Return '' unless that effect was measured and exceeds the effect of every other choice that the
    source leaves open.
    """
    rows = sensitivity["notable"] if sensitivity else []
    orders = [row for row in rows if row["choice"].startswith(ORDER) and row["mechanism"] == ALONE]
    others = [measure_size(row) for row in rows if not row["choice"].startswith(ORDER)]
    most = max(orders, key=measure_size, default=None)
    if not sensitivity or not most or measure_size(most) <= max(others, default=1.0):
        return ""
    word, size = most["choice"].removeprefix(ORDER).lower(), format_factor(measure_size(most))
    beyond = "clearly changes a time by more than a tenth"
    if others:
        beyond = f"changes a time by more than a factor of {format_factor(max(others))}"
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
