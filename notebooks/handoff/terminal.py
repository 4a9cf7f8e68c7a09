"""Where the command line speaks: plain lines in a log, colours and a bar on a terminal."""

import textwrap
from typing import Any

from rich.console import Console


class Terminal(Console):
    """Rich's console: in a log a sentence is a line; on a terminal lines end between words, and a
    path is never cut.
    """

    def print(self, *objects: Any, **options: Any) -> None:
        if self.is_terminal:
            objects = tuple(
                wrap(each, self.width) if isinstance(each, str) else each for each in objects
            )
        super().print(*objects, **options)


def wrap(text: str, width: int) -> str:
    """Each of its lines in as many as it needs, with the indent of its first; no word is cut."""
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line,
            width,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


console = Terminal(highlight=False, soft_wrap=True)
