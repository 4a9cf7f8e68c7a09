"""Two runs of one machine, jar, JDK and flags, measured into two folders, as one."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.run import extension, lock, session, state, store
from handoff.run.forkfile import CorruptFork
from handoff.run.forks import SETUP_SCHEMA, read_fork_of, read_forks
from handoff.run.identity import SETUP_KEYS, describe_difference
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

    Where the sweeps differ, the second run is extended by what the first asks for beyond it.
    BadInput, saying what differs, unless machine, jar, JDK, flags and the amounts of work that
    words stand for are the same.
    """
    first, second = store.read_run(source), store.read_run(into)
    require_mergeable(first, second)
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
        if extension.is_wider(first, second):
            require_own_setup(first)
            wider = extension.plan_union(second, first)
            second = extension.write_extended(wider, second.sweep_file.read_text())
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


def require_mergeable(first: store.Run, second: store.Run) -> None:
    other = [key for key in SETUP_KEYS if first.identity[key] != second.identity[key]]
    one, two = (run.identity.get("amounts") or {} for run in (first, second))
    if any(one[study] != two[study] for study in one.keys() & two.keys()):
        other.append("calibration of the load")
    if other:
        raise BadInput(
            f"{first.folder} and {second.folder} cannot be merged: they were measured with"
            f" {describe_difference(other)}."
        )


def require_own_setup(run: store.Run) -> None:
    """BadInput for forks of before schema 6, which belong to their run alone."""
    if any(fork.schema_ < SETUP_SCHEMA for _, fork in read_forks(run, [])):
        raise BadInput(
            f"{run.folder} cannot be merged into a run of another sweep: its forks are of an"
            " earlier release, and belong to their run alone."
        )


def copy_fork(run: store.Run, point: Point, number: int, files: list[Path]) -> str:
    """Copies one fork with its repetitions, after reading all of them; 'copied' or 'corrupt'."""
    there = [(again, file) for again, file in enumerate(files) if file.is_file()]
    try:
        for again, file in there:
            read_fork_of(run, point, number, again, file)
    except CorruptFork:
        return "corrupt"
    for _, file in there:
        write_text(run.folder / "forks" / file.name, file.read_text())
    return "copied"
