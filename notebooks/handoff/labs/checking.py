"""The grader's checks for a student: on visible cases, with the student's own forks."""

from handoff.errors import BadInput
from handoff.labs import handin, measuring
from handoff.labs.apart import run_functions
from handoff.labs.check import Check
from handoff.labs.lab import MODEL, Answer
from handoff.labs.marks import Marker
from handoff.labs.work import Work
from handoff.run.java import jdk
from handoff.run.store.run import Run
from handoff.text import pluralize


def format_check(check: Check) -> str:
    """Return a line such as '  0 of 1    per_fork: sleeps   wrong in 3 of 8 cases'."""
    earned = "?" if check.earned is None else f"{check.earned:.3g}"
    points = f"{earned:>4} of {check.points:<4g}" if check.points else " " * 12
    return f"{points} {check.name:28} {check.sentence}"


def make_marker(work: Work) -> Marker:
    """Return what makes the checks of the grader on visible cases, with the student's own forks."""
    measured, reason = None, ""
    try:
        measured = measuring.find_measured(work)
        if isinstance(measured, Run) and (missing := measured.missing()):
            measured, reason = None, f"{pluralize(len(missing), 'fork')} missing: measure again"
    except BadInput as wrong:
        reason = str(wrong)
    return Marker(work, measured, reason, run_functions, lambda *given: try_java(work, *given))


def try_java(work: Work, answer: Answer, source: str) -> tuple[float, str]:
    """Try a class or a model, unless it was tried since it last changed."""
    kept = work.read_tried(source)
    if kept:
        return kept
    if answer.kind == MODEL:
        from handoff.labs.lessons import correctness

        return correctness.try_model(work, lambda line: None)
    return measuring.try_class(work, jdk.find_jdk())


def list_missing(work: Work) -> list[str]:
    """Return a line for each part of the pack that is missing or not of the right form."""
    if work.prediction is None:
        return ["The prediction is missing."]
    reason = make_marker(work).reason
    problems = [f"{'Trials' if work.lab.trials else 'Forks'}: {reason}"] if reason else []
    for answer in work.lab.answers:
        if fault := handin.describe_form(work, answer):
            problems.append(f"{answer.name}: {fault} ({answer.question}).")
    return problems
