"""The stage figures: every notebook that reads, several at once."""

import shutil
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from handoff.cli import notebook
from handoff.cli.progress import Bar
from handoff.errors import BadInput
from handoff.paths import NOTEBOOKS, generated_folder
from handoff.registry import find_study
from handoff.run.store.run import Run
from handoff.terminal import console

OUTPUTS = (
    "figures",
    "trace",
    "verdict*.csv",
    "*.json",
    "*.pdf",
    "*.html",
    "site",
    "compared-with-*.csv",
)
"""Files that the stages figures, paper and html write to the run's generated folder."""

BAR = (
    TextColumn("drawing"),
    BarColumn(20),
    MofNCompleteColumn(),
    TextColumn("notebooks"),
    TimeRemainingColumn(compact=True),
    TextColumn("left"),
)
"""'drawing ━━━━ 3/8 notebooks 0:04 left'."""


def draw_figures(run: Run, tidied: bool = False) -> list[str]:
    """Draw and judge a run, after what was made of earlier forks is removed.

    Return a sentence per notebook that failed; what the reports need of them is made all the same.
    Raise BadInput unless the tables hold exactly the forks of the run's folder; `tidied` says that
    this command has just written them.
    """
    from handoff.claims.report import ClaimsReport
    from handoff.report import numbers, swept
    from handoff.tables import tidy

    folder = generated_folder(run.folder)
    for path in [output for name in OUTPUTS for output in folder.glob(name)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if not tidied and tidy.list_tabled_forks(run) != tidy.list_forks(run):
        raise BadInput(
            f"The tables of {run.folder.name} do not hold the forks in its folder: run the stage"
            " tidy first."
        )
    # The notebooks of the sweep and of the claims deal with every study, so they start first.
    *others, sweep, claims = list_reading_notebooks(run)
    names = [sweep, claims, *others]
    with Bar(*BAR, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=len(names))
        failed = notebook.execute_reading(names, run.folder, lambda: bar.advance(task))
    if sweep in failed:
        swept.save_numbers(run)
    if claims in failed:
        report = ClaimsReport(run)
        report.save()
        numbers.save_numbers(run, report)
    numbers.update_figures(run)
    return [f"{str(error).rstrip('.')}." for error in failed.values()]


def draw_study(run: Run, study: str) -> Path:
    """Draw the figures of a study whose run still misses forks; return the page that holds them."""
    notebook.execute_notebook("02_tidy", run.folder)
    for name in list_reading_notebooks(run):
        if name.partition("_")[2] in find_study(study).list_notebooks():
            notebook.execute_notebook(name, run.folder)
    return generated_folder(run.folder) / "figures" / f"{study}.pdf"


def list_reading_notebooks(run: Run) -> list[str]:
    """Return the notebooks of the run's studies, of its sweep and of the claims, by number."""
    from handoff.tables import tidy

    studies = tidy.list_studies(run)
    wanted = {word for study in studies for word in find_study(study).list_notebooks()}
    wanted |= {"claims", "sweep"}
    numbered = NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")
    return sorted(path.stem for path in numbered if path.stem.partition("_")[2] in wanted)
