"""The stages that read: tables, figures, verdicts, the paper; where they are and
what to do next.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent import futures
from pathlib import Path

from handoff.cli import notebook
from handoff.cli.request import FIGURES, MEASURE, PAPER, TIDY, RunRequest
from handoff.errors import COMPLETE, INCOMPLETE, BadInput
from handoff.paths import NOTEBOOKS, display_path, generated_folder
from handoff.registry import find_study
from handoff.run import state, store
from handoff.tables import tidy
from handoff.terminal import console

NEXT_STEPS = {
    "smoke": "the pipeline works; ./run_all.sh measures this machine.",
    "quick": (
        "./run_all.sh load, sensitivity, warmup, latency, cliff, ring or actors asks more; paper"
        " measures at the published sizes."
    ),
}
OUTPUTS = ("figures", "trace", "verdicts.csv", "numbers.json", "handoff.pdf", "compared-with-*.csv")
"""What the stages figures and paper make, in the run's generated folder."""


def run_reading_stages(run: store.Run, stages: Sequence[str], request: RunRequest) -> int:
    """Tidies, draws, judges and builds, and says where the results are and what to do next.

    INCOMPLETE when forks are missing.
    """
    found = state.scan_run(run)
    for sentence in found.corrupt:
        console.print(sentence)
    if TIDY in stages:
        notebook.execute_notebook("02_tidy", run.folder)
        console.print(f"Tables:   {display_path(run.folder / 'tidy')}/")
    if FIGURES in stages:
        draw_figures(run)
    if PAPER in stages:
        # Statistics and drawing take seconds to load, which commands that build no paper need not
        # wait for.
        from handoff.report import pdf

        console.print(f"Paper:    {display_path(pdf.build_pdf(run))}")
    return report_outcome(run, found, stages, request)


def report_outcome(
    run: store.Run, found: state.RunState, stages: Sequence[str], request: RunRequest
) -> int:
    """What is missing, what to do next, and with --json all of it for programs."""
    missing = state.list_missing(run, found)
    failed = state.count_failures(run, missing)
    if missing:
        reasons = "; ".join(
            f"{number} {kind}, see {display_path(run.folder / kind)}"
            for kind, number in failed.items()
            if number
        )
        step = (
            " Next: the same command tries each a second time, and more often with --retry-failed."
            if MEASURE in stages
            else ""
        )
        print(
            f"{len(missing)} of {len(run.tasks())} forks are"
            f" missing{': ' if reasons else ''}{reasons}.{step}",
            file=sys.stderr,
        )
    elif request.target in NEXT_STEPS and FIGURES in stages:
        console.print(f"Next:     {NEXT_STEPS[request.target]}")
    code = INCOMPLETE if missing else COMPLETE
    if request.json:
        made = generated_folder(run.folder)
        paths = {
            "folder": str(run.folder),
            "figures": str(made / "figures"),
            "verdicts": str(made / "verdicts.csv"),
            "paper": str(made / "handoff.pdf"),
        }
        counts = {"asked": len(run.tasks()), "found": len(run.tasks()) - len(missing), **failed}
        print(json.dumps({"exit": code, "run": run.folder.name, **paths, **counts}), flush=True)
    return code


def draw_figures(run: store.Run) -> None:
    """Draws and judges from tables that hold exactly the forks that are there; what was made of
    earlier ones goes first.
    """
    remove_outputs(generated_folder(run.folder))
    if tidy.list_tabled_forks(run) != tidy.list_forks(run):
        raise BadInput(
            f"The tables of {run.folder.name} do not hold the forks that are there now: run the"
            " stage tidy first."
        )
    *others, claims = list_reading_notebooks(run)
    execute_in_parallel(others, run.folder)
    # Last: the paper's numbers list the figures of all.
    notebook.execute_notebook(claims, run.folder)
    made = generated_folder(run.folder)
    whole = ", all on one page: scaling.pdf" if (made / "figures" / "scaling.pdf").is_file() else ""
    console.print(f"Figures:  {display_path(made / 'figures')}/ (SVG, PDF, PNG{whole})")
    console.print(
        f"Verdicts: {display_path(made / 'verdicts.csv')}, with pictures in"
        f" {display_path(made / 'notebooks' / '90_claims.ipynb')}"
    )


def execute_in_parallel(names: list[str], folder: Path) -> None:
    """Executes notebooks that need nothing of each other, as many at once as there are CPUs; when
    one fails or we are stopped, all end.
    """
    stopped = threading.Event()

    def watch(child: subprocess.Popen) -> int:
        while child.poll() is None:
            if stopped.wait(0.05):
                raise KeyboardInterrupt
        return child.returncode

    with futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        under_way = [pool.submit(notebook.execute_notebook, name, folder, watch) for name in names]
        try:
            for ended in futures.as_completed(under_way):
                ended.result()
        except BaseException:
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise


def list_reading_notebooks(run: store.Run) -> list[str]:
    """The notebooks that read: those of each study of the run, and the claims, in the order of
    their numbers.
    """
    studies = {point.study for point in run.points}
    wanted = {word for study in studies for word in find_study(study).list_notebooks()} | {"claims"}
    numbered = NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")
    return sorted(path.stem for path in numbered if path.stem.partition("_")[2] in wanted)


def remove_outputs(made: Path) -> None:
    """Removes what was made of earlier forks."""
    for path in [found for name in OUTPUTS for found in made.glob(name)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
