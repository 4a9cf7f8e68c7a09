"""Output of the command line: plain lines in a log, colours and a bar on a terminal."""

from rich.console import Console

console = Console(highlight=False, soft_wrap=True, markup=False)
