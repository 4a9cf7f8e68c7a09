"""`--dry-run`: what would be measured, in which order, and what it would cost."""

from pathlib import Path

from handoff.errors import COMPLETE
from handoff.names import counted
from handoff.run import choose, cost, jdk, order, store
from handoff.run.cost import Costs
from handoff.run.points import Point
from handoff.terminal import console


def dry_run(points: list[Point], asked: choose.Asked, runs: Path, java: jdk.Jdk) -> int:
    """Prints what would be measured, and writes nothing."""
    planned = store.planned(asked, points, java)
    folder = runs / planned.folder.name
    tasks = order.in_order(planned)
    costs = Costs(runs, planned.machine["id"])
    for point in points:
        note = point.unavailable or ("oversubscribed" if point.oversubscribed else "")
        console.print(f"{point}: {counted(point.forks, 'fork')}, {costs.fork_seconds(point):.1f} s each{', ' if note else ''}{note}")
    console.print("\nOrder of the forks:")
    for place, task in enumerate(tasks):
        console.print(f"{place:5} block {task.block} {task.point}")
    there = len(tasks) - len(planned._replace(folder=folder).missing())
    learnt = "learnt from earlier forks" if costs.shot_s else "a guess"
    console.print(
        f"\n{folder.name}: {counted(len(points), 'point')}, {counted(len(tasks), 'fork')} ({there} there already), "
        f"about {cost.in_words(costs.total_seconds(points))} in all ({learnt}), {costs.measured_share(points):.0%} of it inside measured "
        "shots. Nothing was measured."
    )
    return COMPLETE
