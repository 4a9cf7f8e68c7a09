"""Read the state of a run's forks from its folders; no other record exists.

forks/x.json            done; x.again1.json: measured again because x ran disturbed
failed/x.1.txt          failed, first try, with JMH's log; timed-out/ likewise
quarantine/x.1.json     was in forks/ and must not be read as data
"""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from handoff.run.plan.points import Point
from handoff.run.store.disturbance import Assessment
from handoff.run.store.forkfile import CorruptFork, ForkFile, read_fork
from handoff.run.store.identity import hash_setup
from handoff.run.store.run import Run
from handoff.text import pluralize

MAX_TRIES = 2
"""A fork that failed is tried once more at the next start, and then given up."""

FAILURE_FOLDERS = ("failed", "timed-out")


class Task(NamedTuple):
    """One fork to measure: repetition `again` of fork `number` of a point, in its block."""

    block: int
    point: Point
    number: int
    again: int = 0

    @property
    def name(self) -> str:
        """The stem of its file names, in every state."""
        return self.point.fork_name(self.number, self.again)


class RunState(NamedTuple):
    """The state of all forks of a run.

    `measured` says, by point key and fork number, which repetitions were disturbed. `tries` counts
    failures and time-outs by name. `corrupt` has a sentence per file set aside now. `ended` is the
    next place in the order of execution.
    """

    measured: dict[tuple[str, int], dict[int, bool]]
    tries: Counter[str]
    corrupt: list[str]
    ended: int


def scan_run(run: Run, move: bool = False) -> RunState:
    """Read every fork file; name the corrupt ones, and move them to quarantine/ if `move`."""
    corrupt: list[str] = []
    last, assessment = -1, Assessment(run.sweep.quiet)
    for point, fork in read_forks(run, corrupt, move):
        last = max(last, fork.order)
        assessment.add(fork, point.key, point.oversubscribed)
    tries = Counter(list_failures(run, *FAILURE_FOLDERS))
    done = len(list((run.folder / "forks").glob("*.json")))
    return RunState(assessment.repetitions, tries, corrupt, max(last + 1, done + tries.total()))


def list_failures(run: Run, *states: str) -> list[str]:
    notes = [note for state in states for note in (run.folder / state).glob("*.txt")]
    return [note.name.rsplit(".", 2)[0] for note in notes]


def reset_failures(run: Run) -> None:
    """Allow failed and timed-out forks to be tried again; their notes go to failed/earlier/."""
    for state in FAILURE_FOLDERS:
        for note in list((run.folder / state).glob("*.txt")):
            quarantine_file(note, run.folder / "failed" / "earlier")


def list_missing(run: Run, scan: RunState) -> list[Task]:
    return [
        Task(0, point, number)
        for point, number in run.tasks()
        if (point.key, number) not in scan.measured
    ]


def count_failures(run: Run, missing: list[Task]) -> dict[str, int]:
    """Return how many of the missing forks have failed, and how many have timed out."""
    names = {task.name for task in missing}
    return {state: len(names & {*list_failures(run, state)}) for state in FAILURE_FOLDERS}


def summarize_state(run: Run, scan: RunState, to_do: int) -> str:
    """Return '171 of 174 forks measured; 1 failed; 3 to measure'."""
    measured = f"{len(scan.measured)} of {pluralize(len(run.tasks()), 'fork')} measured"
    failures = count_failures(run, list_missing(run, scan))
    parts = [f"{number} {state.replace('-', ' ')}" for state, number in failures.items() if number]
    parts += [f"{len(scan.corrupt)} set aside"] if scan.corrupt else []
    return "; ".join(filter(None, [measured, ", ".join(parts), f"{to_do} to measure"]))


def read_forks(
    run: Run, corrupt: list[str], move: bool = False
) -> Iterator[tuple[Point, ForkFile]]:
    """Yield every fork that may be read as data; name others in `corrupt`, and `move` them away."""
    expected = {point.fork_name(number): (point, number) for point, number in run.tasks()}
    # Two forks never share order, start and times of their shots, so a second one is a copy.
    names: dict[tuple, str] = {}
    folder = run.folder / "forks"
    # Names alone: a path takes a kilobyte.
    for file in sorted((path.name for path in folder.glob("*.json")), key=sort_key):
        path = folder / file
        try:
            name, _, again = path.stem.partition(".again")
            if name not in expected or not (again or "0").isdecimal():
                raise CorruptFork("this run did not ask for it")
            if not path.is_file():
                raise CorruptFork("it is not a file")
            point, number = expected[name]
            fork = require_fork_of(run, point, number, int(again or 0), read_fork(path))
            times = [shot.wallNs for shot in fork.evidence.shots]
            moment = (fork.before.utc, fork.order, fork.seconds, *times)
            if names.setdefault(moment, file) != file:
                raise CorruptFork(f"it is a copy of {names[moment]}")
        except CorruptFork as reason:
            done = "was moved to quarantine" if move else "is not read as data"
            corrupt.append(f"{file} {done}: {reason}.")
            if move:
                quarantine_file(path, run.folder / "quarantine")
        else:
            yield point, fork


def sort_key(file: str) -> tuple[str, int]:
    name, _, again = file.removesuffix(".json").partition(".again")
    return name, int(again) if again.isdecimal() else 0


def require_fork_of(run: Run, point: Point, number: int, again: int, fork: ForkFile) -> ForkFile:
    """Return the fork, or raise CorruptFork if it is of another run, point or number."""
    content = fork.study, fork.params, fork.arm or "", fork.fork, fork.again
    if content != (point.study, point.params, point.arm, number, again):
        raise CorruptFork(f"it contains another fork, fork {fork.fork} of {fork.study}")
    setup = hash_setup(run.identity, point.arm)
    if (fork.setup, fork.machine) != (setup, run.machine["id"]):
        raise CorruptFork(f"it comes from another run ({fork.setup}, on machine {fork.machine})")
    if len(fork.evidence.shots) != point.shots:
        raise CorruptFork(f"it has {len(fork.evidence.shots)} shots instead of {point.shots}")
    return fork


def quarantine_file(path: Path, folder: Path) -> None:
    """Move a file into `folder` under the first free number."""
    folder.mkdir(parents=True, exist_ok=True)
    names = (f"{path.stem}.{number}{path.suffix}" for number in count(1))
    path.rename(next(folder / name for name in names if not (folder / name).exists()))
