"""Text of students made harmless once: no control characters, and no formulas in tables."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from handoff.files import write_text

MOST_CHARACTERS = 600
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def clean(text: str, most: int = MOST_CHARACTERS) -> str:
    """Remove what controls a terminal or the direction of writing; keep line breaks."""
    kept = "".join(
        " " if character == "\t" else character
        for character in text
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
    )
    return kept if len(kept) <= most else f"{kept[:most]} ..."


def join_lines(text: str) -> str:
    """Return the text on one line that fits a terminal or a cell."""
    return " / ".join(line.strip() for line in text.splitlines() if line.strip())


def disarm(cell: object) -> object:
    """Return a cell of a table that no spreadsheet takes for a formula; numbers stay numbers."""
    if not isinstance(cell, str):
        return "" if cell is None or cell != cell else cell
    text = join_lines(clean(cell, 10 * MOST_CHARACTERS))
    # A lone dash is Moodle's word for a time that is missing.
    formula = text.lstrip().startswith(FORMULA) and text.strip() != "-"
    return f"'{text}" if formula else text


def write_table(file: Path, header: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a CSV file in which no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([disarm(row.get(name)) for name in header] for row in rows)
    write_text(file, out.getvalue())
