"""Two runs of the same sweep on the same machine, measured into two folders, as one."""

from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.run import lock, state, store
from handoff.run.files import write_once
from handoff.run.forkfile import Spoilt
from handoff.run.state import Task


class Merged(NamedTuple):
    """Forks copied; left because the second run has its own; left because they must not be read as data."""

    copied: int
    there: int
    spoilt: int


def merge(source: Path, into: Path) -> Merged:
    """Copies into the second run the forks of the first that it lacks. The first is not changed.

    BadInput, saying what differs, unless machine, jar, JDK, flags and sweep are the same.
    """
    first, second = store.read(source), store.read(into)
    other = [key for key in store.IDENTITY if first.identity[key] != second.identity[key]]
    if other:
        raise BadInput(f"{source} and {into} cannot be merged: they were measured with another {' and another '.join(other)}.")
    counts = {"copied": 0, "there": 0, "spoilt": 0}
    with lock.held(f"merging into {into.name}"):
        there = state.look(second).measured
        for point, number in first.tasks():
            for again in range(first.sweep.quiet.again + 1):
                file = source / "forks" / f"{Task(0, point, number, again).name}.json"
                if file.is_file():
                    counts["there" if (point.key, number) in there else copied(second, point, number, again, file)] += 1
    return Merged(**counts)


def copied(run: store.Run, point: state.Point, number: int, again: int, file: Path) -> str:
    """Copies one fork file after reading all of it; 'copied' or 'spoilt'."""
    try:
        fork = state.belonging(run, point, number, again, file)
    except Spoilt:
        return "spoilt"
    write_once(run.folder / "forks" / file.name, fork.model_dump(by_alias=True))
    return "copied"
