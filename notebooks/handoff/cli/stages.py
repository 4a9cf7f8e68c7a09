"""The stages that read: tables, figures, verdicts, the paper; where they are, what to do next."""

import sys
from pathlib import Path

from handoff.cli import drawing, notebook, summary
from handoff.cli.answers import RunAnswer
from handoff.cli.request import FIGURES, HTML, MEASURE, PAPER, TIDY, RunRequest
from handoff.errors import COMPLETE, INCOMPLETE, OUR_FAILURE
from handoff.paths import display_path, generated_folder
from handoff.run import planning
from handoff.run.cost import CostModel, format_duration
from handoff.run.java import jdk
from handoff.run.plan import selection
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.terminal import console
from handoff.text import pluralize

NEXT_STEPS = {
    "smoke": "the pipeline works; ./run_all.sh measures this machine.",
    "full": (
        "./run_all.sh load, sensitivity, warmup, latency, cliff, ring or actors asks more; paper"
        " measures at the published sizes."
    ),
}

NEXT = (
    "open the PDF, or the notebooks next to the figures; ./run_all.sh trace ID lists the forks"
    " behind the id below a figure."
)


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
        failures = drawing.draw_figures(run, tidied=TIDY in request.stages)
        made += list_drawn(generated_folder(run.folder))
    try:
        made += build_documents(run, request)
    finally:
        if FIGURES in request.stages:
            summary.print_results(run)
        for line in made:
            console.print(line)
    return report_outcome(run, scanned, request, failures)


def build_documents(run: Run, request: RunRequest) -> list[str]:
    """Build papers and pages; return lines that say where they are."""
    made = []
    if PAPER in request.stages:
        from handoff.report import papers

        for pdf in papers.build_pdfs(run, request.source):
            what = "Report:" if pdf.stem == "sweep" else "Paper: "
            made.append(f"{what}   {display_path(pdf)}")
    if HTML in request.stages:
        from handoff.web import document

        made += [
            f"Page:     {display_path(page)}" for page in document.build_pages(run, request.source)
        ]
    return made


def list_drawn(folder: Path) -> list[str]:
    """Return lines that say where figures and verdicts are."""
    page = ", all on one page: scaling.pdf" if (folder / "figures/scaling.pdf").is_file() else ""
    return [
        f"Figures:  {display_path(folder / 'figures')}/ (SVG, PDF, PNG{page})",
        f"Verdicts: {display_path(folder / 'verdicts.csv')}, explained in"
        f" {display_path(folder / 'notebooks' / '90_claims.ipynb')}",
    ]


def report_outcome(
    run: Run, scanned: state.RunState, request: RunRequest, failures: list[str]
) -> int:
    """Report what is missing or failed and what to do next, with --json also for programs."""
    missing = state.list_missing(run, scanned)
    failed = state.count_failures(run, missing)
    if missing:
        print(describe_missing(run, len(missing), failed, request), file=sys.stderr)
    elif FIGURES in request.stages:
        console.print(f"Next:     {describe_next(run, request)}")
    found, weak = len(run.tasks()) - len(missing), count_weak(run)
    if sentence := describe_weak(weak, found):
        print(sentence, file=sys.stderr)
    for sentence in failures:
        print(f"{sentence[:1].upper()}{sentence[1:]}", file=sys.stderr)
    # A budget is meant to leave forks for the next start.
    short = bool(missing) and (request.budget_s is None or any(failed.values()))
    unfinished = INCOMPLETE if short or (request.strict and any(weak.values())) else COMPLETE
    folder = generated_folder(run.folder)
    return RunAnswer(
        exit=OUR_FAILURE if failures else unfinished,
        complete=not missing,
        run=run.folder.name,
        folder=str(run.folder),
        figures=str(folder / "figures"),
        verdicts=str(folder / "verdicts.csv"),
        papers=[str(path) for path in sorted(folder.glob("*.pdf"))],
        pages=[str(path) for path in sorted(folder.glob("*.html"))],
        asked=len(run.tasks()),
        found=found,
        failed=failed["failed"],
        timed_out=failed["timed-out"],
        **weak,
    ).end(request.json)


def describe_next(run: Run, request: RunRequest) -> str:
    """Return the useful next step; after `quick`, with the expected time of what `full` adds."""
    changed = request.only or request.sets or request.own_class
    if request.target != "quick" or MEASURE not in request.stages or changed:
        return NEXT_STEPS.get(request.target, NEXT)
    java, known = jdk.find_jdk(), {point.key for point in run.points}
    planned = planning.plan_points(selection.select_sweep("full", [], []), java)
    new = [point for point in planned if point.key not in known]
    # A cluster's nodes measured it on another machine, whose runs are not extended.
    if not new or planning.describe_here(java)["id"] != run.machine["id"]:
        return NEXT
    expected = CostModel(run.folder.parent, run.machine["id"]).total_seconds(new)
    more = format_duration(expected)
    return f"./run_all.sh full adds the other sources to this run, about {more} more."


def describe_missing(run: Run, missing: int, failed: dict[str, int], request: RunRequest) -> str:
    """Return '3 of 90 forks are missing: 1 failed, see FOLDER. Next: ...'."""
    reasons = [
        f"{number} {kind}, see {display_path(run.folder / kind)}"
        for kind, number in failed.items()
        if number
    ]
    retry = "tries each a second time, and more often with --retry-failed"
    step = f" Next: the same command {retry if reasons else 'continues'}."
    why = f": {'; '.join(reasons)}" if reasons else ""
    sentence = f"{missing} of {len(run.tasks())} forks are missing{why}."
    return sentence + (step if MEASURE in request.stages else "")


def count_weak(run: Run) -> dict[str, int]:
    """Count weak forks and verdicts, as in RunAnswer; 0 where tables or verdicts do not exist."""
    from handoff.claims.load import NOT_AT_LOAD
    from handoff.claims.verdict_table import count_verdicts
    from handoff.tables import tidy

    verdicts = count_verdicts(generated_folder(run.folder) / "verdicts.csv")
    weak = {"disturbed": 0, "unsettled": 0, "unmatched": verdicts[NOT_AT_LOAD]}
    if not (run.folder / "tidy" / "points.csv").is_file():
        return weak
    shots = tidy.load_shots(run, every_arm=True)
    if len(shots):
        forks = shots[shots["counted"]].drop_duplicates(["point", "fork"])
        weak["disturbed"] = int((forks["disturbed"] != "").sum())
        weak["unsettled"] = int(forks["settled"].astype("boolean").eq(False).sum())
    return weak


def describe_weak(weak: dict[str, int], forks: int) -> str:
    """Return one sentence about a run of `forks` forks; '' where nothing is weak."""
    of = f"of {pluralize(forks, 'fork')}"
    sentences = {
        "disturbed": f"{weak['disturbed']} {of} ran on a busy or slow machine every time",
        "unsettled": f"{weak['unsettled']} {of} never settled",
        "unmatched": f"{pluralize(weak['unmatched'], 'verdict')} not at the published load",
    }
    parts = [sentence for name, sentence in sentences.items() if weak[name]]
    return f"Weak: {'; '.join(parts)}." if parts else ""
