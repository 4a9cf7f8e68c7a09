"""Lab 5: is this queue correct? What a test can find and what it cannot: real threads, a model
checker, and reading.
"""

from collections.abc import Mapping
from typing import Any

from handoff.labs import modelcheck
from handoff.labs.lab import MODEL, NUMBERS, TEXT, Answer, Lab, Prediction, Trials
from handoff.labs.modelcheck import LETTERS
from handoff.labs.schedule import describe_schedule
from handoff.labs.trials import Found

HAMMER, CHECKER, FIELDS = "hammer", "checker", "fields"
TESTS = {
    HAMMER: modelcheck.hammer_queues,
    CHECKER: modelcheck.explore_queues,
    FIELDS: modelcheck.read_queues,
}
NONE, SEVERAL = "none", "several"
WORDS = (*TESTS, SEVERAL, NONE)
FAULTY = len(LETTERS) - 1


def count_found(found: Found) -> dict[str, int]:
    """Of each test in how many queues it finds something."""
    return {test: sum(map(bool, own.values())) for test, own in found.items()}


def name_finders(found: Found) -> dict[str, str]:
    """Of each queue the one test that finds its fault, 'several' or 'none'."""
    by = {letter: [test for test, own in found.items() if own[letter]] for letter in LETTERS}
    return {k: v[0] if len(v) == 1 else SEVERAL if v else NONE for k, v in by.items()}


def expect_found(found: Found, _: Mapping[str, Any]) -> dict[str, Any]:
    return count_found(found) | name_finders(found)


EVERYWHERE = {CHECKER: set("ADEF"), FIELDS: set("C")}
"""What the two tests find whose outcome no machine's speed changes; a test of ours sees to it."""

RIGHT = "B"


def describe_impossible(found: Found) -> str:
    """What of this no machine can have found; '' if nothing."""
    for test, own in found.items():
        letters = {letter for letter, wrong in own.items() if wrong}
        if RIGHT in letters or letters != EVERYWHERE.get(test, letters):
            return f"{test} cannot have found this"
    return ""


LAB = Lab(
    number=5,
    word="correctness",
    title="Is this queue correct?",
    question="What does each kind of test find, and what can it not find?",
    sweep="",
    trials=Trials(LETTERS, TESTS, describe_impossible),
    predictions=(
        *(
            Prediction(
                test,
                f"in how many of the {FAULTY} faulty queues {what} finds the fault",
                "",
                0,
                FAULTY,
                whole=True,
            )
            for test, what in (
                (HAMMER, "hammering by two real threads"),
                (CHECKER, "the model checker"),
                (FIELDS, "reading which fields both sides share"),
            )
        ),
        *(
            Prediction(letter, f"which test finds a fault in queue {letter}", words=WORDS)
            for letter in LETTERS
        ),
    ),
    answers=(
        Answer(
            "model",
            MODEL,
            "a class QueueCheck: a model of a queue, and how it is explored",
            points=5,
        ),
        Answer(
            "schedule",
            NUMBERS,
            "an order of steps in which two producers of the post's first ring lose A's task",
            points=2,
            keys=("steps",),
            judge=describe_schedule,
        ),
        Answer(
            "found",
            NUMBERS,
            "how many faults each test found; and of each queue which test",
            points=2,
            expected=expect_found,
            keys=(*TESTS, *LETTERS),
        ),
        Answer(
            "text", TEXT, "three sentences: which of these tests would you trust, and with what"
        ),
    ),
    outcomes=lambda found: expect_found(found, {}),
)
