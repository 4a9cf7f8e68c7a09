"""What the next start measures, and in which order: randomised complete blocks, then the
repetitions of what ran disturbed.
"""

import random

from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.run.store.state import RunState, Task


def plan_order(run: Run) -> list[Task]:
    """As planned for all: in every block each point at most once, shuffled by the seed and the
    block.

    A point with a fork for every block is in all of them; the forks of the others, and those that
    anchors get beyond (perhaps two in a block), are spread over blocks by the seed. A session has
    as many blocks as the one before.
    """
    count = max((point.forks for point in run.points), default=0)
    blocks: list[list[Task]] = [[] for _ in range(count * run.sessions)]
    for point in run.points:
        chosen = sorted(
            random.Random(f"{run.sweep.seed} {point.key}").sample(range(count), point.forks)
        )
        all_sessions = [
            session * count + block for session in range(run.sessions) for block in chosen
        ]
        beyond = run.count_forks(point) - len(all_sessions)
        spread = random.Random(f"{run.sweep.seed} {point.key} anchor").choices(
            range(len(blocks)), k=beyond
        )
        for number, block in enumerate(all_sessions + sorted(spread)):
            blocks[block].append(Task(block, point, number))
    for block, tasks in enumerate(blocks):
        random.Random(f"{run.sweep.seed} {block}").shuffle(tasks)
    return [task for tasks in blocks for task in tasks]


def list_unmeasured(run: Run, found: RunState) -> list[Task]:
    """Forks that are not there and have tries left; repetitions not among them, for the host that
    alone could measure one may be gone.
    """
    return [task for task in list_pending(run, found) if not task.again]


def list_pending(run: Run, found: RunState) -> list[Task]:
    """What the next start measures: forks that are not there and have tries left, then those that
    ran disturbed, again.
    """
    missing = [
        task for task in plan_order(run) if (task.point.key, task.number) not in found.measured
    ]
    disturbed = [
        again
        for task in plan_order(run)
        if (
            again := plan_repetition(
                run, task, found.measured.get((task.point.key, task.number), {})
            )
        )
    ]
    return [task for task in missing + disturbed if found.tries[task.name] < state.MAX_TRIES]


def plan_repetition(run: Run, task: Task, measurements: dict[int, bool]) -> Task | None:
    """The next measurement of a fork that ran disturbed every time; None when it need not or may
    not be measured again.
    """
    if (
        not measurements
        or not all(measurements.values())
        or max(measurements) >= run.sweep.quiet.again
    ):
        return None
    return task._replace(again=max(measurements) + 1)
