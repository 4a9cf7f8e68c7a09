"""Grading of a folder: each pack by itself, so that a broken one never stops the others."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from handoff import archive
from handoff.errors import BadInput, HandoffError
from handoff.grade.checks import Grader, make_condition
from handoff.grade.copies import condense, hold_copies
from handoff.grade.forks import compute_limits, fingerprint
from handoff.grade.picture import Entry, describe_entry
from handoff.grade.plain import clean, join_lines
from handoff.grade.sandbox import find_bubblewrap, run_apart
from handoff.grade.submission import Course, Submission, open_pack
from handoff.labs.check import Check
from handoff.labs.forks import is_borrowed
from handoff.labs.lab import TEXT
from handoff.run.store.forks import read_forks

PARTICIPANT = re.compile(r"_([0-9]+)_assignsubmission_file")
"""In the name of a folder, or of a file, of Moodle's download of all submissions."""


class Graded(NamedTuple):
    """One graded pack: its student, checks and texts, its entry in the class's picture.

    `file` is its place below the folder of packs, because names repeat.
    `fingerprints` identify its forks among all packs, `condensed` its answers. `participant` is
    Moodle's number of the student who handed it in, or ''. While `held` gives a reason, it has no
    points. `replaced` names the student's later pack.
    """

    file: str
    lab: int | None
    pseudonym: str
    checks: list[Check]
    texts: dict[str, str]
    entry: Entry | None = None
    fingerprints: Sequence[str] = ()
    ticket: str = ""
    condensed: Mapping[str, str] = {}
    handed_in: float = 0.0
    participant: str = ""
    held: str = ""
    replaced: str = ""

    @property
    def points(self) -> float:
        return 0.0 if self.held else sum(check.earned or 0 for check in self.checks)

    @property
    def most(self) -> float:
        """Return the points of the checks that could be made here."""
        return sum(check.points for check in self.checks if check.earned is not None)

    @property
    def unchecked(self) -> float:
        """Return the points of the checks that could not be made."""
        return sum(check.points for check in self.checks if check.earned is None)

    @property
    def final(self) -> bool:
        """Return whether the points are the mark: nothing is held, and all was checked."""
        return not self.held and not self.unchecked


def grade_folder(
    folder: Path, course: Course, trust: bool, report: Callable[[str], None]
) -> list[Graded]:
    """Grade every pack below the folder, by name; raise BadInput if there is none."""
    files = sorted(folder.rglob(f"*{archive.SUFFIX}"))
    if not files:
        raise BadInput(f"{folder} contains no packs: files that end in {archive.SUFFIX}.")
    grader, graded = Grader(course, trust), []
    for file in files:
        pack = grade_pack(file, grader)
        place = str(file.relative_to(folder))
        participant = PARTICIPANT.search(place)
        pack = pack._replace(
            file=clean(place),
            handed_in=file.stat().st_mtime,
            participant=participant[1] if participant else "",
        )
        graded.append(pack)
        report(summarize(pack))
    return [mark_replaced(pack, graded) for pack in hold_copies(graded, course.cleared)]


def mark_replaced(pack: Graded, graded: Sequence[Graded]) -> Graded:
    """Name the last pack of the same student, if this is an earlier one of the same lab."""
    same = [
        other
        for other in graded
        if (other.lab, other.pseudonym, other.participant)
        == (pack.lab, pack.pseudonym, pack.participant)
    ]
    last = max(same, key=lambda other: (other.handed_in, other.file))
    return pack._replace(replaced="" if last.file == pack.file else last.file)


def grade_pack(file: Path, grader: Grader) -> Graded:
    """Grade a pack in a process of its own; any fault in it is a failed check."""
    # Cached here for all child processes.
    compute_limits()
    find_bubblewrap()
    try:
        with TemporaryDirectory(prefix="handoff-grade-") as name:
            return run_apart(open_and_grade, file, grader, Path(name) / "pack")
    except BadInput as refused:
        checks = [make_condition("pack", clean(str(refused)), "")]
        return Graded(clean(file.name), None, clean(file.stem), checks, {})


def open_and_grade(file: Path, grader: Grader, folder: Path) -> Graded:
    """Open a pack and make its checks; raise BadInput if it cannot be graded at all."""
    submission = open_pack(file, grader.course, folder)
    work, run = submission.work, submission.run
    written = [(answer, work.read_answer(answer) or "") for answer in submission.lab.answers]
    checks = grader.check(submission)
    entry = None
    borrowed = run is not None and is_borrowed(run)
    if not borrowed and all(
        check.passed for check in checks if not check.points and check.answer != TEXT
    ):
        entry = find_entry(submission)
    return Graded(
        clean(file.name),
        work.lab.number,
        work.pseudonym,
        checks,
        {a.name: clean(text, 10_000) for a, text in written if a.kind == TEXT},
        entry,
        [fingerprint(fork) for _, fork in read_forks(run, [])] if run and not borrowed else [],
        work.ticket,
        {a.name: condense(text) for a, text in written},
    )


def find_entry(submission: Submission) -> Entry | None:
    """Return the pack's entry in the class's picture, which does not affect grades."""
    with suppress(HandoffError, OSError, ValueError, TypeError, LookupError, ArithmeticError):
        return describe_entry(submission)
    return None


def summarize(graded: Graded) -> str:
    """Return a line such as 'lab1-anna.zip  8 of 10  where: where: is ...'."""
    lost = [
        f"{check.name}: {join_lines(check.sentence)}"
        for check in graded.checks
        if check.passed is False and (check.points or check.answer != TEXT)
    ]
    skipped = [check.name for check in graded.checks if check.earned is None]
    open_points = f", {graded.unchecked:g} NOT CHECKED ({', '.join(skipped)})" if skipped else ""
    what = "; ".join(lost) or ("" if skipped else "all right")
    return f"{graded.file}  {graded.points:g} of {graded.most:g}{open_points}  {what}"
