"""What a command asks for, checked and typed: what the parser makes and every stage reads."""

from dataclasses import dataclass
from pathlib import Path

STAGES = ("build", "measure", "tidy", "figures", "paper", "html")
BUILD, MEASURE, TIDY, FIGURES, PAPER, HTML = STAGES
READING_STAGES = (TIDY, FIGURES, PAPER, HTML)
"""Those that only read, so a run of any machine can have them."""


@dataclass(frozen=True)
class RunRequest:
    """Stages of a sweep or of a run: `target` is a profile, the path of a sweep, or a run's name.

    `stages` is empty for all that the target allows. `only` and `sets` are words as typed.
    `budget_s`: seconds that measuring may take. `wait`: queue for the machine. `points`: a dry run
    lists every point and fork. `source`: the study whose source alone gets a paper.
    `cluster`: the file of the cluster that measures; '' for this machine.
    """

    target: str
    runs: Path
    stages: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    dry_run: bool = False
    strict: bool = False
    retry_failed: bool = False
    session: bool = False
    budget_s: float | None = None
    wait: bool = False
    points: bool = False
    source: str = ""
    cluster: str = ""
    json: bool = False


@dataclass(frozen=True)
class ExtendRequest:
    """What a run lacks of a changed sweep: its own, changed by `sets` as typed, or the file
    `sweep`.
    """

    run: str
    runs: Path
    sweep: str = ""
    sets: tuple[str, ...] = ()
    dry_run: bool = False
    retry_failed: bool = False
    budget_s: float | None = None
    wait: bool = False
    json: bool = False


@dataclass(frozen=True)
class TestRequest:
    """The checks of this checkout; `deep` adds what takes long."""

    deep: bool = False


@dataclass(frozen=True)
class TraceRequest:
    """The forks behind a figure or a verdict, by the id that it carries."""

    identity: str
    runs: Path
    json: bool = False


@dataclass(frozen=True)
class RunsRequest:
    """All runs there are."""

    runs: Path
    json: bool = False


@dataclass(frozen=True)
class CompareRequest:
    """Two runs, by name or folder; a point counts as slower beyond `margin`, a share. `whole`
    prints also what did not change.
    """

    before: str
    after: str
    runs: Path
    margin: float = 0.05
    whole: bool = False
    json: bool = False


@dataclass(frozen=True)
class ArchiveRequest:
    """A run, by name or folder, to be made one file."""

    run: str
    runs: Path


@dataclass(frozen=True)
class SiteRequest:
    """A run, by name or folder, of which a folder of pages is made."""

    run: str
    runs: Path


@dataclass(frozen=True)
class MergeRequest:
    """The forks of `source` that `into` lacks, to be copied there."""

    source: str
    into: str
    runs: Path
