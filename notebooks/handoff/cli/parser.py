"""The grammar of the command line: each command has a parser, and options, of its own."""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, NoReturn

from handoff.cli import command as annex
from handoff.cli.options import (
    add_data,
    add_extend,
    add_json,
    add_run,
    make_extend,
    make_run,
)
from handoff.cli.request import (
    ArchiveRequest,
    CompareRequest,
    ExtendRequest,
    MergeRequest,
    RunRequest,
    RunsRequest,
    SiteRequest,
    TestRequest,
    TraceRequest,
)
from handoff.errors import BadInput
from handoff.paths import SHIPPED

Request = (
    RunRequest
    | ExtendRequest
    | RunsRequest
    | TestRequest
    | TraceRequest
    | CompareRequest
    | MergeRequest
    | ArchiveRequest
    | SiteRequest
    | argparse.Namespace
    | None
)
MAX_MARGIN = 1000


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{self.prog}: {message}; {self.prog} --help says what is allowed.")


class Command(NamedTuple):
    """`help` is a line; `add` gives the parser its arguments, `make` builds the request of them."""

    help: str
    add: Callable[[argparse.ArgumentParser], None]
    make: Callable[[argparse.Namespace], Request]


def add_test(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deep", action="store_true", help="also what takes long: 10 minutes more")


def add_trace(parser: argparse.ArgumentParser) -> None:
    text = "as it stands below a figure, or in verdicts.csv"
    parser.add_argument("identity", metavar="ID", help=text)
    add_json(parser)
    add_data(parser)


def add_runs(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_data(parser)


def add_compare(parser: argparse.ArgumentParser) -> None:
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
        given.runs,
        given.margin / 100,
        given.all,
        given.json,
    )


def add_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="the run to take forks from")
    parser.add_argument("into", metavar="INTO", help="the run to add them to")
    add_data(parser)


def add_archive(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="the run: its name or folder")
    add_data(parser)


def add_site(parser: argparse.ArgumentParser) -> None:
    run = "the run: its name or folder, or latest (default: the shipped one)"
    parser.add_argument("run", nargs="?", default=SHIPPED, metavar="RUN", help=run)
    add_data(parser)


def add_nothing(parser: argparse.ArgumentParser) -> None:
    """A command without arguments."""


COMMANDS = {
    "run": Command(
        "measure, tidy, draw, judge, build the paper; may be left out", add_run, make_run
    ),
    "extend": Command(
        "add points and forks to a run that is there, and measure only these",
        add_extend,
        make_extend,
    ),
    "test": Command(
        "check this checkout: tests, types, linters, one smoke sweep",
        add_test,
        lambda given: TestRequest(given.deep),
    ),
    "trace": Command(
        "lead from a figure's or verdict's id back to its fork files",
        add_trace,
        lambda given: TraceRequest(given.identity, given.runs, given.json),
    ),
    "compare": Command(
        "what changed between two runs; exit code 4: slower", add_compare, make_compare
    ),
    "merge": Command(
        "add to a run the forks of another one of the same machine, jar, JDK and flags",
        add_merge,
        lambda given: MergeRequest(given.source, given.into, given.runs),
    ),
    "archive": Command(
        "make one file of a run, which every command that reads runs can read",
        add_archive,
        lambda given: ArchiveRequest(given.run, given.runs),
    ),
    "site": Command(
        "make a folder of pages of a run: its papers and executed notebooks, to be published",
        add_site,
        lambda given: SiteRequest(given.run, given.runs),
    ),
    "runs": Command(
        "list the runs: about, machine, date, points, forks, verdicts, size",
        add_runs,
        lambda given: RunsRequest(given.runs, given.json),
    ),
    "describe": Command(
        "write data/studies.json and the JSON schemas of data/ anew, from the jar",
        add_nothing,
        lambda given: None,
    ),
    "verdicts": Command(
        "write docs/verdicts.md and README's pictures anew, from the shipped runs",
        add_nothing,
        lambda given: None,
    ),
    "schema": Command("print the JSON schema of sweeps", add_nothing, lambda given: None),
}
ANNEX_COMMANDS: dict[str, annex.Command] = import_module("handoff.labs.commands").COMMANDS
COMMANDS |= {
    name: Command(command.help, command.add, lambda given: given)
    for name, command in ANNEX_COMMANDS.items()
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
    given = parser.parse_intermixed_args(arguments[1 if named else 0 :])
    if name == "run" and given.target in COMMANDS:
        raise BadInput(f"{given.target} is a command: it comes first, ./run_all.sh {given.target}.")
    return name, command.make(given)


def describe_commands() -> str:
    """The other commands, a line each."""
    lines = [f"  {name:9} {command.help}" for name, command in COMMANDS.items() if name != "run"]
    codes = (
        "exit codes: 0 complete, 1 our failure, 2 input or set-up, 3 finished with missing forks\n"
        "(or weak ones, with --strict), 4 slower (compare), 5 another runner is active,\n"
        "129/130/143 interrupted"
    )
    return "\n".join(["other commands, each with a --help of its own:", *lines, "", codes])
