"""Plan what the next start measures, and in which order.

Randomised complete blocks come first, then the repetitions of disturbed forks.
"""

import random

from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.run.store.state import RunState, Task


def plan_order(run: Run) -> list[Task]:
    """Return all planned forks block by block, each block shuffled by the seed and its number.

    A point with a fork per block is in all of them. Other forks are spread over the blocks by the
    seed, and so are anchors, perhaps two in a block. Each session has the same number of blocks.
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
        anchors = run.count_forks(point) - len(all_sessions)
        spread = random.Random(f"{run.sweep.seed} {point.key} anchor").choices(
            range(len(blocks)), k=anchors
        )
        for number, block in enumerate(all_sessions + sorted(spread)):
            blocks[block].append(Task(block, point, number))
    for block, tasks in enumerate(blocks):
        random.Random(f"{run.sweep.seed} {block}").shuffle(tasks)
    return [task for tasks in blocks for task in tasks]


def list_unmeasured(run: Run, scan: RunState) -> list[Task]:
    """Return the missing forks that have tries left, without repetitions.

    The only host that could measure a repetition may be gone.
    """
    return [task for task in list_pending(run, scan) if not task.again]


def list_pending(run: Run, scan: RunState) -> list[Task]:
    """Return the missing forks that have tries left, then repetitions of disturbed forks."""
    missing = [
        task for task in plan_order(run) if (task.point.key, task.number) not in scan.measured
    ]
    disturbed = [
        again
        for task in plan_order(run)
        if (
            again := plan_repetition(
                run, task, scan.measured.get((task.point.key, task.number), {})
            )
        )
    ]
    return [task for task in missing + disturbed if scan.tries[task.name] < state.MAX_TRIES]


def plan_repetition(run: Run, task: Task, measurements: dict[int, bool]) -> Task | None:
    """Return the next repetition of a fork if all of its measurements were disturbed."""
    if (
        not measurements
        or not all(measurements.values())
        or max(measurements) >= run.sweep.quiet.again
    ):
        return None
    return task._replace(again=max(measurements) + 1)
