"""The grammar of the command line: each command has a parser, and options, of its own."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from handoff.cli.request import (
    PAPER,
    STAGES,
    CompareRequest,
    MergeRequest,
    RunRequest,
    RunsRequest,
    TestRequest,
    TraceRequest,
)
from handoff.errors import BadInput
from handoff.paths import RUNS

Request = (
    RunRequest | RunsRequest | TestRequest | TraceRequest | CompareRequest | MergeRequest | None
)
MAX_MARGIN = 1000
SECONDS = {"s": 1, "m": 60, "h": 3600}
TARGET = (
    "quick (default): an honest small measurement; smoke: tests the pipeline, says nothing of the"
    " machine; paper: the published sizes, hours; any other file of data/sweeps by its name;"
    " reference, or any run's name: redraw it, measure nothing; or the path of a sweep"
)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{self.prog}: {message}; {self.prog} --help says what is allowed.")


class Command(NamedTuple):
    """`help` is a line; `add` gives the parser its arguments, `make` builds the request of them."""

    help: str
    add: Callable[[Parser], None]
    make: Callable[[argparse.Namespace], Request]


def add_data(parser: Parser) -> None:
    text = "the folder of the runs, instead of data/runs"
    parser.add_argument("--data", type=Path, default=RUNS, metavar="DIR", help=text)


def add_run(parser: Parser) -> None:
    parser.add_argument("target", nargs="?", default="quick", metavar="PROFILE", help=TARGET)
    stages = f"of {', '.join(STAGES)} (default: all, in this order)"
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=stages)
    add_data(parser)
    choosing = parser.add_argument_group("choosing")
    only = "keep a study, or the points with these values: --only consumers=1..3"
    choosing.add_argument("--only", action="append", default=[], metavar="WHAT", help=only)
    sets = "give all points other values, or change a key of the sweep: --set forks.fitting=3"
    choosing.add_argument("--set", action="append", default=[], metavar="NAME=VALUES", help=sets)
    measuring = parser.add_argument_group("measuring")
    dry_run = "print points, forks, order and expected time; measure nothing"
    measuring.add_argument("--dry-run", action="store_true", help=dry_run)
    strict = (
        "refuse to start on a machine that is not ready, and end with 3 where forks ran disturbed"
        " or never settled, or verdicts are not at the published load"
    )
    measuring.add_argument("--strict", action="store_true", help=strict)
    retry = "try forks again that failed twice"
    measuring.add_argument("--retry-failed", action="store_true", help=retry)
    session = "measure every point once more, six hours after the last fork at the earliest"
    measuring.add_argument("--session", action="store_true", help=session)
    budget = "begin no fork that would not end within this time, such as 90s, 15m or 2h"
    wait = "queue while another runner is active on this machine"
    source = "with the stage paper: of this study's source alone, such as latency"
    parser.add_argument("--source", default="", metavar="STUDY", help=source)
    measuring.add_argument("--wait", action="store_true", help=wait)
    points = "with --dry-run, list every point, and the order of the forks"
    measuring.add_argument("--points", action="store_true", help=points)
    measuring.add_argument("--budget", type=parse_budget, metavar="TIME", help=budget)
    add_json(parser)


def parse_budget(text: str) -> float:
    """Seconds of '90s', '15m' or '2h'."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text)
    if not found or float(found[1]) == 0:
        raise argparse.ArgumentTypeError(f"write a time such as 90s, 15m or 2h, not {text!r}")
    return float(found[1]) * SECONDS[found[2]]


def make_run(given: argparse.Namespace) -> RunRequest:
    if given.target in COMMANDS:
        raise BadInput(f"{given.target} is a command: it comes first, ./run_all.sh {given.target}.")
    unknown = [stage for stage in given.stages if stage not in STAGES]
    if unknown:
        raise BadInput(f"{unknown[0]} is no stage: allowed is {', '.join(STAGES)}.")
    if given.points and not given.dry_run:
        raise BadInput("--points belongs to --dry-run.")
    if given.source and given.stages and PAPER not in given.stages:
        raise BadInput("--source belongs to the stage paper.")
    return RunRequest(
        given.target,
        given.data.resolve(),
        tuple(given.stages),
        tuple(given.only),
        tuple(given.set),
        given.dry_run,
        given.strict,
        given.retry_failed,
        given.session,
        given.budget,
        given.wait,
        given.points,
        given.source,
        given.json,
    )


def add_test(parser: Parser) -> None:
    parser.add_argument("--deep", action="store_true", help="also what takes long: 10 minutes more")


def add_trace(parser: Parser) -> None:
    text = "as it stands below a figure, or in verdicts.csv"
    parser.add_argument("identity", metavar="ID", help=text)
    add_json(parser)
    add_data(parser)


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="make the last line one JSON object")


def add_runs(parser: Parser) -> None:
    add_json(parser)
    add_data(parser)


def add_compare(parser: Parser) -> None:
    parser.add_argument("before", metavar="BEFORE", help="the run before: its name or folder")
    parser.add_argument("after", metavar="AFTER", help="the run after")
    margin = "by how many percent a point must be slower to count (default 5)"
    parser.add_argument("--margin", type=float, default=5.0, metavar="PERCENT", help=margin)
    parser.add_argument("--all", action="store_true", help="print also what did not change")
    add_json(parser)
    add_data(parser)


def make_compare(given: argparse.Namespace) -> CompareRequest:
    if not 0 <= given.margin <= MAX_MARGIN:
        raise BadInput(
            f"--margin is {given.margin:g}; allowed is a percentage from 0 to {MAX_MARGIN}."
        )
    return CompareRequest(
        given.before,
        given.after,
        given.data.resolve(),
        given.margin / 100,
        given.all,
        given.json,
    )


def add_merge(parser: Parser) -> None:
    parser.add_argument("source", metavar="FROM", help="the run to take forks from")
    parser.add_argument("into", metavar="INTO", help="the run to add them to")
    add_data(parser)


def add_nothing(parser: Parser) -> None:
    """A command without arguments."""


COMMANDS = {
    "run": Command(
        "measure, tidy, draw, judge, build the paper; may be left out", add_run, make_run
    ),
    "test": Command(
        "check this checkout: tests, types, linters, one smoke sweep",
        add_test,
        lambda given: TestRequest(given.deep),
    ),
    "trace": Command(
        "lead from a figure's or verdict's id back to its fork files",
        add_trace,
        lambda given: TraceRequest(given.identity, given.data.resolve(), given.json),
    ),
    "compare": Command(
        "what changed between two runs; exit code 4: slower", add_compare, make_compare
    ),
    "merge": Command(
        "add to a run the forks of the same run measured into another folder",
        add_merge,
        lambda given: MergeRequest(given.source, given.into, given.data.resolve()),
    ),
    "runs": Command(
        "list the runs: about, machine, date, points, forks, verdicts, size",
        add_runs,
        lambda given: RunsRequest(given.data.resolve(), given.json),
    ),
    "describe": Command(
        "write data/studies.json and data/sweep.schema.json anew, from the jar",
        add_nothing,
        lambda given: None,
    ),
    "verdicts": Command(
        "write docs/verdicts.md and README's pictures anew, from the shipped runs",
        add_nothing,
        lambda given: None,
    ),
    "schema": Command("print the JSON schema of sweeps", add_nothing, lambda given: None),
    "lab": Command("JupyterLab on this machine only", add_nothing, lambda given: None),
}


def parse(arguments: list[str]) -> tuple[str, Request]:
    """The command and what it asks for. BadInput for what is wrong; --help prints and exits."""
    named = bool(arguments) and arguments[0] in COMMANDS
    name = arguments[0] if named else "run"
    command = COMMANDS[name]
    epilog = None if name != "run" else describe_commands()
    parser = Parser(
        prog=f"./run_all.sh {name}" if named else "./run_all.sh",
        description=f"{command.help[:1].upper()}{command.help[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add(parser)
    return name, command.make(parser.parse_intermixed_args(arguments[1 if named else 0 :]))


def describe_commands() -> str:
    """The other commands, a line each."""
    lines = [f"  {name:9} {command.help}" for name, command in COMMANDS.items() if name != "run"]
    codes = (
        "exit codes: 0 complete, 1 our failure, 2 input or set-up, 3 finished with missing forks\n"
        "(or weak ones, with --strict), 4 slower (compare), 5 another runner is active,\n"
        "129/130/143 interrupted"
    )
    return "\n".join(["other commands, each with a --help of its own:", *lines, "", codes])
