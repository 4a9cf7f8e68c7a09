"""Grading of a folder: each pack by itself, so that a broken one never stops the others."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from handoff import archive
from handoff.errors import BadInput, HandoffError
from handoff.grade.checks import FORKS, Check, Grader
from handoff.grade.forks import compute_limits, fingerprint
from handoff.grade.picture import Entry, describe_entry
from handoff.grade.sandbox import find_bubblewrap, run_apart
from handoff.grade.submission import Course, open_pack
from handoff.labs.lab import TEXT
from handoff.run.store.forks import read_forks


class Graded(NamedTuple):
    """One graded pack: its student, checks and texts, its entry in the class's picture.

    `fingerprints` identify its forks among all packs.
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
        """Return the points of the checks that could be made here."""
        return sum(check.points for check in self.checks if check.passed is not None)


def grade_folder(
    folder: Path, course: Course, trust: bool, report: Callable[[str], None]
) -> list[Graded]:
    """Grade every pack below the folder, by name; raise BadInput if there is none."""
    files = sorted(folder.rglob(f"*{archive.SUFFIX}"))
    if not files:
        raise BadInput(f"{folder} holds no packs: files that end in {archive.SUFFIX}.")
    grader, seen = Grader(course, trust), dict[str, tuple[str, str]]()
    graded = []
    for file in files:
        graded.append(find_copies(grade_pack(file, grader), seen))
        report(summarize(graded[-1]))
    return graded


def grade_pack(file: Path, grader: Grader) -> Graded:
    """Grade a pack in a process of its own; whatever is wrong with it is a failed check."""
    # Cached here for all child processes.
    compute_limits()
    find_bubblewrap()
    try:
        with TemporaryDirectory(prefix="handoff-grade-") as name:
            return run_apart(open_and_grade, file, grader, Path(name) / "pack")
    except BadInput as refused:
        checks = [Check("pack", 1, False, str(refused))]
        return Graded(file.name, None, file.stem, checks, {})


def find_copies(graded: Graded, seen: dict[str, tuple[str, str]]) -> Graded:
    """Refuse a pack's forks if an earlier pack of another ticket has some of them.

    `seen` holds the first pack of each fingerprint, with its ticket; this pack's are added.
    """
    earlier = [seen[mark] for mark in graded.fingerprints if mark in seen]
    others = sorted({file for file, ticket in earlier if ticket != graded.ticket})
    for mark in graded.fingerprints:
        seen.setdefault(mark, (graded.file, graded.ticket))
    if not others:
        return graded
    sentence = f"{others[0]} holds some of the same forks: a person must see whose they are"
    checks = [
        check._replace(passed=False, sentence=sentence) if check.name == FORKS else check
        for check in graded.checks
    ]
    return graded._replace(checks=checks)


def open_and_grade(file: Path, grader: Grader, folder: Path) -> Graded:
    """Open a pack and make its checks; raise BadInput if it cannot be graded at all."""
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
        # The class's picture does not affect grades.
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
    """Return a line such as 'lab1-anna.zip  8 of 11  answer where: ...'."""
    lost = [f"{check.name}: {check.sentence}" for check in graded.checks if check.passed is False]
    skipped = [f"{check.name} was not run" for check in graded.checks if check.passed is None]
    what = "; ".join([*lost, *skipped]) or "all passed"
    return f"{graded.file}  {graded.points:g} of {graded.most:g}  {what}"
