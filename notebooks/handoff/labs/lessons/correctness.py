"""Lab 5: is this queue correct? What real threads, a model checker and reading can find."""

import difflib
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from handoff.errors import BadInput, Failure
from handoff.files import write_json
from handoff.labs import bytecode, ownclass
from handoff.labs.answers import Model, Numbers, Text
from handoff.labs.lab import Lab, Prediction, Trials
from handoff.labs.lessons.stories import describe_schedule, shorten_trace
from handoff.labs.ownclass import CLASS_PATH, QUEUES, list_wrong, run_javap
from handoff.labs.work import TRIALS, Work
from handoff.paths import JAVA_BENCH, LABS_JAR
from handoff.run.java import jar, jdk
from handoff.run.java.jdk import Jdk
from handoff.run.java.ownclass import Run, run_plainly
from handoff.text import pluralize

ANSWER = "model"
LETTERS = ("A", "B", "C", "D", "E", "F")
SOURCES = JAVA_BENCH / "src" / "labs" / "java" / "handoff" / "queues"
SIDES = ("offer", "poll")

RIGHT = ("RING", "SLOTS")
FAULTS = {
    "bound": ("HOLDS_ONE_MORE", "HOLDS_ONE_LESS"),
    "order": ("TAKES_NEWEST", "REPEATS_AT_WRAP"),
    "publication": ("PUBLISHES_FIRST", "PUBLISHES_LATE"),
    "freeing": ("FREES_FIRST", "FREES_FIRST_WHEN_FULL"),
    "shared state": ("COUNTS_TORN", "SHARES_A_FLAG"),
    "loss": ("LOSES_WHEN_FULL", "EMPTY_AT_WRAP"),
}
"""Constants of the jar's Fault, by kind of fault."""


def hammer_queues(java: Jdk, subjects: Sequence[str]) -> list[str]:
    """Return what two real threads find in each queue, or ''.

    Each queue gets a JVM of its own, because a dead queue leaves threads behind.
    """
    words = ["-cp", CLASS_PATH, QUEUES, "hammer"]
    return [list_wrong(java, [*words, subject], 1, run_plainly)[0] for subject in subjects]


def explore_queues(java: Jdk, subjects: Sequence[str]) -> list[str]:
    """Return what the model checker finds in each queue in small scenarios, or ''."""
    words = ["-cp", CLASS_PATH, QUEUES, "exchange", *subjects]
    return list_wrong(java, words, len(subjects), run_plainly)


def read_queues(java: Jdk, subjects: Sequence[str]) -> list[str]:
    """Return the field that the two sides of each queue share wrongly, or ''."""
    faults = []
    for subject in subjects:
        name = f"handoff.queues.Queue{subject}"
        listed = run_javap(java, ["-cp", str(LABS_JAR), name])
        if not listed:
            raise Failure(f"javap cannot read {name}.")
        faults.append(bytecode.describe_fields(listed, name.replace(".", "/"), SIDES))
    return faults


def check_queues(
    java: Jdk, folder: Path, subjects: Sequence[str], run: Run = run_plainly
) -> list[str]:
    """Return what the checker finds in each queue by the student's model in `folder`, or ''.

    Raise BadInput for a model that breaks a rule, and Failure if it breaks when it runs.
    """
    listed = ownclass.disassemble(java, folder, run)
    if stranger := bytecode.describe_strangers(listed, bytecode.MODEL):
        raise BadInput(f"Your model is not tried: {stranger}.")
    words = ["-cp", f"{CLASS_PATH}:{folder}", QUEUES, "check", *subjects]
    return list_wrong(java, words, len(subjects), run)


MAY_MISS = 1
"""Faulty queues that a model may miss, because the checker explores at random."""


def judge_model(right: Sequence[str], faulty: Mapping[str, str]) -> tuple[float, str]:
    """Return the share of the points that a model earns by what it finds, and a sentence.

    `faulty` is what it finds by kind of fault or by queue. A model that finds a fault in a right
    queue earns nothing, because it may find one in every queue.
    """
    if wrong := next(filter(None, right), ""):
        return 0.0, f"it finds a fault in a correct queue: {shorten_trace(wrong)}"
    missed = [kind for kind, wrong in faulty.items() if not wrong]
    needed = len(faulty) - MAY_MISS
    count = min(len(faulty) - len(missed), needed)
    passes = f"it passes {pluralize(len(right), 'correct queue')}"
    addition = f", and misses: {', '.join(missed)}" if missed else ""
    return count / needed, f"{passes}, finds {count} of {needed} faults{addition}"


def read_source(letter: str) -> str:
    return (SOURCES / f"Queue{letter}.java").read_text(encoding="utf-8")


def show_queues() -> None:
    """Show queue A, and of each other queue the lines that differ from A."""
    from IPython.display import Markdown, display

    first, *others = LETTERS
    display(Markdown(f"**Queue {first}**\n```java\n{read_source(first)}```"))
    for letter in others:
        lines = format_difference(first, letter)
        title = f"**Queue {letter}, differences from {first}**"
        display(Markdown(f"{title}\n```diff\n{lines}\n```"))


def format_difference(one: str, other: str) -> str:
    """Return the lines in which two queues differ, apart from their names and comments."""
    before, after = (
        re.sub(rf"Queue{letter}\b", "Queue", read_source(letter)).splitlines()
        for letter in (one, other)
    )
    lines = list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def try_model(work: Work, report: Callable[[str], None] = print) -> tuple[float, str]:
    """Check each of the six queues by the student's model, and judge what it finds.

    The prediction is fixed from then on. Raise BadInput before there is a prediction, and for a
    model that is missing, does not compile or breaks.
    """
    source = work.read_answer(work.lab.find_answer(ANSWER))
    if source is None:
        raise BadInput(f"Write it first: a cell that starts with %%answer {ANSWER}.")
    # The prediction is bound to the checker's findings, as it would be to a measurement.
    if not (work.folder / TRIALS).is_file():
        write_json(work.folder / TRIALS, {"ticket": work.ticket, "found": {}})
    java = jdk.find_jdk()
    jar.build_jar(java)
    with tempfile.TemporaryDirectory(prefix="handoff-model-") as name:
        ownclass.compile_class(java, source, Path(name), bytecode.MODEL_NAME)
        try:
            faults = dict(zip(LETTERS, check_queues(java, Path(name), LETTERS), strict=True))
        except Failure as broken:
            raise BadInput(f"Your model: {broken}") from None
    for letter, fault in faults.items():
        report(f"{letter}: {shorten_trace(fault) or 'nothing found'}")
    outcome = judge_model([faults.pop(CORRECT)], faults)
    work.keep_tried(source, outcome)
    return outcome


TESTS = {"hammer": hammer_queues, "checker": explore_queues, "fields": read_queues}
METHODS = {
    "hammer": "hammering by two real threads",
    "checker": "the model checker",
    "fields": "reading which fields both sides share",
}
WORDS = (*TESTS, "several", "none")
FAULTY = len(LETTERS) - 1

EVERYWHERE = {"checker": set("ADEF"), "fields": set("C")}
"""Queues in which the two tests that do not depend on the machine's speed find a fault."""

CORRECT = "B"


def list_outcomes(findings: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return the number of queues in which each test finds a fault, and the test that finds each's.

    The latter is 'several' or 'none' where it is not one test.
    """
    numbers = {test: sum(map(bool, faults.values())) for test, faults in findings.items()}
    by = {letter: [test for test in findings if findings[test][letter]] for letter in LETTERS}
    finders = {k: v[0] if len(v) == 1 else "several" if v else "none" for k, v in by.items()}
    return numbers | finders


def describe_impossible(findings: Mapping[str, Mapping[str, str]]) -> str:
    """Return which findings no machine can produce, or ''."""
    for test, faults in findings.items():
        letters = {letter for letter, fault in faults.items() if fault}
        if CORRECT in letters or letters != EVERYWHERE.get(test, letters):
            return f"{test} cannot have found this"
    return ""


LAB = Lab(
    number=5,
    title="Is this queue correct?",
    question="What does each kind of test find, and what can it not find?",
    trials=Trials(LETTERS, TESTS, describe_impossible),
    predictions=(
        *(
            Prediction(
                test,
                f"in how many of the {FAULTY} faulty queues {what} finds the fault",
                most=FAULTY,
                whole=True,
            )
            for test, what in METHODS.items()
        ),
        *(
            Prediction(letter, f"which test finds a fault in queue {letter}", words=WORDS)
            for letter in LETTERS
        ),
    ),
    answers=(
        Model("model", "a class QueueCheck: a model of a queue, and how it is explored", 5),
        Numbers(
            "schedule",
            "an order of steps in which two producers of the post's first ring lose A's task",
            {"steps": 2},
            judge=lambda given: {"steps": describe_schedule(given)},
        ),
        Numbers(
            "found",
            "how many faults each test found; and of each queue which test",
            dict.fromkeys(TESTS, 0.5) | dict.fromkeys(LETTERS, 0.25),
            lambda known: list_outcomes(known.measured),
        ),
        Text("three sentences: which of these tests would you trust, and with what"),
    ),
    outcomes=list_outcomes,
)
