"""Plan what the next start measures, and in which order.

Studies come in order of importance, and points whose threads have a core each before the others.
Each such group is measured in randomised complete blocks. Repetitions of disturbed forks come last.
"""

import random
from collections import Counter

from handoff.run.plan.points import Point
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.run.store.state import RunState, Task
from handoff.study import find_study


def plan_order(run: Run) -> list[Task]:
    """Return all planned forks block by block, each block shuffled by the seed and its number.

    A point with as many forks as its group has blocks is in all of them. Other forks, and those of
    an extension's baseline, are spread over the group's blocks by the seed.
    """
    blocks: list[list[Task]] = []
    numbers: Counter[str] = Counter()
    last: dict[tuple[str, bool], range] = {}

    def add(block: int, point: Point) -> None:
        blocks[block].append(Task(block, point, numbers[point.key]))
        numbers[point.key] += 1

    for _ in range(run.sessions):
        for group in group_points(run.points):
            first, count = len(blocks), max(point.forks for point in group)
            blocks.extend([] for _ in range(count))
            for point in group:
                chosen = random.Random(f"{run.sweep.seed} {point.key}")
                for block in sorted(chosen.sample(range(count), point.forks)):
                    add(first + block, point)
            last[group[0].study, group[0].oversubscribed] = range(first, first + count)
    for point in run.points:
        for again in range(run.count_beyond(point)):
            places = last[point.study, point.oversubscribed]
            add(places[again % len(places)], point)
    for block, tasks in enumerate(blocks):
        random.Random(f"{run.sweep.seed} {block}").shuffle(tasks)
    return [task for tasks in blocks for task in tasks]


def group_points(points: list[Point]) -> list[list[Point]]:
    """Return the points that have forks, by study in order of importance, fitting ones first."""
    groups: dict[tuple[int, str, bool], list[Point]] = {}
    for point in points:
        place = (find_study(point.study).order, point.study, point.oversubscribed)
        groups.setdefault(place, []).append(point)
    return [
        groups[place] for place in sorted(groups) if any(point.forks for point in groups[place])
    ]


def list_unmeasured(run: Run, scan: RunState) -> list[Task]:
    """Return the missing forks that have tries left, without repetitions."""
    return [task for task in list_pending(run, scan) if not task.again]


def list_pending(run: Run, scan: RunState) -> list[Task]:
    """Return the missing forks that have tries left, then repetitions of disturbed forks."""
    missing, repetitions = [], []
    for task in plan_order(run):
        measurements = scan.measured.get((task.point.key, task.number))
        if measurements is None:
            missing.append(task)
        elif all(measurements.values()) and max(measurements) < run.sweep.quiet.again:
            repetitions.append(task._replace(again=max(measurements) + 1))
    return [task for task in missing + repetitions if scan.tries[task.name] < state.MAX_TRIES]
