"""A teacher's reports: Gradescope's JSON, a CSV for Moodle, anonymous texts, and the class."""

import csv
import io
import json
import random
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.grade.grading import Graded
from handoff.grade.picture import draw_class, tabulate_class
from handoff.paths import display_path


def write_reports(graded: list[Graded], folder: Path) -> list[str]:
    """Write all reports, and return a line per kind."""
    (folder / "gradescope").mkdir(parents=True, exist_ok=True)
    for pack, name in zip(graded, name_reports(graded), strict=True):
        text = json.dumps(format_gradescope(pack), indent=1)
        write_text(folder / "gradescope" / f"{name}.json", text)
    write_text(folder / "moodle.csv", format_moodle(graded))
    write_text(folder / "texts.md", format_texts(graded))
    lines = [
        f"Gradescope: {display_path(folder / 'gradescope')}/, a results.json for each pack",
        f"Moodle:     {display_path(folder / 'moodle.csv')}",
        f"Texts:      {display_path(folder / 'texts.md')}, without names, for you or for peers",
    ]
    return [*lines, *write_class(graded, folder / "class")]


def name_reports(graded: list[Graded]) -> list[str]:
    """Return the packs' stems; a repeated stem gets a number."""
    taken: dict[str, int] = {}
    names = []
    for pack in graded:
        stem = Path(pack.file).stem
        taken[stem] = taken.get(stem, 0) + 1
        names.append(stem if taken[stem] == 1 else f"{stem}.{taken[stem]}")
    return names


def format_gradescope(graded: Graded) -> dict:
    """Return the results.json of a Gradescope autograder."""
    return {
        "score": graded.points,
        "output": describe_total(graded),
        "visibility": "visible",
        "tests": [
            {
                "name": check.name,
                "score": check.points if check.passed else 0,
                "max_score": check.points,
                "status": "passed" if check.passed else "failed",
                "output": check.sentence,
            }
            for check in graded.checks
            if check.passed is not None
        ],
    }


def describe_total(graded: Graded) -> str:
    """Return the points, and the checks that were not made."""
    open_checks = [f"{c.name}: {c.sentence}" for c in graded.checks if c.passed is None]
    rest = f" Not checked: {'; '.join(open_checks)}." if open_checks else ""
    return f"{graded.points:g} of {graded.most:g} points; texts are read by a person.{rest}"


def format_moodle(graded: list[Graded]) -> str:
    """Return a CSV with one row per pack, in which no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["Identifier", "Lab", "Grade", "Maximum Grade", "Feedback comments"])
    for pack in graded:
        comments = "; ".join(f"{check.name}: {check.sentence}" for check in pack.checks)
        row = [pack.pseudonym, pack.lab or "", f"{pack.points:g}", f"{pack.most:g}", comments]
        writer.writerow([disarm(str(cell)) for cell in row])
    return out.getvalue()


def disarm(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell


def format_texts(graded: list[Graded]) -> str:
    """Return the texts by lab, without names and in random order."""
    parts = ["# Texts\n\nWithout names, in an order of chance. A person reads them.\n"]
    for lab in sorted({pack.lab for pack in graded if pack.lab}):
        texts = [text for pack in graded if pack.lab == lab for text in pack.texts.values()]
        texts = [text.strip() for text in texts if text.strip()]
        random.shuffle(texts)
        quoted = ["\n".join(f"> {line}" for line in text.splitlines()) for text in texts]
        parts.append("\n\n".join([f"## Lab {lab}", *quoted]) + "\n")
    return "\n".join(parts)


def write_class(graded: list[Graded], folder: Path) -> list[str]:
    """Write a table, and a picture if the lab has a ratio, per lab."""
    lines = []
    for lab in sorted({pack.lab for pack in graded if pack.lab and pack.entry}):
        entries = [(g.pseudonym, g.entry) for g in graded if g.lab == lab and g.entry]
        folder.mkdir(parents=True, exist_ok=True)
        table = tabulate_class(entries)
        write_text(folder / f"lab{lab}.csv", table.to_csv(index=False))
        drawn = draw_class(table, lab, folder / f"lab{lab}.png")
        more = f" and {display_path(folder / f'lab{lab}.png')}" if drawn else ""
        lines.append(f"Class:      {display_path(folder / f'lab{lab}.csv')}{more}")
    return lines


def require_folder(folder: Path) -> None:
    """Raise BadInput unless the folder of packs exists."""
    if not folder.is_dir():
        raise BadInput(f"{display_path(folder)} is no folder; give the one that holds the packs.")
