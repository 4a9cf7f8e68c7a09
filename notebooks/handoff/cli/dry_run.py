"""`--dry-run`: what would be measured, in which order, and what it would cost."""

from pathlib import Path

from handoff.errors import COMPLETE
from handoff.run import cost, jdk, order, selection, session, store
from handoff.run.cost import CostModel
from handoff.terminal import console
from handoff.text import pluralize


def print_dry_run(
    asked: selection.SweepRequest, runs: Path, java: jdk.Jdk, add_session: bool = False
) -> int:
    """Prints what would be measured, and writes nothing. Of a run that is begun, its own plan: work
    in words such as NS_2225 is only guessed before that.
    """
    planned = store.plan_run(asked, [], java)
    folder = runs / planned.folder.name
    if (folder / "plan.json").is_file():
        planned = store.read_run(folder)
    else:
        planned = planned._replace(points=store.plan_points(asked, java))
    if add_session:
        session.require_pause(planned)
        planned = session.plan_sessions(planned, planned.sessions + 1)
    points, tasks = planned.points, order.plan_order(planned)
    costs = CostModel(runs, planned.machine["id"])
    for point in points:
        note = point.unavailable or ("oversubscribed" if point.oversubscribed else "")
        console.print(
            f"{point}: {pluralize(point.forks, 'fork')}, {costs.fork_seconds(point):.1f} s"
            f" each{', ' if note else ''}{note}"
        )
    console.print("\nOrder of the forks:")
    for place, task in enumerate(tasks):
        console.print(f"{place:5} block {task.block} {task.point}")
    there = len(tasks) - len(planned._replace(folder=folder).missing())
    learnt = "learnt from earlier forks" if costs.shot_s else "a guess"
    total = cost.format_duration(costs.total_seconds(points) * planned.sessions)
    console.print(
        f"\n{folder.name}: {pluralize(len(points), 'point')}, {pluralize(len(tasks), 'fork')}"
        f" ({there} there already), about {total} in all"
        f" ({learnt}), {costs.measured_share(points):.0%} of it inside measured shots. Nothing"
        " was measured."
    )
    return COMPLETE
