"""The measuring loop: every missing fork in its order, then disturbed ones once more."""

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run.assignment import Assignment
from handoff.run.cost import CostModel
from handoff.run.fork import Job, Outcome
from handoff.run.nodes import HERE, NodeBusy, NodeLost, Nodes, ThisMachine
from handoff.run.order import list_pending, place_origins
from handoff.run.progress import ProgressFile
from handoff.run.store import state
from handoff.run.store.forks import quarantine_file
from handoff.run.store.identity import hash_setup
from handoff.run.store.provenance import Start
from handoff.run.store.run import Run, read_run
from handoff.run.store.state import Origin, RunState, Task

MAX_LOSSES = 2
"""A fork that lost its node this many times has failed."""


def measure_run(
    run: Run,
    command: str = "01_measure",
    nodes: Nodes | None = None,
    deadline: float = math.inf,
    choose: Callable[[Run, RunState], list[Task]] = list_pending,
) -> Iterator[tuple[Task, Outcome]]:
    """Measure what is missing, on this machine or on `nodes`, and yield each fork as it ends.

    `choose` selects among the missing forks. No fork starts that would end after `deadline`, in
    seconds since the epoch. An interrupt, a kill or a full disk costs only the forks under way.
    Raise Busy if another runner is active, and BadInput if machine, jar, JDK or sweep are not the
    run's, or change meanwhile, or if the folder is not writable.
    """
    nodes = nodes or ThisMachine()
    with explain_write_errors(run), nodes.hold(run):
        # Another runner may have extended the run meanwhile.
        run = read_run(run.folder)
        remove_partial_files(run)
        scan = state.scan_run(run, move=True)
        if not choose(run, scan):
            return
        nodes.prepare(run, len(list_pending(run, scan)))
        loop = Loop(run, nodes, deadline, scan)
        start = Start(run, command, nodes.list_findings())
        tried: set[str] = set()
        try:
            while tasks := [task for task in choose(run, scan) if task.name not in tried]:
                tried.update(task.name for task in tasks)
                yield from loop.measure(tasks)
                # Which forks ran disturbed is known only after all of them.
                scan = state.scan_run(run, move=True)
        finally:
            loop.progress.close()
            start.close(loop.progress.done, loop.progress.failed, nodes.list_findings())


class Loop:
    """Give each node its forks, store what comes back, and take back what a lost node held."""

    def __init__(self, run: Run, nodes: Nodes, deadline: float, scan: RunState) -> None:
        self.run, self.nodes, self.deadline, self.order = run, nodes, deadline, scan.ended
        self.progress = ProgressFile(run, CostModel(run.folder.parent, run.machine["id"]), deadline)
        self.assignment, self.origins = Assignment([], {}), place_origins(run, scan.origins)
        self.flying: dict[Future[Outcome], tuple[str, Task]] = {}
        self.losses: Counter[str] = Counter()
        self.tries = scan.tries
        self.absent_since: dict[str, float] = {}

    def measure(self, tasks: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Submit, store and yield these forks."""
        self.assignment = Assignment(tasks, self.origins)
        self.progress.add([task.point for task in tasks], sum(task.again > 0 for task in tasks))
        try:
            while self.assignment or self.flying:
                self.submit_next()
                for future in self.wait_for_any():
                    node, task = self.flying.pop(future)
                    outcome = self.read_outcome(future, node, task)
                    if outcome is None:
                        continue
                    self.nodes.check()
                    store_outcome(self.run, task, outcome)
                    if outcome.content:
                        self.origins[task.point.key, task.number] = Origin(node, task.block)
                    self.progress.ended(task.point, outcome)
                    yield task, outcome
        finally:
            # The lock is released only when no fork is running.
            wait([future for future in self.flying if not future.cancel()])

    def submit_next(self) -> None:
        """Start a fork on every free node."""
        present, busy = self.nodes.list_names(), {node for node, _ in self.flying.values()}
        self.progress.tell_nodes(0 if present == [HERE] else len(present), self.nodes.refusals)
        now, absent = time.monotonic(), self.assignment.list_absent(present)
        self.absent_since = {node: self.absent_since.get(node, now) for node in absent}
        if not present and time.time() > self.deadline:
            self.assignment.shares.clear()
        for node in [node for node in present if node not in busy]:
            task = self.assignment.take(node)
            if task is None:
                self.replace_absent()
                continue
            if time.time() + self.progress.costs.fork_seconds(task.point) > self.deadline:
                self.assignment.shares.clear()
                return
            self.nodes.check()
            self.progress.starts(task.point)
            state.mark_begun(self.run, task)
            self.flying[self.nodes.submit(node, self.make_job(task, node))] = node, task
            self.order += 1

    def wait_for_any(self) -> set[Future[Outcome]]:
        """Return the finished forks; none after a poll, if nodes may come and go."""
        if self.flying:
            return wait(self.flying, self.nodes.poll_s, FIRST_COMPLETED).done
        if self.assignment:
            time.sleep(self.nodes.poll_s or 0)
        return set()

    def read_outcome(self, future: Future[Outcome], node: str, task: Task) -> Outcome | None:
        """Return how a fork ended, or None if it will be measured once more."""
        try:
            return future.result()
        except NodeLost as lost:
            if not isinstance(lost, NodeBusy):
                self.losses[task.name] += 1
            if self.losses[task.name] >= MAX_LOSSES:
                return Outcome("failed", None, "", f"{MAX_LOSSES} times {lost}")
            self.assignment.give_back(task, node)
            return None

    def replace_absent(self) -> None:
        """Give away the blocks of nodes long gone, or drop them if all forks failed before."""
        for node, since in self.absent_since.items():
            if time.monotonic() - since < self.nodes.patience_s:
                continue
            for block, waiting in self.assignment.drop_owner(node).items():
                if all(self.tries[task.name] for task in waiting):
                    continue
                done = self.list_done(node, block)
                abandon_forks(self.run, done)
                self.assignment.add_block(block, done + waiting)
                self.progress.add([task.point for task in done])

    def list_done(self, node: str, block: int) -> list[Task]:
        """Return the forks of a block that a node has measured, and forget their origin."""
        done = [
            Task(block, point, number)
            for point, number in self.run.tasks()
            if self.origins.get((point.key, number)) == (node, block)
        ]
        for task in done:
            del self.origins[task.point.key, task.number]
        return done

    def make_job(self, task: Task, node: str) -> Job:
        identity = {
            "setup": hash_setup(self.run.identity, task.point.arm),
            "fork": task.number,
            "again": task.again,
            "block": task.block,
            "order": self.order,
            "machine": self.run.machine["id"],
            **({"host": node} if node != HERE else {}),
            **({"arm": task.point.arm} if task.point.arm else {}),
        }
        limit = self.progress.costs.limit_seconds(task.point)
        return Job(self.run.sweep.make_jvm(task.point.arm), task.point, identity, limit)


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
    (run.folder / "interrupted" / f"{task.name}.json").unlink(missing_ok=True)


def abandon_forks(run: Run, tasks: list[Task]) -> None:
    """Set aside forks of a block that is measured again: kept, but not pooled."""
    for task in tasks:
        for path in sorted((run.folder / "forks").glob(f"{task.name}.*json")):
            quarantine_file(path, run.folder / "abandoned")


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
