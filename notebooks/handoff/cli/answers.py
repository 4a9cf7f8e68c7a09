"""Answers for programs: with `--json` the last line is one object of data/answers.schema.json."""

import json
from functools import reduce
from operator import or_

from pydantic import BaseModel, TypeAdapter


class Answer(BaseModel, extra="forbid"):
    """An answer with the exit code of its command."""

    exit: int

    def end(self, as_json: bool) -> int:
        """Return the exit code; print the answer as one line if the user asked for it."""
        if as_json:
            print(self.model_dump_json(), flush=True)
        return self.exit


class RunAnswer(Answer):
    """A run: whether all planned forks were measured, its results, and the numbers of its forks.

    Forks planned (`asked`), `found`, `failed`, `timed_out`, `disturbed` every time and `unsettled`;
    verdicts not at the published load (`unmatched`).
    """

    complete: bool
    run: str
    folder: str
    figures: str
    verdicts: str
    papers: list[str]
    pages: list[str]
    asked: int
    found: int
    failed: int
    timed_out: int
    disturbed: int
    unsettled: int
    unmatched: int


class DryRunAnswer(Answer):
    """A plan that is not measured: points, planned forks, and the expected seconds for all of them.

    `found` forks have already been measured.
    """

    run: str
    points: int
    forks: int
    found: int
    seconds: int


class CompareAnswer(Answer):
    """Two runs: what differs, and the keys of slower points and of those not judged.

    `same_kind` says whether their machines are of one kind; `missing` counts forks of both; `table`
    is the file with every point.
    """

    before: str
    after: str
    same_kind: bool
    changed: list[str]
    slower: list[str]
    not_judged: list[str]
    missing: int
    table: str


class ListedRun(BaseModel, extra="forbid"):
    """A run in the list: forks planned and found, number of each verdict."""

    run: str
    about: str
    machine: str
    started: str
    points: int
    forks: int
    found: int
    verdicts: dict[str, int]


class RunsAnswer(Answer):
    """All runs, the latest first."""

    runs: list[ListedRun]


class ErrorAnswer(Answer):
    """The reason why a command failed."""

    error: str


def format_schema() -> str:
    """Return the JSON schema of all answers."""
    every_answer = reduce(or_, Answer.__subclasses__(), Answer)
    return json.dumps(TypeAdapter(every_answer).json_schema(), indent=2)
