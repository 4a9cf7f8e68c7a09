"""Lab 9: which decision saves what? Steps of the ladder, and the student's own next one."""

from typing import Any

from handoff.labs.forks import compare_groups, list_fork_means
from handoff.labs.lab import JAVA, NUMBERS, TEXT, Answer, Known, Lab, Prediction
from handoff.run.store.run import Run

LEVEL = 0.05
DECISIONS = {
    "no_lock": ("TWO_LOCKS", "NO_LOCK", 1),
    "padding": ("NO_LOCK", "PADDED_CURSORS", 1),
    "release": ("PADDED_CURSORS", "RELEASE_ACQUIRE", 1),
    "remember": ("RELEASE_ACQUIRE", "CACHED_CURSORS", 1),
    "yours": ("CACHED_CURSORS", "YOURS", 1),
    "heavy": ("TWO_LOCKS", "CACHED_CURSORS", 300),
}
"""Mechanisms before and after each decision, and the sorts per event.

The student's class is compared with the step that makes the same decision: against the step before,
other differences between the two classes would count as the decision's.
"""

QUESTIONS = {
    "no_lock": "a lock for each end ÷ no lock, 1 sort",
    "padding": "cursors on one cache line ÷ a line each, 1 sort",
    "release": "volatile ÷ release and acquire, 1 sort",
    "remember": "reading the other side's cursor for every event ÷ remembering it, 1 sort",
    "yours": "the package's step 5 ÷ your class, 1 sort",
    "heavy": "a lock for each end ÷ step 5, 300 sorts",
}


def compare(run: Run, decision: str) -> tuple[float, float]:
    """Return the time before a decision over the time after it, and Welch's p."""
    before, after, sorts = DECISIONS[decision]
    of, to = (list_fork_means(run, mechanism=name, sorts=sorts) for name in (before, after))
    return compare_groups(of, to)


def compute_ratios(run: Run) -> dict[str, float]:
    return {decision: compare(run, decision)[0] for decision in DECISIONS}


def expect_verdict(known: Known) -> dict[str, Any]:
    """Return the words; saves or costs follows from the ratios, if they are given."""
    verdicts, given = {}, known.given.get("numbers", {})
    for decision in DECISIONS:
        ratio, p = compare(known.measured, decision)
        shown = "saves" if given.get(decision, ratio) > 1 else "costs"
        verdicts[decision] = shown if p < LEVEL else "not shown"
    return verdicts


LAB = Lab(
    number=9,
    word="ladder",
    title="Which decision saves what?",
    question="Which decisions between a queue and a ring save time, and at which load?",
    sweep="09.yml",
    predictions=tuple(
        Prediction(decision, f"time of an event, {question}", "times", 0.01, 1000)
        for decision, question in QUESTIONS.items()
    ),
    answers=(
        Answer("exchange", JAVA, "the next step, as a class MyExchange<T>", points=4),
        Answer(
            "numbers",
            NUMBERS,
            "the six ratios of times, as ratios of geometric means",
            expected=lambda known: dict(compute_ratios(known.measured)),
            keys=dict.fromkeys(DECISIONS, 0.5),
        ),
        Answer(
            "verdict",
            NUMBERS,
            "saves, costs or not shown, for each ratio",
            expected=expect_verdict,
            keys=dict.fromkeys(DECISIONS, 0.5),
        ),
        Answer(
            "text",
            TEXT,
            "what two decisions change, your ratios, and what 300 sorts show",
        ),
    ),
    outcomes=compute_ratios,
)
