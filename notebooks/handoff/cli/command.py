"""A command of the command line, of the core or of an annex."""

import argparse
from collections.abc import Callable
from typing import NamedTuple


class Command(NamedTuple):
    """One line of help, the function that adds the arguments, and the one that runs the command."""

    help: str
    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
