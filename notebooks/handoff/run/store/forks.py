"""Read the fork files of a run, and set aside those that must not be read as data."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from handoff.run.plan.points import Point
from handoff.run.store.forkfile import CorruptFork, ForkFile, read_fork
from handoff.run.store.identity import hash_setup
from handoff.run.store.run import Run


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
