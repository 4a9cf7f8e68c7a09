"""All packs of a folder: each graded by itself, a broken one never stops the others."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from handoff import archive
from handoff.errors import BadInput
from handoff.grade.checks import Check, Grader
from handoff.grade.course import Course
from handoff.grade.picture import Entry, describe_entry
from handoff.grade.submission import open_pack


class Graded(NamedTuple):
    """One pack: whose it is, as far as it could be read, its checks, its texts for the teacher, and
    its line in the class's picture.
    """

    file: str
    lab: int | None
    pseudonym: str
    checks: list[Check]
    texts: dict[str, str]
    entry: Entry | None = None

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks if check.passed)

    @property
    def most(self) -> float:
        return sum(check.points for check in self.checks)


def grade_folder(
    folder: Path, course: Course, trust: bool, tell: Callable[[str], None]
) -> list[Graded]:
    """Every pack below the folder, by name. BadInput where there is none."""
    files = sorted(folder.rglob(f"*{archive.SUFFIX}"))
    if not files:
        raise BadInput(f"{folder} holds no packs: files that end in {archive.SUFFIX}.")
    grader = Grader(course, trust, {})
    graded = []
    for file in files:
        graded.append(grade_pack(file, grader))
        tell(summarize(graded[-1]))
    return graded


def grade_pack(file: Path, grader: Grader) -> Graded:
    """One pack. Whatever is wrong with it is a sentence of its own checks."""
    try:
        with open_pack(file, grader.course) as submission:
            work = submission.work
            texts = {
                answer.name: work.read_answer(answer) or ""
                for answer in submission.lab.answers
                if answer.kind == "text"
            }
            checks = grader.check(submission)
            entry = describe_entry(submission)
            return Graded(file.name, work.lab.number, work.pseudonym, checks, texts, entry)
    except BadInput as refused:
        return refuse(file, str(refused))
    except (OSError, ValueError, KeyError, TypeError, LookupError, RecursionError) as wrong:
        # What a stranger's file may hold has no end; the teacher must see it, and go on.
        return refuse(file, f"it could not be graded ({type(wrong).__name__}: {wrong}).")


def refuse(file: Path, sentence: str) -> Graded:
    return Graded(file.name, None, file.stem, [Check("pack", 1, False, sentence)], {})


def summarize(graded: Graded) -> str:
    """'lab1-anna.zip  8 of 11  answer where: ...'"""
    lost = [f"{check.name}: {check.sentence}" for check in graded.checks if check.passed is False]
    skipped = [f"{check.name} was not run" for check in graded.checks if check.passed is None]
    what = "; ".join([*lost, *skipped]) or "all passed"
    return f"{graded.file}  {graded.points:g} of {graded.most:g}  {what}"
