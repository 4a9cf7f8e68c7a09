"""The stages that read: tables, figures, verdicts, the paper; where they are and
what to do next.
"""

import sys

from handoff.cli import drawing, notebook
from handoff.cli.answers import RunAnswer
from handoff.cli.request import FIGURES, HTML, MEASURE, PAPER, TIDY, RunRequest
from handoff.errors import COMPLETE, INCOMPLETE
from handoff.paths import display_path, generated_folder
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.tables.crate import write_crate
from handoff.terminal import console
from handoff.text import pluralize

NEXT_STEPS = {
    "smoke": "the pipeline works; ./run_all.sh measures this machine.",
    "quick": (
        "./run_all.sh load, sensitivity, warmup, latency, cliff, ring or actors asks more; paper"
        " measures at the published sizes."
    ),
}


NEXT = (
    "open the PDF, or the notebooks beside the figures; ./run_all.sh trace ID leads from the id"
    " below a figure to its forks."
)


def run_reading_stages(run: Run, request: RunRequest) -> int:
    """Tidies, draws, judges and builds, and says where the results are and what to do next.

    INCOMPLETE when forks are missing.
    """
    found = state.scan_run(run)
    for sentence in found.corrupt:
        console.print(sentence)
    if TIDY in request.stages:
        notebook.execute_notebook("02_tidy", run.folder)
        write_crate(run)
        console.print(f"Tables:   {display_path(run.folder / 'tidy')}/")
    if FIGURES in request.stages:
        drawing.draw_figures(run)
    if PAPER in request.stages:
        # Statistics and drawing take seconds to load, which commands that build no paper need not
        # wait for.
        from handoff.report import papers

        for made in papers.build_pdfs(run, request.source):
            what = "Report:" if made.stem == "sweep" else "Paper: "
            console.print(f"{what}   {display_path(made)}")
    if HTML in request.stages:
        from handoff.web import document

        for made in document.build_pages(run, request.source):
            console.print(f"Page:     {display_path(made)}")
    return report_outcome(run, found, request)


def report_outcome(run: Run, found: state.RunState, request: RunRequest) -> int:
    """What is missing, what to do next, and with --json all of it for programs."""
    missing = state.list_missing(run, found)
    failed = state.count_failures(run, missing)
    if missing:
        reasons = "; ".join(
            f"{number} {kind}, see {display_path(run.folder / kind)}"
            for kind, number in failed.items()
            if number
        )
        again = "tries each a second time, and more often with --retry-failed"
        next_step = again if any(failed.values()) else "goes on"
        step = f" Next: the same command {next_step}." if MEASURE in request.stages else ""
        print(
            f"{len(missing)} of {len(run.tasks())} forks are"
            f" missing{': ' if reasons else ''}{reasons}.{step}",
            file=sys.stderr,
        )
    elif FIGURES in request.stages:
        console.print(f"Next:     {NEXT_STEPS.get(request.target, NEXT)}")
    weak = count_weak(run)
    if told := describe_weak(weak, len(run.tasks()) - len(missing)):
        print(told, file=sys.stderr)
    code = INCOMPLETE if missing or (request.strict and any(weak.values())) else COMPLETE
    if request.json:
        made = generated_folder(run.folder)
        return RunAnswer(
            exit=code,
            run=run.folder.name,
            folder=str(run.folder),
            figures=str(made / "figures"),
            verdicts=str(made / "verdicts.csv"),
            papers=[str(path) for path in sorted(made.glob("*.pdf"))],
            pages=[str(path) for path in sorted(made.glob("*.html"))],
            asked=len(run.tasks()),
            found=len(run.tasks()) - len(missing),
            failed=failed["failed"],
            timed_out=failed["timed-out"],
            **weak,
        ).print()
    return code


def count_weak(run: Run) -> dict[str, int]:
    """Of the forks that count those that ran disturbed every time and those that never settled, and
    the claims that were not at the published load; as far as tables and verdicts are there.
    """
    # Statistics take a second to load, which other commands need not wait for.
    from handoff.claims.load import NOT_AT_LOAD
    from handoff.claims.verdict_table import count_verdicts
    from handoff.tables import tidy

    folder = run.folder / "tidy"
    shots = tidy.load_shots(run) if (folder / "points.csv").is_file() else None
    forks = None if shots is None else shots[shots["counted"]] if len(shots) else shots
    verdicts = count_verdicts(generated_folder(run.folder) / "verdicts.csv")
    counts = {"disturbed": 0, "unsettled": 0, "unmatched": verdicts[NOT_AT_LOAD]}
    if forks is not None and len(forks):
        once = forks.drop_duplicates(["point", "fork"])
        counts["disturbed"] = int((once["disturbed"] != "").sum())
        counts["unsettled"] = int((once["settled"].astype("boolean").eq(False)).sum())
    return counts


def describe_weak(weak: dict[str, int], forks: int) -> str:
    """One sentence of a run with so many forks; '' where nothing is weak."""
    words = {
        "disturbed": "ran on a busy or slow machine every time",
        "unsettled": "never settled",
    }
    parts = [
        f"{weak[name]} of {pluralize(forks, 'fork')} {text}"
        for name, text in words.items()
        if weak[name]
    ]
    if weak["unmatched"]:
        parts.append(f"{pluralize(weak['unmatched'], 'verdict')} not at the published load")
    return f"Weak: {'; '.join(parts)}." if parts else ""
