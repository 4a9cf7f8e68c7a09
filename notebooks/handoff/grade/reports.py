"""A teacher's reports: marks, feedback pages, anonymous texts, copies and the class."""

import random
from collections.abc import Sequence
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.grade.copies import format_copies
from handoff.grade.feedback import write_pages
from handoff.grade.grading import Graded
from handoff.grade.marksheet import list_marks, write_marks, write_worksheet
from handoff.grade.picture import draw_class, tabulate_class
from handoff.grade.plain import write_table
from handoff.grade.submission import Course
from handoff.paths import display_path
from handoff.text import pluralize


def write_reports(graded: list[Graded], course: Course, folder: Path) -> list[str]:
    """Write all reports, and return a line per kind."""
    folder.mkdir(parents=True, exist_ok=True)
    marks = list_marks(graded, course)
    write_marks(marks, graded, folder / "marks.csv")
    lines = [f"Marks:      {display_path(folder / 'marks.csv')}"]
    for lab in sorted({mark.lab for mark in marks}):
        file = folder / f"moodle-lab{lab}.csv"
        rows = [mark for mark in marks if mark.lab == lab]
        lines.append(f"Moodle:     {write_worksheet(rows, course.worksheets.get(lab), file)}")
    number = write_pages(marks, graded, folder / "feedback")
    lines.append(f"Feedback:   {display_path(folder / 'feedback')}/, {pluralize(number, 'page')}")
    write_text(folder / "texts.md", format_texts(graded))
    lines.append(f"Texts:      {display_path(folder / 'texts.md')} (without names)")
    write_text(folder / "copies.md", format_copies(graded))
    held = sum(bool(pack.held) for pack in graded)
    lines.append(
        f"Copies:     {display_path(folder / 'copies.md')}, {pluralize(held, 'pack')} held"
    )
    return [*lines, *write_class(graded, folder / "class")]


def format_texts(graded: Sequence[Graded]) -> str:
    """Return the texts by lab, without names and in random order."""
    parts = ["# Texts\n\nWithout names, in random order. A person reads them.\n"]
    last = [pack for pack in graded if not pack.replaced]
    for lab in sorted({pack.lab for pack in last if pack.lab}):
        texts = [text for pack in last if pack.lab == lab for text in pack.texts.values()]
        texts = [text.strip() for text in texts if text.strip()]
        random.shuffle(texts)
        quoted = ["\n".join(f"> {line}" for line in text.splitlines()) for text in texts]
        parts.append("\n\n".join([f"## Lab {lab}", *quoted]) + "\n")
    return "\n".join(parts)


def write_class(graded: Sequence[Graded], folder: Path) -> list[str]:
    """Write a table, and a picture if the lab has a ratio, per lab."""
    lines = []
    counted = [g for g in graded if g.lab and g.entry and not (g.held or g.replaced)]
    for lab in sorted({pack.lab for pack in counted if pack.lab}):
        entries = [(g.pseudonym, g.entry) for g in counted if g.lab == lab and g.entry]
        folder.mkdir(parents=True, exist_ok=True)
        table = tabulate_class(entries)
        write_table(folder / f"lab{lab}.csv", list(table), table.to_numpy(dtype=object).tolist())
        drawn = draw_class(table, lab, folder / f"lab{lab}.png")
        more = f" and {display_path(folder / f'lab{lab}.png')}" if drawn else ""
        lines.append(f"Class:      {display_path(folder / f'lab{lab}.csv')}{more}")
    return lines


def require_folder(folder: Path) -> None:
    """Raise BadInput unless the folder of packs exists."""
    if not folder.is_dir():
        raise BadInput(f"{display_path(folder)} is not a folder; give the one with the packs.")
