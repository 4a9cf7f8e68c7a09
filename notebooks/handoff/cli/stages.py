"""The stages that read: tables, figures, verdicts, the paper; where they are and
what to do next.
"""

import json
import sys

from handoff.cli import drawing, notebook
from handoff.cli.request import FIGURES, MEASURE, PAPER, TIDY, RunRequest
from handoff.errors import COMPLETE, INCOMPLETE
from handoff.paths import display_path, generated_folder
from handoff.run import state, store
from handoff.terminal import console

NEXT_STEPS = {
    "smoke": "the pipeline works; ./run_all.sh measures this machine.",
    "quick": (
        "./run_all.sh load, sensitivity, warmup, latency, cliff, ring or actors asks more; paper"
        " measures at the published sizes."
    ),
}


def run_reading_stages(run: store.Run, request: RunRequest) -> int:
    """Tidies, draws, judges and builds, and says where the results are and what to do next.

    INCOMPLETE when forks are missing.
    """
    found = state.scan_run(run)
    for sentence in found.corrupt:
        console.print(sentence)
    if TIDY in request.stages:
        notebook.execute_notebook("02_tidy", run.folder)
        console.print(f"Tables:   {display_path(run.folder / 'tidy')}/")
    if FIGURES in request.stages:
        drawing.draw_figures(run)
    if PAPER in request.stages:
        # Statistics and drawing take seconds to load, which commands that build no paper need not
        # wait for.
        from handoff.report import pdf

        console.print(f"Paper:    {display_path(pdf.build_pdf(run))}")
    return report_outcome(run, found, request)


def report_outcome(run: store.Run, found: state.RunState, request: RunRequest) -> int:
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
            if MEASURE in request.stages
            else ""
        )
        print(
            f"{len(missing)} of {len(run.tasks())} forks are"
            f" missing{': ' if reasons else ''}{reasons}.{step}",
            file=sys.stderr,
        )
    elif request.target in NEXT_STEPS and FIGURES in request.stages:
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
