"""The answers of the notebooks with solutions, and wrong answers: notebooks/labs/wrong/NN.yml."""

from functools import cache
from typing import NamedTuple

import yaml

from handoff.labs.lab import load_lab
from handoff.labs.teaching import read_solutions
from handoff.paths import LABS


class Wrong(NamedTuple):
    """A wrong answer: a lab's solution in which some text is replaced, and the parts it loses."""

    lab: int
    answer: str
    name: str
    replace: dict[str, str]
    loses: list[str]

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
    content = yaml.safe_load((LABS / "wrong" / f"{lab:02}.yml").read_text())
    entries = [(answer, item) for answer, items in content.items() for item in items.items()]
    assert all({"wrong", "replace"} <= set(entry) for _, (_, entry) in entries)
    return [
        Wrong(lab, answer, name, entry["replace"], entry.get("loses", []))
        for answer, (name, entry) in entries
    ]
