"""The command compare: what changed between two runs."""

import argparse
from typing import TYPE_CHECKING, Any

from handoff.cli.answers import CompareAnswer
from handoff.cli.command import Command, add_data, add_json
from handoff.errors import BadInput
from handoff.paths import display_path, find_run_folder, generated_folder
from handoff.run.store.run import read_run

if TYPE_CHECKING:
    from handoff.analysis.comparison import Comparison

MOST = 1000
"""Greatest margin in percent."""


def compare_runs(given: argparse.Namespace) -> int:
    """Print what changed between two runs and write it as a table; return the exit code."""
    margin, detect = parse_limits(given)
    from handoff.analysis import comparison
    from handoff.report.compared import describe_comparison

    before, after = (
        read_run(find_run_folder(word, given.runs)) for word in (given.before, given.after)
    )
    if before.folder == after.folder:
        raise BadInput(f"{given.before} and {given.after} are the same run.")
    compared = comparison.compare_runs(before, after, margin, detect)
    lines = describe_comparison(compared, before, after, margin, given.all)
    print(*lines, sep="\n")
    path = generated_folder(after.folder) / f"compared-with-{before.folder.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    compared.rows.to_csv(path, index=False)
    print(f"Table: {display_path(path)}")
    return CompareAnswer(
        before=before.folder.name,
        after=after.folder.name,
        same_kind=not compared.unlike,
        changed=compared.unlike or compared.changed,
        table=str(path),
        **summarize_points(compared),
    ).end(given.json)


def summarize_points(compared: "Comparison") -> dict[str, Any]:
    """Return the answer's exit code, keys of points, and points."""
    from handoff.analysis.comparison import NOT_JUDGED, SLOWER

    rows = compared.rows.astype(object).where(compared.rows.notna(), None)
    slower, not_judged = (
        list(rows.loc[rows["outcome"] == word, "point"]) for word in (SLOWER, NOT_JUDGED)
    )
    return {
        "exit": compared.code,
        "slower": slower,
        "not_judged": not_judged,
        "missing": compared.missing,
        "points": rows.to_dict("records"),
    }


def parse_limits(given: argparse.Namespace) -> tuple[float, float]:
    """Return margin and detectable slowdown as shares; raise BadInput for impossible ones.

    Without --detect, three times the margin, and at least a doubling.
    """
    margin = given.margin
    detect = max(100.0, 3 * margin) if given.detect is None else given.detect
    for name, percent, most in (("margin", margin, MOST), ("detect", detect, 3 * MOST)):
        if not 0 <= percent <= most:
            raise BadInput(f"--{name} is {percent:g}; expected a percentage from 0 to {most:g}.")
    if detect <= margin:
        raise BadInput(f"--detect is {detect:g}; expected more than the margin, {margin:g}.")
    return margin / 100, detect / 100


def add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="BEFORE", help="the run before: its name or folder")
    parser.add_argument("after", metavar="AFTER", help="the run after")
    add_limits(parser)
    parser.add_argument("--all", action="store_true", help="also print what did not change")
    add_json(parser)
    add_data(parser)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the limits that say what counts as slower, and as judged."""
    margin = "how many percent slower a point must be to count (default 5)"
    parser.add_argument("--margin", type=float, default=5.0, metavar="PERCENT", help=margin)
    detect = (
        "a point whose forks would not show such a slowdown is not judged (default 100, or three"
        " times the margin if that is more)"
    )
    parser.add_argument("--detect", type=float, metavar="PERCENT", help=detect)


COMMANDS = {
    "compare": Command(
        "what changed between two runs; exit code 4: slower, 6: not judged",
        add_compare,
        compare_runs,
    ),
}
