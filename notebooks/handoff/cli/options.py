"""The options of the commands that measure, `run` and `extend`, and those that many share."""

import argparse
from pathlib import Path
from typing import Any, TypeVar

from handoff.cli.request import HTML, PAPER, STAGES, ExtendRequest, RunRequest
from handoff.errors import BadInput
from handoff.paths import RUNS
from handoff.text import parse_duration

R = TypeVar("R", RunRequest, ExtendRequest)
TARGET = (
    "quick (default): an honest small measurement; smoke: tests the pipeline, says nothing of the"
    " machine; paper: the published sizes, hours; any other file of data/sweeps by its name;"
    " reference, latest, or any run's name: redraw it, measure nothing; or the path of a sweep"
)


def add_data(parser: argparse.ArgumentParser) -> None:
    text = "the folder of the runs, instead of data/runs"
    parser.add_argument(
        "--data", dest="runs", type=resolve_path, default=RUNS, metavar="DIR", help=text
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", default="quick", metavar="PROFILE", help=TARGET)
    stages = f"of {', '.join(STAGES)} (default: all, in this order)"
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=stages)
    add_data(parser)
    choosing = parser.add_argument_group("choosing")
    only = "keep a study, or the points with these values: --only consumers=1..3"
    choosing.add_argument("--only", action="append", default=[], metavar="WHAT", help=only)
    add_set(choosing)
    measuring = parser.add_argument_group("measuring")
    add_measuring(measuring)
    strict = (
        "refuse to start on a machine that is not ready, and end with 3 where forks ran disturbed"
        " or never settled, or verdicts are not at the published load"
    )
    measuring.add_argument("--strict", action="store_true", help=strict)
    session = "measure every point once more, six hours after the last fork at the earliest"
    measuring.add_argument("--session", action="store_true", help=session)
    source = "with the stages paper and html: of this study's source alone, such as latency"
    parser.add_argument("--source", default="", metavar="STUDY", help=source)
    cluster = "measure on the nodes of a cluster, as this file says: see docs/cluster.md"
    measuring.add_argument("--cluster", default="", metavar="FILE.yml", help=cluster)
    points = "with --dry-run, list every point, and the order of the forks"
    measuring.add_argument("--points", action="store_true", help=points)
    add_json(parser)


def parse_budget(text: str) -> float:
    """Seconds of '90s', '15m' or '2h'."""
    try:
        return parse_duration(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None


def make_run(given: argparse.Namespace) -> RunRequest:
    unknown = [stage for stage in given.stages if stage not in STAGES]
    if unknown:
        raise BadInput(f"{unknown[0]} is no stage: allowed is {', '.join(STAGES)}.")
    if given.points and not given.dry_run:
        raise BadInput("--points belongs to --dry-run.")
    if given.source and given.stages and not {PAPER, HTML} & set(given.stages):
        raise BadInput("--source belongs to the stages paper and html.")
    return make_request(RunRequest, given)


def add_extend(parser: argparse.ArgumentParser) -> None:
    run = "the run to add to: its name or folder, or latest"
    parser.add_argument("run", metavar="RUN", help=run)
    sweep = "a changed sweep; without it the run's own, changed by --set"
    parser.add_argument("sweep", nargs="?", default="", metavar="FILE.yml", help=sweep)
    add_set(parser)
    add_measuring(parser.add_argument_group("measuring"))
    add_data(parser)
    add_json(parser)


def make_extend(given: argparse.Namespace) -> ExtendRequest:
    return make_request(ExtendRequest, given)


def make_request(kind: type[R], given: argparse.Namespace) -> R:
    """The request whose fields the parser's words are named after."""
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in vars(given).items()
    }
    return kind(**fields)


def resolve_path(text: str) -> Path:
    return Path(text).resolve()


def add_set(parser: argparse._ActionsContainer) -> None:
    sets = "give all points other values, or change a key of the sweep: --set forks.fitting=3"
    parser.add_argument(
        "--set", dest="sets", action="append", default=[], metavar="NAME=VALUES", help=sets
    )


def add_measuring(parser: argparse._ActionsContainer) -> None:
    dry_run = "say what would be measured, and how long it would take; measure nothing"
    parser.add_argument("--dry-run", action="store_true", help=dry_run)
    retry = "try forks again that failed twice"
    parser.add_argument("--retry-failed", action="store_true", help=retry)
    budget = "begin no fork that would not end within this time, such as 90s, 15m or 2h"
    parser.add_argument("--budget", dest="budget_s", type=parse_budget, metavar="TIME", help=budget)
    wait = "queue while another runner is active on this machine"
    parser.add_argument("--wait", action="store_true", help=wait)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="make the last line one JSON object")
