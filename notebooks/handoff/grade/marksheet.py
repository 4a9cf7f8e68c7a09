"""Marks by student and lab: one plain table, and Moodle's grading worksheet of each lab."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.grade.grading import Graded
from handoff.grade.plain import write_table
from handoff.grade.submission import Course
from handoff.labs.lab import load_lab
from handoff.paths import display_path

IDENTIFIER, GRADE, MODIFIED = NEEDED = ("Identifier", "Grade", "Last modified (grade)")
"""The three columns without which Moodle's importer refuses a worksheet."""

FEEDBACK, MOST, EMAIL, NAME = "Feedback comments", "Maximum grade", "Email address", "Full name"
PREFIX = "Participant "
BLANK = "-"
"""Moodle's word for a time that is missing."""

HOUR_S = 3600
COLUMNS = ("pseudonym", "name", "email", "lab", "points", "of", "hours late", "file", "remark")
"""Columns of the plain table."""


class Mark(NamedTuple):
    """One student's mark in one lab; without a `pack`, `reason` says why."""

    pseudonym: str
    lab: int
    pack: Graded | None
    name: str
    email: str
    hours_late: float
    reason: str = ""

    @property
    def keys(self) -> list[str]:
        """Return what a row of a worksheet may hold of the student: number, address and name."""
        number = self.pack.participant if self.pack else ""
        return [f"{PREFIX}{number}" if number else "", self.email, self.name]

    @property
    def points(self) -> float | None:
        """Return the points; None while a person has to look, or something was not checked."""
        pack = self.pack
        return pack.points if pack and not pack.held and not pack.unchecked else None

    @property
    def remark(self) -> str:
        """Return what the student reads next to the mark."""
        pack = self.pack
        if pack is None:
            return self.reason
        parts = [f"late by {self.hours_late:.1f} h"] if self.hours_late else []
        parts += [pack.held] if pack.held else []
        parts += [f"not checked yet: {', '.join(pack.open_checks)}"] if pack.open_checks else []
        if not pack.held:
            parts += [f"{name}: {sentence}" for name, sentence in pack.lost.items()]
        return "; ".join(parts) or "all right"


def list_marks(graded: Sequence[Graded], course: Course) -> Iterator[Mark]:
    """Yield a mark per lab and student: those of the roster, then those who are not on it."""
    last = [pack for pack in graded if not pack.replaced]
    for lab in sorted({pack.lab for pack in last if pack.lab}):
        packs = [pack for pack in last if pack.lab == lab]
        deadline = course.deadlines.get(lab)
        for pseudonym in dict.fromkeys([*course.roster, *(pack.pseudonym for pack in packs)]):
            known = course.roster.get(pseudonym)
            name, email = (known.name, known.email) if known else ("", "")
            own: list[Graded | None] = [pack for pack in packs if pack.pseudonym == pseudonym]
            reason = find_refusal(graded, lab, pseudonym) or "no pack was handed in"
            for pack in own or [None]:
                seconds = pack.handed_in - deadline.timestamp() if pack and deadline else 0.0
                yield Mark(pseudonym, lab, pack, name, email, max(0.0, seconds) / HOUR_S, reason)


def find_refusal(graded: Sequence[Graded], lab: int, pseudonym: str) -> str:
    """Return why a student's pack was refused, by the name of its file, or ''."""
    # A browser may add a number to the name.
    name = re.compile(rf"lab{lab}-{re.escape(pseudonym)}(?![\w.-])")
    refused = (pack.refusal for pack in graded if pack.lab is None and name.search(pack.pseudonym))
    return next(refused, "")


def write_marks(marks: Sequence[Mark], graded: Sequence[Graded], file: Path) -> None:
    """Write the plain table, one row per student and lab, and one per refused pack."""
    rows = [
        mark._asdict()
        | {
            "points": mark.points,
            "of": load_lab(mark.lab).points,
            "hours late": round(mark.hours_late, 1),
            "file": mark.pack.file if mark.pack else "",
            "remark": mark.remark,
        }
        for mark in marks
    ]
    for pack in graded:
        if pack.refusal:
            rows.append({"pseudonym": pack.pseudonym, "file": pack.file, "remark": pack.refusal})
    write_table(file, COLUMNS, rows)


def write_worksheet(marks: Sequence[Mark], sheet: Path | None, file: Path) -> str:
    """Write the worksheet that Moodle's importer reads, and return its path or why there is none.

    The rows are those of the downloaded worksheet `sheet`, found by participant, e-mail address or
    full name; without one, the participants in the names of Moodle's download of all submissions.
    """
    if sheet is not None:
        unmatched = fill_worksheet(marks, sheet, file)
        missing = f", which has no single row for {', '.join(sorted(unmatched))}"
        return f"{display_path(file)}{missing if unmatched else ''}"
    rows = [
        {
            IDENTIFIER: f"{PREFIX}{mark.pack.participant}",
            NAME: mark.name,
            GRADE: mark.points,
            MODIFIED: BLANK,
            FEEDBACK: mark.remark,
        }
        for mark in marks
        if mark.pack and mark.pack.participant
    ]
    if not rows:
        return (
            f"none for lab {marks[0].lab}: the course's file names no worksheet for it"
            " (key worksheets)"
        )
    write_table(file, list(rows[0]), rows)
    return display_path(file)


def fill_worksheet(marks: Sequence[Mark], sheet: Path, file: Path) -> set[str]:
    """Fill in a downloaded worksheet; return the pseudonyms whose packs have no row of their own.

    A name that several students or rows have identifies none of them.
    """
    header, rows = read_worksheet(sheet)
    keys = [[row.get(name, "") for name in (IDENTIFIER, EMAIL, NAME)] for row in rows]
    counts = Counter(key for listed in [*keys, *(m.keys for m in marks)] for key in {*listed})
    by_key = {key: mark for mark in marks for key in mark.keys if key and counts[key] == 2}
    unmatched = {mark.pseudonym for mark in marks if mark.pack}
    for row, listed in zip(rows, keys, strict=True):
        mark = next((by_key[key] for key in listed if key in by_key), None)
        if mark is None:
            continue
        unmatched.discard(mark.pseudonym)
        if mark.points is not None:
            row[GRADE] = f"{mark.points * find_scale(row, mark.lab):.2f}"
        if FEEDBACK in row:
            row[FEEDBACK] = mark.remark
    write_table(file, header, rows)
    return unmatched


def find_scale(row: Mapping[str, str], lab: int) -> float:
    """Return Moodle's maximum over the lab's points, because a larger grade is not imported."""
    try:
        return float(row.get(MOST, "").replace(",", ".")) / load_lab(lab).points
    except ValueError:
        return 1.0


def read_worksheet(sheet: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Load a worksheet; raise BadInput unless it is one that Moodle's importer would read."""
    try:
        text = sheet.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(
            f"{display_path(sheet)} is not UTF-8: use the file as Moodle wrote it."
        ) from None
    reader = csv.DictReader(io.StringIO(text), restval="")
    header = list(reader.fieldnames or [])
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise BadInput(
            f"{display_path(sheet)} is not a grading worksheet: no column '{missing[0]}'."
            " Download it in Moodle by 'Download grading worksheet', in English."
        )
    rows = list(reader)
    if len(set(header)) < len(header) or any(None in row for row in rows):
        raise BadInput(f"{display_path(sheet)} is damaged: use the file as Moodle wrote it.")
    return header, rows
