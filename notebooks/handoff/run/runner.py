"""The measuring loop: every missing fork in its order, then disturbed ones once more."""

import contextlib
import math
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run import fork, planning
from handoff.run.cost import CostModel, make_costs
from handoff.run.fork import Job, Outcome
from handoff.run.host import lock, readiness
from handoff.run.java import arms, jdk
from handoff.run.order import list_pending
from handoff.run.plan.points import Point, make_label
from handoff.run.store import state
from handoff.run.store.identity import HOST, hash_setup, make_change_check
from handoff.run.store.provenance import Start
from handoff.run.store.run import Run, read_run
from handoff.run.store.state import RunState, Task


def measure_run(
    run: Run,
    command: str = "01_measure",
    deadline: float = math.inf,
    at_least: int = 0,
    choose: Callable[[Run, RunState], list[Task]] = list_pending,
) -> Iterator[tuple[Task, Outcome]]:
    """Measure what is missing on this machine, and yield each fork as it ends.

    `choose` selects among the missing forks. After the first `at_least`, no fork starts that would
    end after `deadline`, in seconds since the epoch. An interrupt, a kill or a full disk costs only
    the fork under way. Raise Busy if another runner is active, and BadInput if machine, jar, JDK or
    sweep are not the run's, or change meanwhile, or if the folder is not writable.
    """
    machine = lock.hold_lock(f"measuring {run.folder.name}")
    with explain_write_errors(run), machine, lock.hold_run(run.folder):
        # Another runner may have extended the run meanwhile.
        run = read_run(run.folder)
        remove_partial_files(run)
        scan = state.scan_run(run, move=True)
        if not choose(run, scan):
            return
        loop = Loop(run, command, deadline, at_least, scan.ended)
        tried: set[str] = set()
        try:
            while tasks := [task for task in choose(run, scan) if task.name not in tried]:
                tried.update(task.name for task in tasks)
                yield from loop.measure(tasks)
                # Which forks ran disturbed is known only after all of them.
                scan = state.scan_run(run, move=True)
        finally:
            loop.close()


class Loop:
    """The set-up that the forks of one start share; `place` is the next one's in the order."""

    def __init__(self, run: Run, command: str, deadline: float, at_least: int, place: int) -> None:
        ambient = jdk.find_jdk()
        planning.require_same_setup(run, ambient)
        self.run, self.deadline, self.at_least, self.place = run, deadline, at_least, place
        self.javas = arms.resolve_arms(run.sweep, ambient)
        self.require_unchanged = make_change_check(self.javas.values())
        self.costs = make_costs(run)
        self.progress = ProgressFile(run, self.costs, deadline)
        self.start = Start(run, command, readiness.list_findings(run.sweep))

    def measure(self, tasks: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Measure, store and yield these forks, until one must not start."""
        progress = self.progress
        progress.add([task.point for task in tasks], sum(task.again > 0 for task in tasks))
        for task in tasks:
            if not self.may_start(task.point):
                return
            progress.write(task.point)
            limit = self.costs.limit_seconds(task.point)
            job = make_job(self.run, task, self.place, limit)
            outcome = fork.measure_fork(self.javas[task.point.arm], job)
            self.place += 1
            self.require_unchanged()
            store_outcome(self.run, task, outcome)
            progress.ended(task.point, outcome)
            yield task, outcome

    def may_start(self, point: Point) -> bool:
        """Return whether a fork is one of the first, or would end before the deadline."""
        if self.progress.done + self.progress.failed < self.at_least or self.ends_in_time(point):
            return True
        # The forks of this start may say that it takes less.
        self.costs = make_costs(self.run)
        return self.ends_in_time(point)

    def ends_in_time(self, point: Point) -> bool:
        return time.time() + self.costs.fork_seconds(point) <= self.deadline

    def close(self) -> None:
        self.progress.close()
        findings = readiness.list_findings(self.run.sweep)
        self.start.close(self.progress.done, self.progress.failed, findings)


class ProgressFile:
    """The numbers of forks and the seconds left, from the cost model and the pace so far.

    After `deadline`, in seconds since the epoch, no fork starts.
    """

    def __init__(self, run: Run, costs: CostModel, deadline: float = math.inf) -> None:
        self.file, self.costs, self.deadline = run.folder / "progress.json", costs, deadline
        self.label = make_label(run.points)
        self.total, self.done, self.failed, self.again = 0, 0, 0, 0
        self.left, self.expected, self.started = 0.0, 0.0, time.monotonic()

    def add(self, points: list[Point], again: int = 0) -> None:
        """Add a fork to do for each point, `again` of them repetitions of disturbed forks."""
        self.again += again
        self.total += len(points)
        self.left += sum(map(self.costs.fork_seconds, points))

    def ended(self, point: Point, outcome: Outcome) -> None:
        seconds = self.costs.fork_seconds(point)
        self.expected += seconds
        self.left -= seconds
        self.failed, self.done = self.failed + bool(outcome.wrong), self.done + (not outcome.wrong)

    def write(self, point: Point) -> None:
        """Write the progress, with the point of the fork that starts."""
        spent = time.monotonic() - self.started
        left = self.left * (spent / self.expected if self.expected else 1)
        budget = max(0.0, self.deadline - time.time())
        state = {
            "pid": os.getpid(),
            "parent": os.getppid(),
            "total": self.total,
            "done": self.done,
            "failed": self.failed,
            "again": self.again,
            "now": self.label(point),
            "left_s": round(min(left, budget)),
            "cut": budget < left,
        }
        # A full disk must stop the forks, whose results matter, not the progress bar.
        with contextlib.suppress(OSError):
            write_json(self.file, state)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)


def make_job(run: Run, task: Task, place: int, limit_s: float) -> Job:
    """Return the fork to measure, at its place in the order of execution."""
    identity = {
        "setup": hash_setup(run.identity, task.point.arm),
        "fork": task.number,
        "again": task.again,
        "block": task.block,
        "order": place,
        "machine": run.machine["id"],
        **({HOST: run.identity[HOST]} if HOST in run.identity else {}),
        **({"arm": task.point.arm} if task.point.arm else {}),
    }
    return Job(run.sweep.make_jvm(task.point.arm), task.point, identity, limit_s)


def store_outcome(run: Run, task: Task, outcome: Outcome) -> None:
    """Write an accepted fork to forks/, any other with reason and log to its state's folder."""
    folder = run.folder / outcome.state
    folder.mkdir(exist_ok=True)
    if outcome.content:
        write_json(folder / f"{task.name}.json", outcome.content)
    else:
        folders = (*state.FAILURE_FOLDERS, "failed/earlier")
        tries = [n for name in folders for n in (run.folder / name).glob(f"{task.name}.[0-9]*.txt")]
        note = folder / f"{task.name}.{len(tries) + 1}.txt"
        note.write_text(f"{outcome.wrong}\n\n{outcome.log}")


def remove_partial_files(run: Run) -> None:
    """Remove half-written files of a killed runner; the run's lock is held."""
    for folder in (run.folder, run.folder / "forks"):
        for path in folder.glob("*.tmp"):
            path.unlink()


@contextlib.contextmanager
def explain_write_errors(run: Run) -> Iterator[None]:
    """Turn an error of the file system into BadInput with one sentence."""
    try:
        yield
    except OSError as error:
        place = f" ({Path(error.filename).name})" if error.filename else ""
        raise BadInput(
            f"{run.folder.name}: {error.strerror}{place}. Finished forks are kept; fix this, and"
            " repeat the command to continue."
        ) from None
