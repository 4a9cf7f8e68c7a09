"""The answers of the notebooks with solutions, and wrong answers: notebooks/labs/wrong/NN.yml."""

from functools import cache
from typing import NamedTuple

import yaml

from handoff.labs.lab import load_lab
from handoff.labs.teaching import SOURCE, extract_solutions
from handoff.paths import LABS


class Wrong(NamedTuple):
    """A wrong answer: a lab's solution in which some text is replaced."""

    lab: int
    answer: str
    name: str
    replace: dict[str, str]

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
    for cell in extract_solutions(SOURCE / f"{load_lab(lab).name}.ipynb"):
        head, _, text = cell.partition("\n")
        if head == f"%%answer {answer}":
            return text
    raise LookupError(answer)


def list_wrong(lab: int) -> list[Wrong]:
    """List the wrong answers of a lab; each says in a sentence what is wrong."""
    content = yaml.safe_load((LABS / "wrong" / f"{lab:02}.yml").read_text())
    entries = [(answer, item) for answer, items in content.items() for item in items.items()]
    assert all(set(entry) == {"wrong", "replace"} for _, (_, entry) in entries)
    return [Wrong(lab, answer, name, entry["replace"]) for answer, (name, entry) in entries]
