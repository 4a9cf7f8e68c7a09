"""Grading of a folder: each pack by itself, so that a broken one never stops the others."""

import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from handoff import archive
from handoff.errors import BadInput, HandoffError
from handoff.grade.checks import Grader, compute_limits, fingerprint
from handoff.grade.copies import condense, hold_copies
from handoff.grade.picture import Entry, describe_entry
from handoff.grade.plain import clean, join_lines
from handoff.grade.sandbox import find_bubblewrap, run_apart
from handoff.grade.submission import Course, open_pack
from handoff.labs.answers import TEXT
from handoff.labs.apart import NotRun
from handoff.labs.check import Check, make_condition
from handoff.labs.forks import is_borrowed
from handoff.labs.handin import MOST_BYTES
from handoff.run.store.forks import read_forks
from handoff.terminal import console

PARTICIPANT = re.compile(r"_([0-9]+)_assignsubmission_file")
"""In the name of a folder, or of a file, of Moodle's download of all submissions."""


class Graded(NamedTuple):
    """One graded pack: its student, checks and text, its entry in the class's picture.

    `file` is its place below the folder of packs, because names repeat.
    `fingerprints` identify its forks among all packs, `condensed` its answers. `participant` is
    Moodle's number of the student who handed it in, or ''. While `held` gives a reason, it has no
    points. `replaced` names the student's later pack.
    """

    file: str
    lab: int | None
    pseudonym: str
    checks: list[Check]
    text: str = ""
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
    def open_checks(self) -> list[str]:
        """Return the names of the checks that could not be made."""
        return [check.name for check in self.checks if check.earned is None]

    @property
    def lost(self) -> dict[str, str]:
        """Return what is wrong, by the names of the checks that failed, each on one line."""
        return {c.name: join_lines(c.sentence) for c in self.checks if c.passed is False}

    @property
    def refusal(self) -> str:
        """Return why nothing of the pack was graded, or ''."""
        if self.lab is not None:
            return ""
        word = "not checked" if self.open_checks else "refused"
        return f"{word}: {self.checks[0].sentence}"

    @property
    def sender(self) -> tuple[int | None, str]:
        """Return what the packs of one student for one lab have in common."""
        return self.lab, self.participant or self.pseudonym


def grade_folder(folder: Path, course: Course, trust: bool) -> list[Graded]:
    """Grade every pack below the folder, by name, and print a line per pack.

    Raise BadInput if there is none.
    """
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() == archive.SUFFIX)
    if not files:
        raise BadInput(f"{folder} contains no packs: files that end in {archive.SUFFIX}.")
    grader, graded = Grader(course, trust), []
    for file in files:
        place = str(file.relative_to(folder))
        participant = PARTICIPANT.search(place)
        pack = grade_pack(file, grader)._replace(
            file=clean(place),
            handed_in=file.stat().st_mtime,
            participant=participant[1] if participant else "",
        )
        graded.append(pack)
        console.print(summarize(pack))
    return [mark_replaced(pack, graded) for pack in hold_copies(graded, course.cleared)]


def mark_replaced(pack: Graded, graded: Sequence[Graded]) -> Graded:
    """Name the last pack of the same student, if this is an earlier one of the same lab."""
    same = [other for other in graded if other.sender == pack.sender]
    last = max(same, key=lambda other: (other.handed_in, other.file))
    return pack._replace(replaced="" if last.file == pack.file else last.file)


def grade_pack(file: Path, grader: Grader) -> Graded:
    """Grade a pack in a process of its own; any fault in it is a failed check.

    One of the grader is a check that could not be made.
    """
    # Cached here for all child processes.
    compute_limits()
    find_bubblewrap()
    try:
        with TemporaryDirectory(prefix="handoff-grade-") as name:
            if shutil.disk_usage(name).free < MOST_BYTES:
                raise NotRun(f"{Path(name).parent} has no room for a pack.")
            return run_apart(open_and_grade, file, grader, Path(name) / "pack")
    except (BadInput, NotRun) as why:
        check = make_condition("pack", clean(str(why)), "")
        if isinstance(why, NotRun):
            check = check._replace(earned=None)
        return Graded(clean(file.name), None, clean(file.stem), [check])


def open_and_grade(file: Path, grader: Grader, folder: Path) -> Graded:
    """Open a pack and make its checks; raise BadInput if it cannot be graded at all."""
    submission = open_pack(file, grader.course, folder)
    work, lab, run = submission.work, submission.lab, submission.run
    checks = grader.check(submission)
    measured = None if run is None or is_borrowed(run) else run
    entry = None
    if measured and all(check.passed for check in checks if check.is_condition):
        # The class's picture does not affect grades.
        with suppress(HandoffError, OSError, ValueError, TypeError, LookupError, ArithmeticError):
            entry = describe_entry(work, measured)
    texts = {answer.name: work.read_answer(answer) or "" for answer in lab.answers}
    return Graded(
        clean(file.name),
        lab.number,
        work.pseudonym,
        checks,
        clean(texts.get(TEXT, ""), 10_000).strip(),
        entry,
        [fingerprint(fork) for _, fork in read_forks(measured, [])] if measured else [],
        work.ticket,
        {name: condense(text) for name, text in texts.items()},
    )


def summarize(graded: Graded) -> str:
    """Return a line such as 'lab1-anna.zip  8 of 10  where: where: is ...'."""
    lost = [f"{name}: {sentence}" for name, sentence in graded.lost.items() if name != TEXT]
    skipped = ", ".join(graded.open_checks)
    open_points = f", {graded.unchecked:g} NOT CHECKED ({skipped})" if skipped else ""
    what = graded.refusal or "; ".join(lost) or ("" if skipped else "all right")
    return f"{graded.file}  {graded.points:g} of {graded.most:g}{open_points}  {what}"
