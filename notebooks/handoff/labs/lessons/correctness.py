"""Lab 5: is this queue correct? What real threads, a model checker and reading can find."""

import difflib
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from IPython.display import Markdown

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.labs import bytecode, ownclass
from handoff.labs.checking import make_random
from handoff.labs.lab import JavaClass, Lab, Tried, Values, ask, ask_words
from handoff.labs.lessons.stories import describe_schedule, shorten_trace
from handoff.labs.ownclass import find_faults, run_javap
from handoff.labs.work import TRIALS, Work
from handoff.paths import JAVA_BENCH, LABS_JAR
from handoff.run.java.jdk import Jdk
from handoff.text import pluralize

LETTERS = ("A", "B", "C", "D", "E", "F")
SOURCES = JAVA_BENCH / "src" / "labs" / "java" / "handoff" / "queues"
SIDES = ("offer", "poll")

CORRECT = "B"
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


def hammer_queues(java: Jdk) -> dict[str, str]:
    """Return what two real threads find in each queue, or ''.

    Each queue gets a JVM of its own, because a dead queue leaves threads behind.
    """
    return {letter: find_faults(java, "hammer", [letter])[letter] for letter in LETTERS}


def explore_queues(java: Jdk) -> dict[str, str]:
    """Return what the model checker finds in each queue in small scenarios, or ''."""
    return find_faults(java, "exchange", LETTERS)


def read_queues(java: Jdk) -> dict[str, str]:
    """Return the field that the two sides of each queue share wrongly, or ''."""
    faults = {}
    for letter in LETTERS:
        name = f"handoff/queues/Queue{letter}"
        listed = run_javap(java, ["-cp", str(LABS_JAR), name.replace("/", ".")])
        faults[letter] = bytecode.describe_fields(listed, name, SIDES)
    return faults


MAY_MISS = 1
"""Faulty queues that a model may miss, because the checker explores at random."""


def judge_model(right: Sequence[str], faulty: Mapping[str, str]) -> Tried:
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


def read_queue(letter: str) -> str:
    return (SOURCES / f"Queue{letter}.java").read_text(encoding="utf-8")


def show_queues() -> Markdown:
    """Show queue A, and of each other queue the lines that differ, apart from its name."""
    first = read_queue("A")
    parts = [f"**Queue A**\n```java\n{first}```"]
    for letter in LETTERS[1:]:
        other = re.sub(rf"Queue{letter}\b", "QueueA", read_queue(letter))
        lines = difflib.unified_diff(first.splitlines(), other.splitlines(), lineterm="", n=2)
        changed = "\n".join(line for line in lines if not line.startswith(("@@", "---", "+++")))
        parts.append(f"**Queue {letter}, differences from A**\n```diff\n{changed}\n```")
    return Markdown("\n\n".join(parts))


def try_model(work: Work, hidden: bool) -> Tried:
    """Try the student's model on the six queues, or on drawn ones that no student sees.

    The prediction is fixed from then on, because the checker's findings would change it. Raise
    BadInput before there is one, and for a model that is missing, does not compile or breaks a
    rule.
    """
    java, source = ownclass.prepare_java(), ownclass.read_source(bytecode.MODEL_NAME)
    work.require()
    if not (work.folder / TRIALS).is_file():
        write_json(work.folder / TRIALS, {})
    right: tuple[str, ...] = (CORRECT,)
    faulty = {letter: letter for letter in LETTERS if letter != CORRECT}
    random = make_random(hidden, work.lab.number, bytecode.MODEL_NAME)
    if hidden:
        right = RIGHT
        faulty = {kind: str(random.choice(faults)) for kind, faults in FAULTS.items()}
    # In a drawn order, but a correct one last: a model that counts its calls never passes by luck.
    *others, last = (*faulty.values(), *right)
    subjects = [*map(str, random.permutation(others)), last]
    with tempfile.TemporaryDirectory(prefix="handoff-model-") as name:
        folder = Path(name)
        ownclass.compile_class(java, source, folder, bytecode.MODEL_NAME)
        listed = ownclass.disassemble(java, folder)
        if stranger := bytecode.describe_strangers(listed, bytecode.MODEL):
            raise BadInput(f"Your model is not tried: {stranger}.")
        faults = find_faults(java, "check", subjects, folder)
    found = {kind: faults[subject] for kind, subject in faulty.items()}
    return judge_model([faults[subject] for subject in right], found)


TESTS = {"hammer": hammer_queues, "checker": explore_queues, "fields": read_queues}
METHODS = {
    "hammer": "hammering by two real threads",
    "checker": "the model checker",
    "fields": "reading which fields both sides share",
}
FAULTY = len(LETTERS) - 1
NUMBERS = {
    test: f"in how many of the {FAULTY} faulty queues {what} finds the fault"
    for test, what in METHODS.items()
}
FINDERS = {letter: f"which test finds a fault in queue {letter}" for letter in LETTERS}


def list_outcomes(findings: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return the number of queues in which each test finds a fault, and the test that finds each's.

    The latter is 'several' or 'none' where it is not one test.
    """
    numbers = {test: sum(map(bool, faults.values())) for test, faults in findings.items()}
    by = {letter: [test for test in findings if findings[test][letter]] for letter in LETTERS}
    finders = {k: v[0] if len(v) == 1 else "several" if v else "none" for k, v in by.items()}
    return numbers | finders


LAB = Lab(
    number=5,
    trials=TESTS,
    predictions=ask(NUMBERS, "queues", 0, FAULTY, int)
    | ask_words(FINDERS, (*TESTS, "several", "none")),
    parts=(
        JavaClass("model", {"model": 5}, try_model),
        Values(
            "schedule",
            {"steps": 2},
            judge=lambda given: {"steps": describe_schedule(given.get("steps", ""))},
        ),
        Values("found", dict.fromkeys(TESTS, 0.5) | dict.fromkeys(LETTERS, 0.25)),
    ),
    outcomes=list_outcomes,
)
