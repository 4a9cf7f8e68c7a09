"""The fork files of a run that may be read as data, and what becomes of the others."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from handoff.run.plan.points import Point
from handoff.run.store.forkfile import CorruptFork, ForkFile, read_fork
from handoff.run.store.identity import hash_identity, hash_setup
from handoff.run.store.run import Run

SETUP_SCHEMA = 6
"""From here on a fork is of its set-up, before of its run."""


def read_forks(
    run: Run, corrupt: list[str], move: bool = False
) -> Iterator[tuple[Point, ForkFile]]:
    """Every fork that may be read as data, a fork's repetitions in their order; a sentence for
    every other goes to `corrupt`.
    """
    asked = {point.fork_name(number): (point, number) for point, number in run.tasks()}
    # No two forks have the same place and instant and last the same nanoseconds: a copy under
    # another name does.
    seen: dict[tuple, str] = {}
    for path in sorted((run.folder / "forks").glob("*.json"), key=sort_key):
        try:
            name, _, again = path.stem.partition(".again")
            if name not in asked or not (again or "0").isdecimal():
                raise CorruptFork("this run never asked for it")
            point, number = asked[name]
            fork = read_fork_of(run, point, number, int(again or 0), path)
            when = (
                fork.before.utc,
                fork.order,
                fork.seconds,
                *(shot.wallNs for shot in fork.evidence.shots),
            )
            if seen.setdefault(when, path.name) != path.name:
                raise CorruptFork(f"it is a copy of {seen[when]}")
        except CorruptFork as why:
            corrupt.append(
                f"{path.name} {'was set aside, in quarantine' if move else 'is not read as data'}:"
                f" {why}."
            )
            if move:
                quarantine_file(path, run.folder / "quarantine")
        else:
            yield point, fork


def sort_key(path: Path) -> tuple[str, int]:
    name, _, again = path.stem.partition(".again")
    return name, int(again) if again.isdecimal() else 0


def read_fork_of(run: Run, point: Point, number: int, again: int, path: Path) -> ForkFile:
    """The fork file at `path`, when it is of this run, this point and this number.

    CorruptFork otherwise.
    """
    return require_fork_of(run, point, number, again, read_fork(path))


def require_fork_of(run: Run, point: Point, number: int, again: int, fork: ForkFile) -> ForkFile:
    """The fork. CorruptFork unless it is of this run, this point and this number."""
    if (fork.study, fork.params, fork.fork, fork.again) != (
        point.study,
        point.params,
        number,
        again,
    ):
        raise CorruptFork(f"its content is another fork's, fork {fork.fork} of {fork.study}")
    own = (hash_setup if fork.schema_ >= SETUP_SCHEMA else hash_identity)(run.identity)
    if (fork.setup, fork.machine) != (own, run.machine["id"]):
        raise CorruptFork(f"it comes from another run ({fork.setup}, on machine {fork.machine})")
    if len(fork.evidence.shots) != point.shots:
        raise CorruptFork(f"it has {len(fork.evidence.shots)} shots, asked were {point.shots}")
    return fork


def quarantine_file(path: Path, folder: Path) -> None:
    """Moves a file into `folder` under the first free number."""
    folder.mkdir(parents=True, exist_ok=True)
    path.rename(
        next(
            free
            for number in count(1)
            if not (free := folder / f"{path.stem}.{number}{path.suffix}").exists()
        )
    )
