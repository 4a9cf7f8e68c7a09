"""Two runs of the same sweep on the same machine, measured into two folders, as one."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run import lock, session, state, store
from handoff.run.forkfile import CorruptFork
from handoff.run.forks import read_fork_of
from handoff.run.identity import IDENTITY_KEYS
from handoff.run.points import Point
from handoff.run.state import Task


class MergeResult(NamedTuple):
    """Forks copied; left because the second run has its own; left because they must not be read as
    data.
    """

    copied: int
    there: int
    corrupt: int


def merge_runs(source: Path, into: Path) -> MergeResult:
    """Copies into the second run the forks of the first that it lacks. The first is not changed.

    BadInput, saying what differs, unless machine, jar, JDK, flags, sweep and the amounts of work
    that its words stand for are the same.
    """
    first, second = store.read_run(source), store.read_run(into)
    other = [key for key in IDENTITY_KEYS if first.identity[key] != second.identity[key]]
    if first.identity.get("amounts") != second.identity.get("amounts"):
        other.append("calibration of the load")
    if other:
        raise BadInput(
            f"{source} and {into} cannot be merged: they were measured with another"
            f" {' and another '.join(other)}."
        )
    counts: Counter[str] = Counter()
    with lock.hold_lock(f"merging into {into.name}"):
        if first.sessions > second.sessions:
            second = session.set_sessions(second, first.sessions)
        granted = [run.identity.get("more", {}) for run in (first, second)]
        if granted[0] or granted[1]:
            keys = {**granted[0], **granted[1]}
            second = store.grant_forks(
                second, {key: max(each.get(key, 0) for each in granted) for key in keys}
            )
        there = state.scan_run(second).measured
        for point, number in first.tasks():
            files = [
                source / "forks" / f"{Task(0, point, number, again).name}.json"
                for again in range(first.sweep.quiet.again + 1)
            ]
            if any(file.is_file() for file in files):
                counts[
                    (
                        "there"
                        if (point.key, number) in there
                        else copy_fork(second, point, number, files)
                    )
                ] += 1
    return MergeResult(counts["copied"], counts["there"], counts["corrupt"])


def copy_fork(run: store.Run, point: Point, number: int, files: list[Path]) -> str:
    """Copies one fork with its repetitions, after reading all of them; 'copied' or 'corrupt'."""
    try:
        forks = {
            file.name: read_fork_of(run, point, number, again, file)
            for again, file in enumerate(files)
            if file.is_file()
        }
    except CorruptFork:
        return "corrupt"
    for name, fork in forks.items():
        write_json(run.folder / "forks" / name, fork.model_dump(by_alias=True))
    return "copied"
