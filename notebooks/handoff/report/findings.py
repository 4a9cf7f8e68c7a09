"""Findings of a run in sentences that need no glossary; each depends on the run's verdicts."""

import re
from typing import Any

import pandas as pd

from handoff.claims.claim_rows import describe_untestable, describe_usual, merge_words
from handoff.claims.verdicts import DIRECTION, INCONCLUSIVE, REPRODUCED
from handoff.draw.words import join_words
from handoff.report.settings import describe_conflict
from handoff.studies.scaling import LOOKS
from handoff.text import pluralize

ALONE = LOOKS["SEQUENTIAL"].short
ORDER = "order "

LOADS = re.compile(r"^With (?:one sort|\d+ sorts)(?: per event)?, ")

STATEMENTS = {
    "P3": "With one sort per event{at}, the blocking queue takes {ratio} as long as the Disruptor",
    "P8": "With 15 sorts per event, the blocking queue takes {ratio} as long as the Disruptor",
    "P11": "With 300 sorts per event, the blocking queue takes {ratio} as long as the Disruptor",
    "P6": "With one sort per event{at}, the blocking queue keeps {ratio} as many cores busy as the"
    " Disruptor",
    "P12": "With 300 sorts per event, the blocking queue keeps {ratio} as many cores busy as the"
    " Disruptor",
    "P13": "Between the two neighbouring loads that decide the verdict, the ratio of blocking queue"
    " to Disruptor changes to {ratio} what it was",
    "P1": "With one sort per event{at}, the blocking queue takes {ratio} as long as one thread"
    " alone",
    "P2": "With one sort per event, one thread alone takes {ratio} as long as the Disruptor",
    "P7": "With 15 sorts per event{at}, the blocking queue takes {ratio} as long as one thread"
    " alone",
    "P10": "With 300 sorts per event{at}, the blocking queue takes {ratio} as long as one thread"
    " alone",
    "P4": "With one sort per event, threads on two sockets take {ratio} as long as threads on one",
    "P9": "With 15 sorts per event{at}, the blocking queue keeps {ratio} as many cores busy as the"
    " Disruptor",
    "P15": "With one sort per event{at}, the linked blocking queue takes {ratio} as long as the"
    " array blocking queue",
}
"""What was compared for each claim, with places for the ratio and where; the most telling first."""

TELLING = ("P3", "P6", "P11")
"""Claims that the abstract names: time under much and little load, and CPU usage."""


def list_findings(rows: list[dict]) -> list[str]:
    """Return one sentence per claim that was judged, then those that the code decides.

    `rows` are those of `claim_rows.tabulate_claims`.
    """
    judged = [state_finding(row) for row in select_judged(rows)]
    forced = [explain_forced(row) for row in rows if row["forced"] and not row["judged"]]
    return judged + forced + describe_conflict(rows)


def find_conclusion(rows: list[dict]) -> str:
    """Return the most telling finding that could have been otherwise, or ''."""
    judged = select_judged(rows)
    return state_finding(judged[0]) if judged else ""


def state_finding(row: dict) -> str:
    return f"{state_claim(row)}. {compare_with_study(row)}{describe_changes(row)}"


def select_judged(rows: list[dict]) -> list[dict]:
    """Return the rows that forks decide, the most telling ones first."""
    known = {row["claim"]: row for row in rows if row["judged"]}
    return [known[claim] for claim in STATEMENTS if claim in known]


def list_judged(row: dict) -> list[dict]:
    """Return a claim's answers in the settings in which forks decide."""
    return [answer for answer in row["answers"] if answer["judged"]]


def state_claim(row: dict, where: bool = True) -> str:
    """Return what was found about a claim, with ratios and their intervals, and `where`."""
    answers = list_judged(row)
    several = len(row["answers"]) > 1
    ratios = [f"{a['here']} times{f' {name_setting(a)}' if several else ''}" for a in answers]
    places = {answer["at"] for answer in answers}
    at = f" and {places.pop()}" if where and len(places) == 1 and "" not in places else ""
    return STATEMENTS[row["claim"]].format(ratio=join_words(ratios), at=at)


def name_setting(answer: dict) -> str:
    """Return the setting in a sentence: '(then)'."""
    return f"({answer['setting']})"


def compare_with_study(row: dict) -> str:
    """Return the verdicts with what the study says, and the claim's id."""
    answers = list_judged(row)
    both = ", then and today" if len(answers) > 1 else ""
    if {answer["verdict"] for answer in answers} == {REPRODUCED}:
        return f"This reproduces the study{both} ({row['claim']})."
    says = LOADS.sub("", row["says"])
    verdicts = " and ".join(
        dict.fromkeys(EXPLAINED.get(answer["verdict"], answer["words"]) for answer in answers)
    )
    if len({answer["verdict"] for answer in answers}) > 1:
        verdicts = "; ".join(
            f"{a['setting']} {EXPLAINED.get(a['verdict'], a['words'])}" for a in answers
        )
    return f"The study says: {says[:1].lower()}{says[1:]} ({row['claim']}): {verdicts}."


EXPLAINED = {
    DIRECTION: "the direction is reproduced; the size cannot be judged, because the study does not"
    " give its time per event",
    INCONCLUSIVE: "inconclusive, neither confirmed nor refuted",
}
"""Verdicts that a reader without the glossary would not understand."""


def describe_changes(row: dict) -> str:
    """Return which choices surely change a verdict, and in which setting, or ''."""
    parts = [f"{a['setting']}: {a['depends']}" for a in row["answers"] if a["depends"]]
    if not parts:
        return ""
    return f" A choice that the study does not state changes this: {'; '.join(parts)}."


def explain_forced(row: dict) -> str:
    """Return the verdict of a claim that the code decides, with the reason, in each setting."""
    parts = [f"{a['verdict']}: {a['missing']}" for a in row["answers"] if a["forced"]]
    words = parts[0]
    if len(set(parts)) > 1:
        named = [a["setting"] for a in row["answers"] if a["forced"]]
        words = "; ".join(f"{name} {part}" for name, part in zip(named, parts, strict=True))
    return f"{row['says']} ({row['claim']}): {words}."


def list_abstract(rows: list[dict]) -> list[str]:
    """Return three results in short, where they were found, and what could not be tested.

    These are sentences of the abstract.
    """
    judged = select_judged(rows)
    chosen = [row for row in judged if row["claim"] in TELLING] or judged
    results = []
    for row in chosen[:3]:
        verdicts = merge_words(list_judged(row), "verdict")
        sentence = f"{state_claim(row, where=False)} ({verdicts})."
        results.append(sentence.replace("the blocking queue", "the queue"))
    places = {answer["at"] for row in chosen[:3] for answer in list_judged(row)}
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
    forced = [row["claim"] for row in rows if row["forced"] and not row["judged"]]
    if not judged and not forced:
        return f"The run judges none of the study's {pluralize(len(rows), 'claim')}."
    scope = f"The run judges {len(judged) or 'none'} of the study's {pluralize(len(rows), 'claim')}"
    scope += f": {join_words(judged)}." if judged else "."
    decided = f"The code decides {join_words(forced)}." if forced else ""
    parts = [scope, decided, describe_usual(study, table), describe_untestable(rows)]
    return " ".join(filter(None, parts))


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
