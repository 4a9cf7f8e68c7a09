"""What a command prints at its end: results, what is missing or weak, and what to do next."""

import sys

from rich.table import Table

from handoff.claims.claim_rows import RESULTS
from handoff.claims.load import NOT_AT_LOAD
from handoff.claims.verdict_table import count_verdicts
from handoff.cli.answers import RunAnswer
from handoff.cli.request import FIGURES, MEASURE, RunRequest
from handoff.errors import COMPLETE, INCOMPLETE, OUR_FAILURE
from handoff.files import read_json
from handoff.paths import display_path, generated_folder
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.text import console, pluralize

NEXT_STEPS = {
    "smoke": "the pipeline works; ./run_all.sh measures this machine.",
    "quick": "./run_all.sh full adds the other sources; --dry-run says how long that takes.",
    "full": (
        "./run_all.sh load, sensitivity, warmup, latency, cliff, ring or actors asks more; paper"
        " measures at the published sizes."
    ),
}

NEXT = (
    "open the PDF, or the notebooks next to the figures; ./run_all.sh trace ID lists the forks"
    " behind the id below a figure."
)

WIDTH = 80
MOST_ROWS, MOST_EFFECTS = 5, 3
"""Claims, and effects per study, that the terminal has room for."""


def print_results(run: Run) -> None:
    """Print the main verdicts and what could not be tested; of an own sweep also its effects."""
    folder = generated_folder(run.folder)
    numbers, swept = (read_json(folder / name) for name in ("numbers.json", "sweep.json"))
    judged = print_verdicts(numbers)
    if not judged or run.is_own:
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
    """Return the claims, with a column for the verdict of each setting."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=True, header_style="bold")
    for title in ("", "claim"):
        table.add_column(title)
    for answer in rows[0]["answers"]:
        table.add_column(answer["setting"], min_width=19)
    for row in rows:
        answers = [f"{a['words']}\n{a['here']}".rstrip() for a in row["answers"]]
        table.add_row(row["claim"], row["says"], *answers)
    return table


def print_effects(swept: dict) -> None:
    """Print what is known of the effects of each study's parameters, or the first levels."""
    for study in swept["studies"]:
        sure = study["sentences"]
        title = f"Largest effects in {study['study']}:"
        if not sure:
            title = f"First points of {study['study']}:"
        if not study["varied"]:
            title = f"Nothing was varied in {study['study']}; its point:"
        console.print(f"\n{title}")
        for sentence in (sure or list_levels(study))[:MOST_EFFECTS]:
            console.print(f"  {sentence}")
        for sentence in study["others"]:
            console.print(f"  {sentence}")


def list_levels(study: dict) -> list[str]:
    """Return 'sorts 15; ns per event: 357.3 [350, 365]' for each point of a study."""
    names, axis = [v["name"] for v in study["varied"]], study["responses"][0]["axis"]
    lines = []
    for point in study["points"]:
        words = [f"{name} {v}" for name, v in zip(names, point["values"], strict=True)]
        lines.append("; ".join([*words, f"{axis}: {point['responses'][0]}"]))
    return lines


def report_outcome(
    run: Run, scanned: state.RunState, request: RunRequest, failures: list[str]
) -> int:
    """Report what is missing or failed and what to do next, with --json also for programs."""
    missing = state.list_missing(run, scanned)
    failed = state.count_failures(run, missing)
    if missing:
        print(describe_missing(run, len(missing), failed, request), file=sys.stderr)
    elif FIGURES in request.stages:
        console.print(f"Next:     {NEXT_STEPS.get(request.target, NEXT)}")
    found, weak = len(run.tasks()) - len(missing), count_weak(run)
    if sentence := describe_weak(weak, found):
        print(sentence, file=sys.stderr)
    for sentence in failures:
        print(f"{sentence[:1].upper()}{sentence[1:]}", file=sys.stderr)
    short = missing or (request.strict and any(weak.values()))
    unfinished = INCOMPLETE if short else COMPLETE
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
