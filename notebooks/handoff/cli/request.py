"""Commands, the options that several of them share, and the request of those that measure."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from handoff.errors import BadInput
from handoff.paths import RUNS
from handoff.text import parse_duration


class Command(NamedTuple):
    """A one-line `help`, what gives its parser arguments, and what runs it.

    `run` gets the parsed arguments and returns the exit code.
    """

    help: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{self.prog}: {message}; see {self.prog} --help.")


STAGES = ("build", "measure", "tidy", "figures", "paper", "html")
BUILD, MEASURE, TIDY, FIGURES, PAPER, HTML = STAGES
READING_STAGES = (TIDY, FIGURES, PAPER, HTML)
"""The stages that only read, so that a run of any machine can have them."""


class RunRequest(NamedTuple):
    """Stages of a sweep or of a run: `target` is a profile, the path of a sweep, or a run's name.

    `stages` is empty for all that the target allows. `only` and `sets` are words as typed.
    `sessions`: after how many to judge. `budget_s`: seconds that measuring may take. `wait`: queue
    for the machine. `points`: a dry run lists every point and fork; `machine`: it plans for this
    one, '' for here. `source`: the only study that gets a paper. `own_class`: YOURS' Java file.
    """

    target: str
    runs: Path
    stages: Sequence[str] = ()
    only: Sequence[str] = ()
    sets: Sequence[str] = ()
    dry_run: bool = False
    strict: bool = False
    retry_failed: bool = False
    session: bool = False
    sessions: int | None = None
    budget_s: float | None = None
    wait: bool = False
    points: bool = False
    machine: str = ""
    source: str = ""
    own_class: str = ""
    json: bool = False


DEFAULT = "quick"
TARGET = (
    "quick (default): the paper's figures, in minutes; full: adds the other sources to the run of"
    " quick; smoke: tests the pipeline, says nothing about the"
    " machine; paper: the published sizes, hours; any other file of data/sweeps by its name;"
    " reference, latest, or any run's name: redraw it, measure nothing; or the path of a sweep"
)


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", default=DEFAULT, metavar="PROFILE", help=TARGET)
    stages = f"any of {', '.join(STAGES)} (default: all, in this order)"
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=stages)
    add_data(parser)
    choosing = parser.add_argument_group("choosing")
    only = "keep a study, or the points with these values: --only consumers=1..3"
    choosing.add_argument("--only", action="append", default=[], metavar="WHAT", help=only)
    add_set(choosing)
    own = "measure the class in this file, an Exchange, as the mechanism YOURS"
    choosing.add_argument("--class", dest="own_class", default="", metavar="FILE.java", help=own)
    measuring = parser.add_argument_group("measuring")
    add_measuring(measuring)
    strict = (
        "refuse to start on a machine that is not ready, and end with 3 where forks ran disturbed"
        " or never settled, or verdicts are not at the published load"
    )
    measuring.add_argument("--strict", action="store_true", help=strict)
    session = "measure every point once more, at least six hours after the last fork"
    measuring.add_argument("--session", action="store_true", help=session)
    sessions = (
        "when a run starts: judge its claims once, after this many sessions; on a run that has this"
        " many, end it early, before any verdict"
    )
    measuring.add_argument("--sessions", type=parse_count, metavar="N", help=sessions)
    source = "with the stages paper and html: only this study's source, such as latency"
    parser.add_argument("--source", default="", metavar="STUDY", help=source)
    points = "with --dry-run, list every point, the CPU of each thread, and the order of the forks"
    measuring.add_argument("--points", action="store_true", help=points)
    shape = (
        "with --dry-run, plan for a machine that you do not have: sockets x cores, such as 2x6;"
        " 2x64/4 with four NUMA nodes per socket, 2x64*2 with two CPUs per core; or a folder with"
        " the sys and proc of another machine"
    )
    measuring.add_argument("--machine", default="", metavar="SHAPE", help=shape)
    add_json(parser)


def read_request(given: argparse.Namespace) -> RunRequest:
    """Return the request; raise BadInput for a word or a combination that makes no sense."""
    if given.target in STAGES and given.target != PAPER:
        # `./run_all.sh build`: a stage of the default profile; `paper` is a profile, too.
        given.stages, given.target = [given.target, *given.stages], DEFAULT
    unknown = [stage for stage in given.stages if stage not in STAGES]
    if unknown:
        raise BadInput(f"unknown stage '{unknown[0]}'; choose from {', '.join(STAGES)}.")
    if given.points and not given.dry_run:
        raise BadInput("--points belongs to --dry-run.")
    if given.machine and not given.dry_run:
        raise BadInput("--machine belongs to --dry-run: no other machine can be measured here.")
    if given.source and given.stages and not {PAPER, HTML} & set(given.stages):
        raise BadInput("--source belongs to the stages paper and html.")
    refuse_unused(given, MEASURE in (given.stages or STAGES))
    return make_request(given)


OF_SWEEPS = (
    *("only", "sets", "own_class", "dry_run", "points", "machine"),
    *("strict", "retry_failed", "session", "sessions", "budget_s", "wait"),
)
"""Fields of options that only a sweep can have."""

RENAMED = {"sets": "set", "budget_s": "budget", "own_class": "class"}
"""Options by the fields that have another name."""

UNUSED = ["retry_failed", "budget_s", "sessions"]
"""Fields that do nothing where nothing is measured."""


def refuse_unused(given: argparse.Namespace, measures: bool = True) -> None:
    """Raise BadInput for an option that would do nothing."""
    if given.dry_run:
        refuse_options(given, [*UNUSED, "strict"], "does nothing with --dry-run")
    elif not measures:
        refuse_options(given, [*UNUSED, "session"], "belongs to the stage measure")


def refuse_options(given: object, fields: Iterable[str], why: str, what: str = "") -> None:
    """Raise BadInput for the first of these fields that was given; `what` comes before it."""
    for field in fields:
        if getattr(given, field, None):
            option = RENAMED.get(field, field).replace("_", "-")
            raise BadInput(f"{what}--{option} {why}.")


def make_request(given: argparse.Namespace, **changed: Any) -> RunRequest:
    """Return a request whose fields have the names of the parser's arguments."""
    values = vars(given) | changed
    return RunRequest(**{name: values[name] for name in RunRequest._fields if name in values})


def add_set(parser: argparse._ActionsContainer) -> None:
    sets = "give all points other values, or change a key of the sweep: --set forks.fitting=3"
    parser.add_argument(
        "--set", dest="sets", action="append", default=[], metavar="NAME=VALUES", help=sets
    )


def add_measuring(parser: argparse._ActionsContainer) -> None:
    dry_run = "report what would be measured and how long it would take; measure nothing"
    parser.add_argument("--dry-run", action="store_true", help=dry_run)
    retry = "retry forks that have failed twice"
    parser.add_argument("--retry-failed", action="store_true", help=retry)
    budget = (
        "after the first fork, start none that would not end within 90s, 15m or 2h, for example"
    )
    parser.add_argument("--budget", dest="budget_s", type=parse_budget, metavar="TIME", help=budget)
    wait = "queue while another runner is active on this machine"
    parser.add_argument("--wait", action="store_true", help=wait)


def parse_count(text: str) -> int:
    """Return a whole number from 1 to 20."""
    if not (text.isdecimal() and 1 <= int(text) <= 20):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 20, got {text}")
    return int(text)


def parse_budget(text: str) -> float:
    """Return the seconds of '90s', '15m' or '2h'."""
    try:
        return parse_duration(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None


def add_data(parser: argparse.ArgumentParser) -> None:
    text = "the folder of the runs, instead of data/runs"
    parser.add_argument(
        "--data", dest="runs", type=resolve_path, default=RUNS, metavar="DIR", help=text
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="make the last line one JSON object")


def resolve_path(text: str) -> Path:
    return Path(text).resolve()
