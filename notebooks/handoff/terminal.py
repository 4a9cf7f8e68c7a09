"""Output of the command line: plain lines in a log, colours and a bar on a terminal."""

import textwrap
from functools import partial
from typing import Any

from rich.console import Console


class Terminal(Console):
    """Rich's console; its lines break only on a terminal, and there only between words."""

    def print(self, *objects: Any, **options: Any) -> None:
        if self.is_terminal:
            objects = tuple(
                wrap(item, self.width) if isinstance(item, str) else item for item in objects
            )
        super().print(*objects, **options)


def wrap(text: str, width: int) -> str:
    """Wrap each line of the text between words, with its indent on the continuation lines."""
    fit = partial(textwrap.wrap, width=width, break_long_words=False, break_on_hyphens=False)
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += fit(line, subsequent_indent=indent) or [""]
    return "\n".join(lines)


console = Terminal(highlight=False, soft_wrap=True, markup=False)
