"""Merge two runs of one machine, jar, JDK and flags that were measured into two folders."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.paths import restore_folder
from handoff.run import extension
from handoff.run.host import lock
from handoff.run.plan.points import Point
from handoff.run.store import state
from handoff.run.store.forkfile import CorruptFork, read_fork
from handoff.run.store.forks import require_fork_of
from handoff.run.store.identity import SETUP_KEYS, describe_difference, list_other
from handoff.run.store.provenance import format_now
from handoff.run.store.run import Extension, Run, read_run, write_identity
from handoff.run.store.session import list_pauses, separate_sessions


class MergeResult(NamedTuple):
    """Numbers of forks: copied, skipped because the second run has them, and corrupt."""

    copied: int
    present: int
    corrupt: int


def merge_runs(source: Path, into: Path) -> MergeResult:
    """Copy into the second run the forks of the first that it is missing.

    The second is extended if the first asks for more, and gets a folder if it is archived. Raise
    BadInput, with the difference, unless machine, jar, JDK, flags and amounts of work are equal;
    the second is then unchanged.
    """
    first, second = read_run(source), read_run(into)
    require_mergeable(first, second)
    plan_merge(first, second)
    into = restore_folder(into)
    counts: Counter[str] = Counter()
    with lock.hold_lock(f"merging into {into.name}"), lock.hold_run(into):
        # Another runner may have added to them meanwhile.
        first, second = read_run(source), read_run(into)
        planned = plan_merge(first, second)
        if len(planned.extensions) > len(second.extensions):
            second = extension.write_extended(planned, second.sweep_file.read_text())
        elif planned.identity != second.identity:
            second = write_identity(planned)
        measured = state.scan_run(second).measured
        for point, number in first.tasks():
            files = [
                source / "forks" / f"{point.fork_name(number, again)}.json"
                for again in range(first.sweep.quiet.again + 1)
            ]
            if any(file.is_file() for file in files):
                present = (point.key, number) in measured
                counts["present" if present else copy_fork(second, point, number, files)] += 1
    return MergeResult(counts["copied"], counts["present"], counts["corrupt"])


def plan_merge(first: Run, second: Run) -> Run:
    """Return the second run with all that the first asks for, without writing it.

    Raise BadInput where their forks could not be pooled.
    """
    identity = dict(second.identity)
    if first.sessions > second.sessions:
        identity["sessions"] = first.sessions
    planned = second._replace(identity=identity)
    united = extension.unite_points(second.points, first.points, first.folder.name)
    if not is_wider(first, planned):
        return planned
    return plan_union(planned, first, united.values())


def is_wider(other: Run, run: Run) -> bool:
    """Check whether the other run asks for a point or fork that the run does not."""
    counts = {point.key: run.count_forks(point) for point in run.points}
    return any(other.count_forks(point) > counts.get(point.key, -1) for point in other.points)


def plan_union(run: Run, other: Run, points: Iterable[Point]) -> Run:
    """Return the run with all that the other has, which are these points."""
    wider = run._replace(points=list(points))
    missing = {
        point.key: other.count_forks(point) - wider.count_forks(point) for point in other.points
    }
    union = Extension(
        began=format_now("milliseconds"),
        sweep=run.sweep_hash,
        baseline={key: forks for key, forks in missing.items() if forks > 0},
        sentence=f"Merged with {other.folder.name}, a run of another sweep in the same set-up.",
        sessions=separate_sessions([*list_pauses(run), *list_pauses(other)]),
    )
    known = run.identity.get("amounts") or {}
    amounts = {"amounts": {**(other.identity.get("amounts") or {}), **known}}
    wider = wider._replace(identity=run.identity | amounts)
    return extension.put_extensions(wider, [*run.extensions, union])


def require_mergeable(first: Run, second: Run) -> None:
    different = list_other(first.identity, second.identity, SETUP_KEYS)
    one, two = (run.identity.get("amounts") or {} for run in (first, second))
    if any(one[study] != two[study] for study in one.keys() & two.keys()):
        different.append("calibration of the load")
    if different:
        raise BadInput(
            f"{first.folder} and {second.folder} cannot be merged: the second was measured with"
            f" {describe_difference(different)}."
        )


def copy_fork(run: Run, point: Point, number: int, files: list[Path]) -> str:
    """Copy a fork with its repetitions after reading all of them; return 'copied' or 'corrupt'."""
    measurements = [(again, file) for again, file in enumerate(files) if file.is_file()]
    try:
        for again, file in measurements:
            require_fork_of(run, point, number, again, read_fork(file))
    except CorruptFork:
        return "corrupt"
    for _, file in measurements:
        write_text(run.folder / "forks" / file.name, file.read_text())
    return "copied"
