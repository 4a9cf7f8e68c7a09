"""What the next start measures, and in which order: randomised complete blocks, then the repetitions of what ran disturbed."""

import random

from handoff.run import state
from handoff.run.state import State, Task
from handoff.run.store import Run


def in_order(run: Run) -> list[Task]:
    """As planned for all: block b holds fork b of every point that has one, shuffled by the seed and b."""
    ordered: list[Task] = []
    for block in range(max((point.forks for point in run.points), default=0)):
        members = [point for point in run.points if block < point.forks]
        random.Random(f"{run.sweep.seed} {block}").shuffle(members)
        ordered += [Task(block, point, block) for point in members]
    return ordered


def to_do(run: Run, found: State) -> list[Task]:
    """What the next start measures: forks that are not there and have tries left, then those that ran disturbed, again."""
    missing = [task for task in in_order(run) if (task.point.key, task.number) not in found.measured]
    disturbed = [again for task in in_order(run) if (again := repetition(run, task, found.measured.get((task.point.key, task.number), {})))]
    return [task for task in missing + disturbed if found.tries[task.name] < state.TRIES]


def repetition(run: Run, task: Task, measurements: dict[int, bool]) -> Task | None:
    """The next measurement of a fork that ran disturbed every time; None when it need not or may not be measured again."""
    if not measurements or not all(measurements.values()) or max(measurements) >= run.sweep.quiet.again:
        return None
    return task._replace(again=max(measurements) + 1)
