"""The stages that read: tables, figures and verdicts, papers and pages."""

import shutil

from rich.progress import Progress

from handoff.claims.report import ClaimsReport
from handoff.cli import notebook, outcome
from handoff.cli.request import FIGURES, HTML, PAPER, TIDY, RunRequest
from handoff.errors import BadInput
from handoff.paths import NOTEBOOKS, display_path, generated_folder
from handoff.report import numbers, papers, swept
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.study import find_study
from handoff.tables import tidy
from handoff.text import console

SWEEP, CLAIMS = "80_sweep", "90_claims"
"""Notebooks that deal with every study."""

OUTPUTS = (
    "figures",
    "trace",
    "verdict*.csv",
    "*.json",
    "*.pdf",
    "*.html",
    "compared-with-*.csv",
)
"""Files that the stages figures, paper and html write to the run's generated folder."""


def run_reading_stages(run: Run, request: RunRequest) -> int:
    """Tidy, draw, judge and build; report where the results are and what to do next."""
    scanned = state.scan_run(run)
    for sentence in scanned.corrupt:
        console.print(sentence)
    made: list[str] = []
    if TIDY in request.stages:
        notebook.execute_notebook("02_tidy", run.folder)
        made.append(f"Tables:   {display_path(run.folder / 'tidy')}/")
    failures: list[str] = []
    if FIGURES in request.stages:
        failures = draw_figures(run, tidied=TIDY in request.stages)
        made += list_drawn(run)
    try:
        made += build_documents(run, request)
    finally:
        if FIGURES in request.stages:
            outcome.print_results(run)
        for line in made:
            console.print(line)
    return outcome.report_outcome(run, scanned, request, failures)


def draw_figures(run: Run, tidied: bool = False) -> list[str]:
    """Draw and judge a run, after what was made of earlier forks is removed.

    Return a sentence per notebook that failed; what the reports need of them is made all the same.
    Raise BadInput unless the tables hold exactly the forks of the run's folder; `tidied` says that
    this command has just written them.
    """
    folder = generated_folder(run.folder)
    for path in [output for name in OUTPUTS for output in folder.glob(name)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if not tidied and tidy.list_tabled_forks(run) != tidy.list_forks(run):
        raise BadInput(
            f"The tables of {run.folder.name} do not hold the forks in its folder: run the stage"
            " tidy first."
        )
    names = list_reading_notebooks(run)
    # The notebooks of the sweep and of the claims deal with every study, so they start first.
    names.sort(key=lambda name: name not in (SWEEP, CLAIMS))
    console.print(f"Drawing figures: {', '.join(sorted(names))} ...")
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("drawing", total=len(names))
        failed = notebook.execute_reading(names, run.folder, lambda: bar.advance(task))
    if SWEEP in failed:
        swept.save_numbers(run)
    if CLAIMS in failed or CLAIMS not in names:
        report = ClaimsReport(run)
        report.save()
        numbers.save_numbers(run, report)
    numbers.update_figures(run)
    return [f"{str(error).rstrip('.')}." for error in failed.values()]


def list_reading_notebooks(run: Run) -> list[str]:
    """Return the notebooks of the run's studies, of its sweep and of the claims, by number.

    A run that is about no claim has that of its sweep alone: every kernel takes seconds.
    """
    if run.only_reports:
        return [SWEEP]
    studies = tidy.list_studies(run)
    wanted = {word for study in studies for word in find_study(study).list_notebooks()}
    wanted |= {"claims", "sweep"}
    numbered = NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")
    return sorted(path.stem for path in numbered if path.stem.partition("_")[2] in wanted)


def build_documents(run: Run, request: RunRequest) -> list[str]:
    """Build papers and pages; return lines that say where they are."""
    made = []
    if PAPER in request.stages:
        for pdf in papers.build_pdfs(run, request.source):
            what = "Report:" if pdf.stem == "sweep" else "Paper: "
            made.append(f"{what}   {display_path(pdf)}")
    if HTML in request.stages:
        from handoff.web import document

        made += [
            f"Page:     {display_path(page)}" for page in document.build_pages(run, request.source)
        ]
    return made


def list_drawn(run: Run) -> list[str]:
    """Return lines that say where figures and verdicts are; one point may have no figure."""
    folder = generated_folder(run.folder)
    figures = folder / "figures"
    page = ", all on one page: scaling.pdf" if (figures / "scaling.pdf").is_file() else ""
    where = f"{display_path(figures)}/ (SVG, PDF, PNG{page})" if figures.is_dir() else "none"
    drawn = [f"Figures:  {where}"]
    if run.only_reports:
        return drawn
    return [
        *drawn,
        f"Verdicts: {display_path(folder / 'verdicts.csv')}, explained in"
        f" {display_path(folder / 'notebooks' / '90_claims.ipynb')}",
    ]
