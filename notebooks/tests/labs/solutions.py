"""The answers of the notebooks with solutions, and wrong answers: notebooks/labs/wrong/NN.yml."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from handoff.files import read_yaml
from handoff.labs.lab import load_lab
from handoff.labs.teaching import read_solutions
from handoff.paths import LABS


class Wrong(NamedTuple):
    """A wrong answer: a lab's solution in which some text is replaced, and the parts it loses."""

    lab: int
    answer: str
    name: str
    wrong: str
    replace: dict[str, str]
    loses: Sequence[str] = ()

    @property
    def text(self) -> str:
        text = read_solution(self.lab, self.answer)
        for old, new in self.replace.items():
            assert old in text, f"{self.name}: {old!r} is not in the solution"
            text = text.replace(old, new)
        return text


@cache
def read_solution(lab: int, answer: str) -> str:
    """Return the text of one answer in the lab's notebook with solutions."""
    return read_solutions(load_lab(lab))[answer]


def list_wrong(lab: int) -> list[Wrong]:
    """List the wrong answers of a lab; each says in a sentence what is wrong."""
    content = read_yaml(LABS / "wrong" / f"{lab:02}.yml")
    return [
        Wrong(lab, answer, name, **entry)
        for answer, entries in content.items()
        for name, entry in entries.items()
    ]
