"""Two runs of one machine, jar, JDK and flags, measured into two folders, as one."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.run import extension
from handoff.run.host import lock
from handoff.run.plan.points import Point
from handoff.run.store import session, state
from handoff.run.store.forkfile import CorruptFork
from handoff.run.store.forks import SETUP_SCHEMA, read_fork_of, read_forks
from handoff.run.store.identity import SETUP_KEYS, describe_difference, list_other
from handoff.run.store.run import Extension, Run, grant_forks, read_run
from handoff.run.store.state import Task


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
    first, second = read_run(source), read_run(into)
    require_mergeable(first, second)
    counts: Counter[str] = Counter()
    with lock.hold_lock(f"merging into {into.name}"), lock.hold_run(into):
        if first.sessions > second.sessions:
            second = session.set_sessions(second, first.sessions)
        granted = [run.identity.get("more", {}) for run in (first, second)]
        if granted[0] or granted[1]:
            keys = {**granted[0], **granted[1]}
            second = grant_forks(
                second, {key: max(each.get(key, 0) for each in granted) for key in keys}
            )
        if is_wider(first, second):
            require_own_setup(first)
            wider = plan_union(second, first)
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


def is_wider(other: Run, run: Run) -> bool:
    """Whether the other run asks for a point or a fork that the run does not."""
    counts = {point.key: run.count_forks(point) for point in run.points}
    return any(other.count_forks(point) > counts.get(point.key, -1) for point in other.points)


def plan_union(run: Run, other: Run) -> Run:
    """The run with every point and fork that the other one asks for; nothing is written. BadInput
    where both have a point in two ways.
    """
    there = {point.key: point for point in run.points}
    beside = {point.key: point for point in other.points}
    for key in there.keys() & beside.keys():
        extension.require_alike(there[key], beside[key], other.folder.name)
    points = [extension.combine(point, beside.get(key)) for key, point in there.items()]
    points += [point for key, point in beside.items() if key not in there]
    wider = run._replace(points=points)
    lacking = {
        key: other.count_forks(point) - wider.count_forks(point) for key, point in beside.items()
    }
    union = Extension(
        began=extension.format_now(),
        sweep=run.sweep_hash,
        looks=max(run.looks, other.looks) + 1,
        anchors={key: forks for key, forks in lacking.items() if forks > 0},
        sentence=f"Merged with {other.folder.name}, a run of another sweep in the same set-up.",
    )
    own = run.identity.get("amounts") or {}
    amounts = {"amounts": {**(other.identity.get("amounts") or {}), **own}}
    wider = wider._replace(identity=run.identity | amounts)
    # Where the other's anchors found another machine, its sessions are still apart.
    apart = [
        each.model_copy(update={"anchors": {}, "sweep": run.sweep_hash})
        for each in other.extensions
        if not each.same
    ]
    return extension.put_extensions(wider, [*run.extensions, *apart, union])


def require_mergeable(first: Run, second: Run) -> None:
    other = list_other(first.identity, second.identity, SETUP_KEYS)
    one, two = (run.identity.get("amounts") or {} for run in (first, second))
    if any(one[study] != two[study] for study in one.keys() & two.keys()):
        other.append("calibration of the load")
    if other:
        raise BadInput(
            f"{first.folder} and {second.folder} cannot be merged: they were measured with"
            f" {describe_difference(other)}."
        )


def require_own_setup(run: Run) -> None:
    """BadInput for forks of before schema 6, which belong to their run alone."""
    if any(fork.schema_ < SETUP_SCHEMA for _, fork in read_forks(run, [])):
        raise BadInput(
            f"{run.folder} cannot be merged into a run of another sweep: its forks are of an"
            " earlier release, and belong to their run alone."
        )


def copy_fork(run: Run, point: Point, number: int, files: list[Path]) -> str:
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
