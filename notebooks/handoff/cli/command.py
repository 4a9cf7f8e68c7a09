"""Commands, and the options that several of them share."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from handoff.errors import BadInput
from handoff.paths import RUNS


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


def add_nothing(parser: argparse.ArgumentParser) -> None:
    """Add no argument."""


def add_data(parser: argparse.ArgumentParser) -> None:
    text = "the folder of the runs, instead of data/runs"
    parser.add_argument(
        "--data", dest="runs", type=resolve_path, default=RUNS, metavar="DIR", help=text
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="make the last line one JSON object")


def resolve_path(text: str) -> Path:
    return Path(text).resolve()
