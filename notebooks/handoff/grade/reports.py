"""What a teacher gets: Gradescope's JSON, a CSV for Moodle, the texts without names, the class."""

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
    """Writes all of them and returns a line for each kind."""
    (folder / "gradescope").mkdir(parents=True, exist_ok=True)
    for each, name in zip(graded, name_reports(graded), strict=True):
        told = json.dumps(format_gradescope(each), indent=1)
        write_text(folder / "gradescope" / f"{name}.json", told)
    write_text(folder / "moodle.csv", format_moodle(graded))
    write_text(folder / "texts.md", format_texts(graded))
    lines = [
        f"Gradescope: {display_path(folder / 'gradescope')}/, a results.json for each pack",
        f"Moodle:     {display_path(folder / 'moodle.csv')}",
        f"Texts:      {display_path(folder / 'texts.md')}, without names, for you or for peers",
    ]
    return [*lines, *write_class(graded, folder / "class")]


def name_reports(graded: list[Graded]) -> list[str]:
    """As the packs are called; of several of one name the later ones with a number."""
    taken: dict[str, int] = {}
    names = []
    for each in graded:
        stem = Path(each.file).stem
        taken[stem] = taken.get(stem, 0) + 1
        names.append(stem if taken[stem] == 1 else f"{stem}.{taken[stem]}")
    return names


def format_gradescope(graded: Graded) -> dict:
    """As its autograders write it."""
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
    """The points, and what they leave out."""
    open_checks = [f"{c.name}: {c.sentence}" for c in graded.checks if c.passed is None]
    left = f" Not checked: {'; '.join(open_checks)}." if open_checks else ""
    return f"{graded.points:g} of {graded.most:g} points; texts are read by a person.{left}"


def format_moodle(graded: list[Graded]) -> str:
    """One row a pack; cells that a spreadsheet would take for formulas are disarmed."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["Identifier", "Lab", "Grade", "Maximum Grade", "Feedback comments"])
    for each in graded:
        told = "; ".join(f"{check.name}: {check.sentence}" for check in each.checks)
        row = [each.pseudonym, each.lab or "", f"{each.points:g}", f"{each.most:g}", told]
        writer.writerow([disarm(str(cell)) for cell in row])
    return out.getvalue()


def disarm(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell


def format_texts(graded: list[Graded]) -> str:
    """By lab, in an order that tells nothing."""
    parts = ["# Texts\n\nWithout names, in an order of chance. A person reads them.\n"]
    for lab in sorted({each.lab for each in graded if each.lab}):
        texts = [text for each in graded if each.lab == lab for text in each.texts.values()]
        texts = [text.strip() for text in texts if text.strip()]
        random.shuffle(texts)
        quoted = ["\n".join(f"> {line}" for line in text.splitlines()) for text in texts]
        parts.append("\n\n".join([f"## Lab {lab}", *quoted]) + "\n")
    return "\n".join(parts)


def write_class(graded: list[Graded], folder: Path) -> list[str]:
    """A table and, where the lab has a ratio, a picture for each lab."""
    lines = []
    for lab in sorted({each.lab for each in graded if each.lab and each.entry}):
        own = [(g.pseudonym, g.entry) for g in graded if g.lab == lab and g.entry]
        folder.mkdir(parents=True, exist_ok=True)
        table = tabulate_class(own)
        write_text(folder / f"lab{lab}.csv", table.to_csv(index=False))
        drawn = draw_class(table, lab, folder / f"lab{lab}.png")
        more = f" and {display_path(folder / f'lab{lab}.png')}" if drawn else ""
        lines.append(f"Class:      {display_path(folder / f'lab{lab}.csv')}{more}")
    return lines


def require_folder(folder: Path) -> None:
    """BadInput where packs were to be."""
    if not folder.is_dir():
        raise BadInput(f"{display_path(folder)} is no folder; give the one that holds the packs.")
