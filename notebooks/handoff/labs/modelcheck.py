"""Queues of lab 5, tried in three ways: by real threads, by the model checker, by reading; and a
model of the student's own, which the checker is given.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from handoff.errors import BadInput, Failure
from handoff.files import write_json
from handoff.labs import bytecode, ownclass
from handoff.labs.ownclass import CLASS_PATH, QUEUES, Run, list_wrong, run_plainly
from handoff.labs.work import TRIALS, Work, require_answer
from handoff.paths import JAVA_BENCH, LABS_JAR
from handoff.run.java import jar, jdk
from handoff.run.java.jdk import Jdk

MODEL = "QueueCheck"
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
"""By kind what can be wrong with a queue, as the jar's Fault has it."""


def hammer_queues(java: Jdk, subjects: Sequence[str]) -> list[str]:
    """What two real threads find in each; '' if nothing. A JVM each, for a dead queue leaves
    threads.
    """
    words = ["-cp", CLASS_PATH, QUEUES, "hammer"]
    return [list_wrong(java, [*words, each], 1, run_plainly)[0] for each in subjects]


def explore_queues(java: Jdk, subjects: Sequence[str]) -> list[str]:
    """What the model checker finds in small scenarios; '' if nothing."""
    words = ["-cp", CLASS_PATH, QUEUES, "exchange", *subjects]
    return list_wrong(java, words, len(subjects), run_plainly)


def read_queues(java: Jdk, subjects: Sequence[str]) -> list[str]:
    """What byte code shows: a field that the two sides share wrongly; '' if none."""
    return [read_queue(java, f"handoff.queues.Queue{each}") for each in subjects]


def read_queue(java: Jdk, name: str) -> str:
    command = [str(ownclass.find_tool(java, "javap")), "-J-Xmx256m", "-p", "-c", "-v"]
    ended = run_plainly([*command, "-cp", str(LABS_JAR), name], ownclass.COMPILE_LIMIT_S)
    if ended.returncode != 0:
        raise Failure(f"javap cannot read {name}.")
    return bytecode.describe_fields(ended.stdout, name.replace(".", "/"), SIDES)


def check_queues(
    java: Jdk, folder: Path, subjects: Sequence[str], run: Run = run_plainly
) -> list[str]:
    """What the checker finds by a student's model, whose classes are in the folder; '' if nothing.
    Failure where the model itself breaks.
    """
    words = ["-cp", f"{CLASS_PATH}:{folder}", QUEUES, "check", *subjects]
    return list_wrong(java, words, len(subjects), run)


def show_source(letter: str) -> None:
    """Prints one of the six. BadInput for another letter."""
    if letter not in LETTERS:
        raise BadInput(f"There is no queue {letter}; allowed is {', '.join(LETTERS)}.")
    print((SOURCES / f"Queue{letter}.java").read_text(encoding="utf-8"))


def try_model(work: Work, tell: Callable[[str], None] = print) -> None:
    """Each of the six queues by the student's model. BadInput before there is a prediction, which
    may not be changed from now on, and where the model is not written, cannot be compiled, or
    breaks.
    """
    source = work.read_answer(require_answer(work.lab, ANSWER))
    if source is None:
        raise BadInput(f"Write it first: a cell that begins with %%answer {ANSWER}.")
    begin_trials(work)
    java = jdk.find_jdk()
    jar.build_jar(java)
    with tempfile.TemporaryDirectory(prefix="handoff-model-") as name:
        ownclass.compile_class(java, source, Path(name), MODEL)
        try:
            found = check_queues(java, Path(name), LETTERS)
        except Failure as broken:
            raise BadInput(f"Your model: {broken}") from None
    for letter, wrong in zip(LETTERS, found, strict=True):
        tell(f"{letter}: {shorten_trace(wrong) or 'nothing found'}")


def begin_trials(work: Work) -> None:
    """What the checker says binds the prediction, as what is measured does."""
    file = work.folder / TRIALS
    ticket = work.ticket
    if not file.is_file():
        write_json(file, {"ticket": ticket, "found": {}})


def shorten_trace(wrong: str) -> str:
    """Its first line: 'Invalid execution results'."""
    return wrong.split("\n", 1)[0].strip(" =")
