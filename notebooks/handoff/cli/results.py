"""The commands that read results: compare two runs, trace an id."""

import argparse

from handoff.analysis import comparison
from handoff.analysis.comparison import NOT_JUDGED, SLOWER
from handoff.cli.answers import CompareAnswer
from handoff.cli.request import add_data, add_json
from handoff.errors import COMPLETE, BadInput
from handoff.paths import display_path, find_run_folder, generated_folder
from handoff.report.compared import describe_comparison
from handoff.run.store.run import read_run
from handoff.tables import trace

MOST = 1000
"""Greatest margin in percent."""


def compare_runs(given: argparse.Namespace) -> int:
    """Print what changed between two runs and write it as a table; return the exit code."""
    margin = read_margin(given)
    before, after = (
        read_run(find_run_folder(word, given.runs)) for word in (given.before, given.after)
    )
    if before.folder == after.folder:
        raise BadInput(f"{given.before} and {given.after} are the same run.")
    compared = comparison.compare_runs(before, after, margin)
    print(*describe_comparison(compared, before, after, margin, given.all), sep="\n")
    path = generated_folder(after.folder) / f"compared-with-{before.folder.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    compared.rows.to_csv(path, index=False)
    print(f"Table: {display_path(path)}")
    outcomes = compared.rows.groupby("outcome")["point"].agg(list)
    return CompareAnswer(
        exit=compared.code,
        before=before.folder.name,
        after=after.folder.name,
        same_kind=not compared.unlike,
        changed=compared.unlike or compared.changed,
        slower=outcomes.get(SLOWER, []),
        not_judged=outcomes.get(NOT_JUDGED, []),
        missing=compared.missing,
        table=str(path),
    ).end(given.json)


def read_margin(given: argparse.Namespace) -> float:
    """Return the margin as a share; raise BadInput for an impossible one."""
    if not 0 <= given.margin <= MOST:
        raise BadInput(f"--margin is {given.margin:g}; expected a percentage from 0 to {MOST}.")
    return given.margin / 100


def trace_id(given: argparse.Namespace) -> int:
    """Print what an id stands for, down to its fork files."""
    traced = trace.find_trace(given.identity, given.runs)
    run = read_run(find_run_folder(traced["folder"]))
    print(*trace.describe_trace(traced, run), sep="\n")
    return COMPLETE


def add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="BEFORE", help="the run before: its name or folder")
    parser.add_argument("after", metavar="AFTER", help="the run after")
    margin = "how many percent slower a point must be to count (default 5)"
    parser.add_argument("--margin", type=float, default=5.0, metavar="PERCENT", help=margin)
    parser.add_argument("--all", action="store_true", help="also print what did not change")
    add_json(parser)
    add_data(parser)


def add_trace(parser: argparse.ArgumentParser) -> None:
    text = "as printed below a figure, or in verdicts.csv"
    parser.add_argument("identity", metavar="ID", help=text)
    add_data(parser)
