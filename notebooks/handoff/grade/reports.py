"""A teacher's reports: marks, feedback pages, anonymous texts, copies and the class."""

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from handoff.files import write_text
from handoff.grade.copies import format_copies
from handoff.grade.feedback import write_pages
from handoff.grade.grading import Graded
from handoff.grade.marksheet import list_marks, write_marks, write_worksheet
from handoff.grade.picture import Entry, draw_class, tabulate_class
from handoff.grade.plain import write_table
from handoff.grade.submission import Course
from handoff.paths import display_path
from handoff.text import pluralize


def write_reports(graded: Sequence[Graded], course: Course, folder: Path) -> list[str]:
    """Write all reports, and return a line per kind."""
    folder.mkdir(parents=True, exist_ok=True)
    marks = list(list_marks(graded, course))
    write_marks(marks, graded, folder / "marks.csv")
    lines = [f"Marks:      {display_path(folder / 'marks.csv')}"]
    for lab in sorted({mark.lab for mark in marks}):
        rows = [mark for mark in marks if mark.lab == lab]
        said = write_worksheet(rows, course.worksheets.get(lab), folder / f"moodle-lab{lab}.csv")
        lines.append(f"Moodle:     {said}")
    number = write_pages(marks, graded, folder / "feedback")
    lines.append(f"Feedback:   {display_path(folder / 'feedback')}/, {pluralize(number, 'page')}")
    write_text(folder / "texts.md", format_texts(graded))
    lines.append(f"Texts:      {display_path(folder / 'texts.md')} (without names)")
    write_text(folder / "copies.md", format_copies(graded))
    held = pluralize(sum(bool(pack.held) for pack in graded), "pack")
    lines.append(f"Copies:     {display_path(folder / 'copies.md')}, {held} held")
    return [*lines, *write_class(graded, folder / "class")]


def list_unchecked(graded: Sequence[Graded]) -> list[str]:
    """Return which packs could not be checked in full, and a line per reason; [] if all were."""
    files = [pack.file for pack in graded if pack.open_checks]
    reasons = {check.sentence for pack in graded for check in pack.checks if check.earned is None}
    head = (
        f"INCOMPLETE: {pluralize(len(files), 'pack')} could not be checked in full"
        f" ({', '.join(files[:3])}{' ...' if len(files) > 3 else ''}): their marks are left empty."
        " Remove the reasons, and grade again; read code that did not end by the clock, because it"
        " will not end then either."
    )
    return [head, *sorted(reasons)] if files else []


def format_texts(graded: Sequence[Graded]) -> str:
    """Return the texts by lab, without names and in random order."""
    parts = ["# Texts\n\nWithout names, in random order. A person reads them.\n"]
    last = [pack for pack in graded if not pack.replaced]
    for lab in sorted({pack.lab for pack in last if pack.lab}):
        texts = [pack.text for pack in last if pack.lab == lab and pack.text]
        random.shuffle(texts)
        quoted = ["\n".join(f"> {line}" for line in text.splitlines()) for text in texts]
        parts.append("\n\n".join([f"## Lab {lab}", *quoted]) + "\n")
    return "\n".join(parts)


def write_class(graded: Sequence[Graded], folder: Path) -> list[str]:
    """Write a table, and a picture if the lab has a ratio, per lab."""
    by_lab: dict[int, list[tuple[str, Entry]]] = defaultdict(list)
    for pack in graded:
        if pack.lab and pack.entry and not (pack.held or pack.replaced):
            by_lab[pack.lab].append((pack.pseudonym, pack.entry))
    lines = []
    for lab, entries in sorted(by_lab.items()):
        folder.mkdir(parents=True, exist_ok=True)
        table, file = tabulate_class(entries), folder / f"lab{lab}.csv"
        write_table(file, list(table), table.to_dict("records"))
        picture = file.with_suffix(".png")
        drawn = f" and {display_path(picture)}" if draw_class(table, lab, picture) else ""
        lines.append(f"Class:      {display_path(file)}{drawn}")
    return lines
