"""`--dry-run`: what would be measured and what it would cost, with `--points` in full."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handoff.claims.run_judging import list_answers
from handoff.cli import measuring
from handoff.cli.answers import DryRunAnswer
from handoff.cli.request import RunRequest
from handoff.errors import COMPLETE
from handoff.run import cost, extension, order, planning
from handoff.run.host.shape import parse_shape, write_tree
from handoff.run.java import jdk
from handoff.run.plan import selection
from handoff.run.plan.points import Point
from handoff.run.planning import LocalPlanner
from handoff.run.store import session
from handoff.run.store.run import Run, read_run
from handoff.run.store.state import Task
from handoff.text import console, pluralize


def print_dry_run(planned: Run, request: RunRequest) -> int:
    """Print what would be measured of the run of `plan_dry_run`."""
    tasks = order.plan_order(planned)
    costs = cost.CostModel(request.runs, planned.machine["id"])
    measured = len(tasks) - len(planned.missing())
    seconds = sum(costs.fork_seconds(task.point) for task in tasks)
    known = any(point.name in costs.known for point in planned.points)
    basis = "from earlier forks" if known else "a guess"
    console.print(
        f"{planned.folder.name}: {pluralize(len(planned.points), 'point')},"
        f" {pluralize(len(tasks), 'fork')} ({measured} measured), about"
        f" {cost.format_duration(seconds)} in all ({basis}). Nothing was measured."
    )
    print_studies(planned, costs)
    for sentence in list_answers(planned):
        console.print(f"  {sentence}")
    if request.points:
        print_points(planned, tasks, costs)
    return DryRunAnswer(
        exit=COMPLETE,
        run=planned.folder.name,
        points=len(planned.points),
        forks=len(tasks),
        found=measured,
        seconds=round(seconds),
    ).end(request.json)


@contextmanager
def open_planner(request: RunRequest, java: jdk.Jdk) -> Iterator[LocalPlanner]:
    """Yield the planner of this machine, or of the one that the user describes."""
    if not request.machine:
        yield LocalPlanner(java)
    elif Path(request.machine, "sys").is_dir():
        yield LocalPlanner(java, Path(request.machine).resolve())
    else:
        shape = parse_shape(request.machine)
        with tempfile.TemporaryDirectory(prefix="handoff-machine-") as folder:
            write_tree(shape, Path(folder))
            yield LocalPlanner(java, Path(folder))


def plan_dry_run(asked: selection.SweepRequest, request: RunRequest, java: jdk.Jdk) -> Run:
    """Return the run as it is or would be, and write nothing; its folder may not exist.

    A run that has started has its own plan; before that, work in words such as NS_2225 is guessed.
    """
    with open_planner(request, java) as planner:
        run = find_run(asked, request, planner)
        if asked.base and not run.points and not request.machine:
            base = find_run(selection.select_sweep(asked.base, [], []), request, planner)
            if base.points:
                added = extension.plan_addition(base, asked, java)
                run = extension.plan_extended(base, asked, added) if added else base
        if not run.points:
            run = run._replace(points=planner.preview(asked))
    if request.session:
        sessions = session.count_next(run, measuring.count_missing(run))
        run = run._replace(identity=run.identity | {"sessions": sessions})
    return run


def find_run(asked: selection.SweepRequest, request: RunRequest, planner: LocalPlanner) -> Run:
    """Return the sweep's run, without points where it does not exist."""
    run = planning.identify_run(asked, planner)
    folder = planning.find_folder(run, request.runs)
    return read_run(folder) if (folder / "plan.json").is_file() else run._replace(folder=folder)


def print_studies(planned: Run, costs: cost.CostModel) -> None:
    """Print points, forks and time of each study."""
    for study in dict.fromkeys(point.study for point in planned.points):
        points = [point for point in planned.points if point.study == study]
        forks = sum(planned.count_forks(point) for point in points)
        seconds = sum(costs.fork_seconds(p) * planned.count_forks(p) for p in points)
        parts = [pluralize(len(points), "point"), pluralize(forks, "fork")]
        parts.append(cost.format_duration(seconds))
        if shared := sum(point.oversubscribed for point in points):
            parts.append(f"{shared} oversubscribed")
        if left_out := sum(point.unavailable is not None for point in points):
            parts.append(f"{left_out} left out here")
        console.print(f"  {study:11}{', '.join(parts)}")


def describe_places(point: Point) -> str:
    """Return 'CPUs: producer 0, consumer-1 2'; '' where no thread is pinned."""
    places = [f"{slot.role} {slot.cpu}" for slot in point.threads if slot.cpu is not None]
    return f"CPUs: {', '.join(places)}" if places else ""


def print_points(planned: Run, tasks: list[Task], costs: cost.CostModel) -> None:
    console.print("\nPoints:")
    for point in planned.points:
        parts = [pluralize(planned.count_forks(point), "fork")]
        parts.append(f"{costs.fork_seconds(point):.1f} s each")
        parts.append(point.unavailable or ("oversubscribed" if point.oversubscribed else ""))
        parts.append(describe_places(point))
        console.print(f"{point}: {', '.join(filter(None, parts))}")
    console.print("\nOrder of the forks:")
    for place, task in enumerate(tasks):
        console.print(f"{place:5} block {task.block} {task.point}")
