"""All packs of a folder: each graded by itself, a broken one never stops the others."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from handoff import archive
from handoff.errors import BadInput, HandoffError
from handoff.grade import isolation
from handoff.grade.checks import FORKS, Check, Grader
from handoff.grade.course import Course
from handoff.grade.forks import compute_limits, fingerprint
from handoff.grade.picture import Entry, describe_entry
from handoff.grade.sandbox import find_bubblewrap
from handoff.grade.submission import open_pack
from handoff.labs.lab import TEXT
from handoff.run.store.forks import read_forks


class Graded(NamedTuple):
    """One pack: whose it is, as far as it could be read, its checks, its texts for the teacher, its
    line in the class's picture, and what tells its forks from all others.
    """

    file: str
    lab: int | None
    pseudonym: str
    checks: list[Check]
    texts: dict[str, str]
    entry: Entry | None = None
    fingerprints: Sequence[str] = ()
    ticket: str = ""

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks if check.passed)

    @property
    def most(self) -> float:
        """Of what could be checked here: what could not costs nobody points."""
        return sum(check.points for check in self.checks if check.passed is not None)


def grade_folder(
    folder: Path, course: Course, trust: bool, tell: Callable[[str], None]
) -> list[Graded]:
    """Every pack below the folder, by name. BadInput where there is none."""
    files = sorted(folder.rglob(f"*{archive.SUFFIX}"))
    if not files:
        raise BadInput(f"{folder} holds no packs: files that end in {archive.SUFFIX}.")
    grader, seen = Grader(course, trust), dict[str, tuple[str, str]]()
    graded = []
    for file in files:
        graded.append(find_copies(grade_pack(file, grader), seen))
        tell(summarize(graded[-1]))
    return graded


def grade_pack(file: Path, grader: Grader) -> Graded:
    """One pack, in a process of its own. Whatever is wrong with it is a sentence of its checks."""
    # Once, for all the processes that begin with what this one knows.
    compute_limits()
    find_bubblewrap()
    try:
        with TemporaryDirectory(prefix="handoff-grade-") as name:
            return isolation.run_apart(open_and_grade, file, grader, Path(name) / "pack")
    except BadInput as refused:
        checks = [Check("pack", 1, False, str(refused))]
        return Graded(file.name, None, file.stem, checks, {})


def find_copies(graded: Graded, seen: dict[str, tuple[str, str]]) -> Graded:
    """The same, with its forks refused where an earlier pack of another ticket has some of them;
    `seen`: by a fork's fingerprint the pack that had it first, and its ticket.
    """
    found = [seen[each] for each in graded.fingerprints if each in seen]
    others = sorted({file for file, ticket in found if ticket != graded.ticket})
    own = graded.file, graded.ticket
    seen.update({each: own for each in graded.fingerprints if each not in seen})
    if not others:
        return graded
    told = f"{others[0]} holds some of the same forks: a person must see whose they are"
    checks = [
        check._replace(passed=False, sentence=told) if check.name == FORKS else check
        for check in graded.checks
    ]
    return graded._replace(checks=checks)


def open_and_grade(file: Path, grader: Grader, folder: Path) -> Graded:
    """BadInput for a pack that cannot be graded at all."""
    submission = open_pack(file, grader.course, folder)
    work, run = submission.work, submission.run
    texts = {
        answer.name: work.read_answer(answer) or ""
        for answer in submission.lab.answers
        if answer.kind == TEXT
    }
    checks = grader.check(submission)
    entry = None
    with suppress(HandoffError, OSError, ValueError, TypeError, LookupError, ArithmeticError):
        # The class's picture is no one's grade.
        entry = describe_entry(submission)
    return Graded(
        file.name,
        work.lab.number,
        work.pseudonym,
        checks,
        texts,
        entry,
        [fingerprint(fork) for _, fork in read_forks(run, [])] if run else [],
        work.ticket,
    )


def summarize(graded: Graded) -> str:
    """'lab1-anna.zip  8 of 11  answer where: ...'"""
    lost = [f"{check.name}: {check.sentence}" for check in graded.checks if check.passed is False]
    skipped = [f"{check.name} was not run" for check in graded.checks if check.passed is None]
    what = "; ".join([*lost, *skipped]) or "all passed"
    return f"{graded.file}  {graded.points:g} of {graded.most:g}  {what}"
