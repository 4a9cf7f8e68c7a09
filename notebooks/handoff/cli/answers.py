"""What `--json` prints as the last line: one object, whose `exit` is the exit code. The schema of
all of them is data/answers.schema.json.
"""

import json

from pydantic import BaseModel, ConfigDict, TypeAdapter


class Answer(BaseModel):
    """`exit` is the command's exit code."""

    model_config = ConfigDict(extra="forbid")
    exit: int

    def print(self) -> int:
        """Prints it as one line; returns its exit code."""
        print(self.model_dump_json(), flush=True)
        return self.exit


class ErrorAnswer(Answer):
    """Why a command did not end as it should."""

    error: str


class RunAnswer(Answer):
    """A run: forks asked for, found, failed and timed out; forks `disturbed` every time, those that
    never settled, verdicts not at the published load; and where its results are.
    """

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
    """What would be measured: `found` forks are there; expected seconds, and the share of them that
    lies inside measured shots.
    """

    run: str
    points: int
    forks: int
    found: int
    seconds: int
    share: float


class ClusterAnswer(Answer):
    """A sweep on several groups of nodes: the run of each; their own answers stand above."""

    groups: dict[str, str]


class ExtensionAnswer(Answer):
    """What would be added: new points, points `raised` by more forks, the keys of the anchors, the
    forks to measure and their expected seconds.
    """

    run: str
    points: int
    raised: int
    anchors: list[str]
    forks: int
    seconds: int


class ComparedPoint(BaseModel):
    """A point in both runs: after ÷ before of `quantity` with its 95 % interval; the ratios to a
    thread alone; and how likely it is no slower, where it was judged.
    """

    model_config = ConfigDict(extra="forbid")
    study: str
    point: str
    what: str
    quantity: str
    direction: str
    forks: str
    before: float
    after: float
    ratio: float
    low: float | None
    high: float | None
    shape_before: float | None
    shape_after: float | None
    oversubscribed: bool
    p_slower: float | None


class CompareAnswer(Answer):
    """Two runs: what differs between them, the keys of points that are slower, and every point."""

    before: str
    after: str
    same_machine: bool
    changed: list[str]
    slower: list[str]
    points: list[ComparedPoint]
    table: str


class TraceAnswer(Answer):
    """What an id stands for, and the state of each fork file behind it."""

    id: str
    what: str
    run: str
    jar: str
    forks: dict[str, str]


class ListedRun(BaseModel):
    """A run in the list: forks asked for and found, verdicts by their words, size in MiB."""

    model_config = ConfigDict(extra="forbid")
    run: str
    about: str
    machine: str
    started: str
    points: int
    forks: int
    found: int
    verdicts: dict[str, int]
    mib: float


class RunsAnswer(Answer):
    """All runs, the latest first."""

    runs: list[ListedRun]


AnyAnswer = (
    RunAnswer
    | DryRunAnswer
    | ClusterAnswer
    | ExtensionAnswer
    | CompareAnswer
    | TraceAnswer
    | RunsAnswer
    | ErrorAnswer
)


def format_schema() -> str:
    """The JSON schema of all answers."""
    return json.dumps(TypeAdapter(AnyAnswer).json_schema(), indent=2)
