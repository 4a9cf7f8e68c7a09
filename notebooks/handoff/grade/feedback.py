"""A page per student: what was wrong and why, the student's forks, and the class's."""

import base64
import html
import io
from collections.abc import Sequence
from pathlib import Path

from handoff.files import write_text
from handoff.grade.grading import Graded
from handoff.grade.marksheet import Mark
from handoff.labs.dots import draw_dots
from handoff.labs.lab import load_lab

STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; color: #111; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: #444; }
td, th { border-bottom: 1px solid #ccc; padding: 4px 8px; text-align: left; vertical-align: top; }
td.points { white-space: nowrap; } pre { margin: 0; white-space: pre-wrap; font: inherit; }
td.wrong { border-left: 4px solid #D55E00; } td.right { border-left: 4px solid #009E73; }
td.open { border-left: 4px solid #999; } img { max-width: 100%; }
"""


def write_pages(marks: Sequence[Mark], graded: Sequence[Graded], folder: Path) -> int:
    """Write the page of each student with a pack, and return their number."""
    folder.mkdir(parents=True, exist_ok=True)
    students = dict.fromkeys(mark.pseudonym for mark in marks if mark.pack)
    for pseudonym in students:
        own = [mark for mark in marks if mark.pseudonym == pseudonym and mark.pack]
        body = "".join(format_lab(mark, graded) for mark in own)
        title = f"Labs: {html.escape(pseudonym)}"
        page = (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{STYLE}</style></head><body><h1>{title}</h1>{body}</body></html>\n"
        )
        write_text(folder / f"{pseudonym}.html", page)
    return len(students)


def format_lab(mark: Mark, graded: Sequence[Graded]) -> str:
    pack, lab = mark.pack, load_lab(mark.lab)
    assert pack
    head = f"<h2>Lab {lab.number}: {html.escape(lab.title)}</h2>"
    late = f"<p>Handed in {mark.hours_late:.1f} hours late.</p>" if mark.hours_late else ""
    if pack.held:
        return f"{head}{late}<p>{html.escape(pack.held.capitalize())}.</p>"
    open_points = f", {pack.unchecked:g} more not checked yet" if pack.unchecked else ""
    total = f"<p><b>{pack.points:.4g} of {pack.most:g} points</b>{open_points}.</p>"
    return f"{head}{late}{total}{format_checks(pack)}{format_forks(pack, graded)}"


def format_checks(pack: Graded) -> str:
    """Return the table of checks; right, wrong and open are also said in words."""
    rows = []
    for check in pack.checks:
        word = {True: "right", False: "wrong", None: "open"}[check.passed]
        earned = "?" if check.earned is None else f"{check.earned:.3g}"
        points = f"{earned} of {check.points:g}" if check.points else ""
        rows.append(
            f'<tr><td class="{word}">{word}</td><td>{html.escape(check.name)}</td>'
            f'<td class="points">{points}</td>'
            f"<td><pre>{html.escape(check.sentence)}</pre></td></tr>"
        )
    header = "<tr><th>result</th><th>part</th><th>points</th><th>why</th></tr>"
    return f"<table>{header}{''.join(rows)}</table>"


def format_forks(pack: Graded, graded: Sequence[Graded]) -> str:
    """Return a picture of the student's forks and the class's, if the lab has fork times."""
    if not pack.entry or not pack.entry.times:
        return ""
    others = [
        other.entry.times
        for other in graded
        if other.lab == pack.lab
        and other.entry
        and other.file != pack.file
        and not (other.held or other.replaced)
    ]
    figure = draw_dots(pack.entry.times, load_lab(int(pack.lab or 0)).axis, others)
    out = io.BytesIO()
    figure.savefig(out, format="png", bbox_inches="tight", dpi=110)
    picture = base64.b64encode(out.getvalue()).decode()
    words = (
        f"Your forks (orange, a dot per fork) and those of {len(others)} other machines (grey), on"
        " a logarithmic axis. Machines differ by factors; compare the distances between the rows,"
        " which the conclusions are about."
    )
    return f'<p>{words}</p><img alt="{words}" src="data:image/png;base64,{picture}">'
