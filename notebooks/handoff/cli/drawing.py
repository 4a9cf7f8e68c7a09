"""The stage figures: every notebook that reads, several at once."""

import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from concurrent import futures
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from handoff.cli import notebook
from handoff.cli.progress import Bar
from handoff.errors import BadInput
from handoff.paths import NOTEBOOKS, display_path, generated_folder
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
"""What the stages figures, paper and html write to the run's generated folder."""


def draw_figures(run: Run) -> None:
    """Draw and judge a run, after what was made of earlier forks is removed.

    Raise BadInput unless the tables hold exactly the forks of the run's folder.
    """
    remove_outputs(generated_folder(run.folder))
    # Tables take half a second to load, which other commands need not wait for.
    from handoff.tables import tidy

    if tidy.list_tabled_forks(run) != tidy.list_forks(run):
        raise BadInput(
            f"The tables of {run.folder.name} do not hold the forks in its folder: run the stage"
            " tidy first."
        )
    # The sweep's notebook draws every study, so it starts first; that of the claims runs last,
    # because the paper's numbers list the figures of all.
    *others, sweep, claims = list_reading_notebooks(run)
    with Bar(
        TextColumn("drawing"),
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("notebooks"),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as bar:
        task = bar.add_task("", total=len(others) + 2)
        execute_in_parallel([sweep, *others], run.folder, lambda: bar.advance(task))
        notebook.execute_notebook(claims, run.folder)
    folder = generated_folder(run.folder)
    has_page = (folder / "figures" / "scaling.pdf").is_file()
    page = ", all on one page: scaling.pdf" if has_page else ""
    console.print(f"Figures:  {display_path(folder / 'figures')}/ (SVG, PDF, PNG{page})")
    console.print(
        f"Verdicts: {display_path(folder / 'verdicts.csv')}, with pictures in"
        f" {display_path(folder / 'notebooks' / '90_claims.ipynb')}"
    )


def draw_study(run: Run, study: str) -> Path:
    """Draw the figures of a study whose run still misses forks; return the page that holds them."""
    notebook.execute_notebook("02_tidy", run.folder)
    for name in list_reading_notebooks(run):
        if name.partition("_")[2] in find_study(study).list_notebooks():
            notebook.execute_notebook(name, run.folder)
    return generated_folder(run.folder) / "figures" / f"{study}.pdf"


def execute_in_parallel(names: list[str], folder: Path, ended_one: Callable[[], None]) -> None:
    """Execute independent notebooks and call `ended_one` as each one ends.

    When one fails, or this process is stopped, all end.
    """
    stopped = threading.Event()

    def watch(child: subprocess.Popen) -> int:
        while child.poll() is None:
            if stopped.wait(0.05):
                raise KeyboardInterrupt
        return child.returncode

    # One more than CPUs: a kernel that starts or ends mostly waits.
    with futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1) as pool:
        under_way = [pool.submit(notebook.execute_notebook, name, folder, watch) for name in names]
        try:
            for ended in futures.as_completed(under_way):
                ended.result()
                ended_one()
        except BaseException:
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise


def list_reading_notebooks(run: Run) -> list[str]:
    """Return the notebooks that read, in the order of their numbers.

    These are the notebooks of each study of the run, of what the sweep varied, and of the claims.
    """
    from handoff.tables import tidy

    studies = tidy.list_studies(run)
    wanted = {word for study in studies for word in find_study(study).list_notebooks()} | {
        "claims",
        "sweep",
    }
    numbered = NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")
    return sorted(path.stem for path in numbered if path.stem.partition("_")[2] in wanted)


def remove_outputs(folder: Path) -> None:
    for path in [output for name in OUTPUTS for output in folder.glob(name)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
