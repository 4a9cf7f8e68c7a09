"""Marks by student and lab: one plain table, and Moodle's grading worksheet of each lab."""

import csv
import io
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.grade.grading import Graded
from handoff.grade.plain import join_lines, write_table
from handoff.grade.submission import Course
from handoff.labs.lab import load_lab
from handoff.paths import display_path

IDENTIFIER, GRADE, MODIFIED = "Identifier", "Grade", "Last modified (grade)"
"""The three columns without which Moodle's importer refuses a worksheet."""

FEEDBACK, MOST, EMAIL, NAME = "Feedback comments", "Maximum grade", "Email address", "Full name"
PREFIX = "Participant "
NEEDED = (IDENTIFIER, GRADE, MODIFIED)
BLANK = "-"
"""What Moodle writes for a time that is missing."""

HOUR_S = 3600


class Mark(NamedTuple):
    """One student's mark in one lab; `pack` is None if nothing was handed in."""

    pseudonym: str
    lab: int
    pack: Graded | None
    name: str = ""
    email: str = ""
    hours_late: float = 0.0

    @property
    def points(self) -> float | None:
        """Return the points; None while a person has to look, or something was not checked."""
        return self.pack.points if self.pack and self.pack.final else None

    @property
    def remark(self) -> str:
        """Return what the student reads next to the mark."""
        pack = self.pack
        if pack is None:
            return "no pack was handed in"
        late = f"late by {self.hours_late:.1f} h" if self.hours_late else ""
        open_checks = ", ".join(check.name for check in pack.checks if check.earned is None)
        lost = [
            f"{check.name}: {join_lines(check.sentence)}"
            for check in pack.checks
            if check.passed is False
        ]
        parts = [late, pack.held, f"not checked yet: {open_checks}" if open_checks else ""]
        return "; ".join(filter(None, [*parts, *([] if pack.held else lost)])) or "all right"


def list_marks(graded: Sequence[Graded], course: Course) -> list[Mark]:
    """Return a mark per lab and student: those of the roster, then those who are not on it."""
    last = [pack for pack in graded if not pack.replaced]
    marks = []
    for lab in sorted({pack.lab for pack in last if pack.lab}):
        packs = [pack for pack in last if pack.lab == lab]
        names = dict.fromkeys([*course.roster, *(pack.pseudonym for pack in packs)])
        for pseudonym in names:
            known = course.roster.get(pseudonym)
            name, email = (known.name, known.email) if known else ("", "")
            own: list[Graded | None] = [pack for pack in packs if pack.pseudonym == pseudonym]
            for pack in own or [None]:
                late = count_hours_late(pack, course.deadlines.get(lab))
                marks.append(Mark(pseudonym, lab, pack, name, email, late))
    return marks


def count_hours_late(pack: Graded | None, deadline: datetime | None) -> float:
    """Return by how many hours a pack's file is younger than the deadline."""
    if pack is None or deadline is None:
        return 0.0
    return max(0.0, pack.handed_in - deadline.timestamp()) / HOUR_S


def write_marks(marks: Sequence[Mark], graded: Sequence[Graded], file: Path) -> None:
    """Write the plain table, one row per student and lab, and one per refused pack."""
    header = ["pseudonym", "name", "email", "lab", "points", "of", "hours late", "file", "remark"]
    rows = [
        [
            mark.pseudonym,
            mark.name,
            mark.email,
            mark.lab,
            mark.points,
            load_lab(mark.lab).points,
            round(mark.hours_late, 1),
            mark.pack.file if mark.pack else "",
            mark.remark,
        ]
        for mark in marks
    ]
    rows += [
        [pack.pseudonym, "", "", "", "", "", "", pack.file, f"refused: {pack.checks[0].sentence}"]
        for pack in graded
        if pack.lab is None
    ]
    write_table(file, header, rows)


def write_worksheet(marks: Sequence[Mark], sheet: Path | None, file: Path) -> str:
    """Write the worksheet that Moodle's importer reads, and return its path or why there is none.

    The rows are those of the downloaded worksheet `sheet`, found by e-mail address or full name;
    without one, the participants in the names of Moodle's download of all submissions.
    """
    if sheet is None:
        numbered = [mark for mark in marks if mark.pack and mark.pack.participant]
        if not numbered:
            return (
                f"none for lab {marks[0].lab}: the course's file names no worksheet of Moodle's"
                " for it (worksheets)"
            )
        header = [IDENTIFIER, NAME, GRADE, MODIFIED, FEEDBACK]
        rows = [
            [f"{PREFIX}{mark.pack.participant}", mark.name, mark.points, BLANK, mark.remark]
            for mark in numbered
            if mark.pack
        ]
        write_table(file, header, rows)
        return display_path(file)
    header, filled = read_worksheet(sheet)
    by_key = {key: mark for mark in marks for key in (mark.email, mark.name) if key}
    unmatched = {mark.pseudonym for mark in marks if mark.pack}
    places = {name: header.index(name) for name in header}
    for row in filled:
        keys = [row[places[name]] for name in (EMAIL, NAME) if name in places]
        mark = next((by_key[key] for key in keys if key in by_key), None)
        if mark is None:
            continue
        unmatched.discard(mark.pseudonym)
        points = mark.points
        if points is not None:
            row[places[GRADE]] = f"{points * find_scale(row, places, mark.lab):.2f}"
        if FEEDBACK in places:
            row[places[FEEDBACK]] = mark.remark
    write_table(file, header, filled)
    missing = f", which has no row for {', '.join(sorted(unmatched))}" if unmatched else ""
    return f"{display_path(file)}{missing}"


def find_scale(row: Sequence[str], places: dict[str, int], lab: int) -> float:
    """Return Moodle's maximum over the lab's points, because a larger grade is not imported."""
    text = row[places[MOST]] if MOST in places else ""
    try:
        return float(text.replace(",", ".")) / load_lab(lab).points
    except ValueError:
        return 1.0


def read_worksheet(sheet: Path) -> tuple[list[str], list[list[str]]]:
    """Load a worksheet; raise BadInput unless it is one that Moodle's importer would read."""
    try:
        text = sheet.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(
            f"{display_path(sheet)} is not UTF-8: use the file as Moodle wrote it."
        ) from None
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    header = rows[0] if rows else []
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise BadInput(
            f"{display_path(sheet)} is not a grading worksheet: no column '{missing[0]}'."
            " Download it in Moodle by 'Download grading worksheet', in English."
        )
    return header, [row + [""] * (len(header) - len(row)) for row in rows[1:]]
