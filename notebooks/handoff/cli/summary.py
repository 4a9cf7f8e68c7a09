"""Results of a run on the terminal: a table of verdicts, or the largest effects of a sweep."""

from rich.table import Table

from handoff.claims.claim_rows import RESULTS
from handoff.files import read_json
from handoff.paths import SWEEPS, generated_folder
from handoff.run.store.run import Run
from handoff.terminal import console

WIDTH = 80
MOST_ROWS, MOST_EFFECTS = 5, 3
"""Claims, and effects per study, that the terminal has room for."""


def print_results(run: Run) -> None:
    """Print the main verdicts and what could not be tested; of an own sweep also its effects."""
    folder = generated_folder(run.folder)
    numbers, swept = (read_json(folder / name) for name in ("numbers.json", "sweep.json"))
    judged = print_verdicts(numbers)
    if not judged or not (SWEEPS / f"{run.identity['profile']}.yml").is_file():
        print_effects(swept)
    console.print("")


def print_verdicts(numbers: dict) -> bool:
    """Print the claims that a reader asks for first, as a table; return whether any has a verdict.

    Without any of the primary study's, these are the first of another study.
    """
    sections = [numbers, *numbers["studies"]]
    for section in sections:
        decided = [row for row in section["claims"] if row["judged"] or row["forced"]]
        named = [row for row in decided if row["claim"] in RESULTS] or decided
        if named:
            named.sort(key=lambda row: (*RESULTS, row["claim"]).index(row["claim"]))
            console.print(f"\n{section['usual']}")
            console.print(make_table(named[:MOST_ROWS]), width=WIDTH)
            if section["untestable"]:
                console.print(section["untestable"])
            return True
    return False


def make_table(rows: list[dict]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=True, header_style="bold")
    for title in ("", "claim"):
        table.add_column(title)
    for title in ("here", "verdict"):
        table.add_column(title, min_width=19)
    for row in rows:
        table.add_row(row["claim"], row["says"], row["here"], row["words"])
    return table


def print_effects(swept: dict) -> None:
    """Print the largest effects of each study's parameters, or the levels where none is sure."""
    for study in swept["studies"]:
        sure = study["sentences"]
        title = "Largest effects in" if sure else "No sure effect of a parameter in"
        console.print(f"\n{title} {study['study']}{':' if sure else '; its first points:'}")
        for sentence in sure[:MOST_EFFECTS] or list_levels(study)[:MOST_EFFECTS]:
            console.print(f"  {sentence}")


def list_levels(study: dict) -> list[str]:
    """Return a line per point: the values that were varied, and its first response."""
    names, first = [varied["name"] for varied in study["varied"]], study["responses"][0]
    lines = []
    for point in study["points"]:
        values = ", ".join(f"{n} {v}" for n, v in zip(names, point["values"], strict=True))
        level = f"{point['responses'][0]} {first['axis']}"
        lines.append(f"{values}: {level}" if values else level)
    return lines
