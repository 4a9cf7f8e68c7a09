"""The measuring loop: every missing fork once, in randomised complete blocks; then those that ran
disturbed, again.
"""

import math
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait

from handoff.run.assignment import Assignment
from handoff.run.cost import CostModel
from handoff.run.fork import Job, Outcome
from handoff.run.nodes import HERE, NodeBusy, NodeLost, Nodes, ThisMachine
from handoff.run.order import list_pending
from handoff.run.progress import ProgressFile
from handoff.run.results import (
    abandon_forks,
    explain_write_errors,
    remove_partial_files,
    store_outcome,
)
from handoff.run.store import state
from handoff.run.store.identity import hash_setup
from handoff.run.store.provenance import Start
from handoff.run.store.run import Run
from handoff.run.store.state import Origin, RunState, Task

MAX_LOSSES = 2
"""A fork during which its node was lost so often has failed."""


def measure_run(
    run: Run,
    command: str = "01_measure",
    nodes: Nodes | None = None,
    deadline: float = math.inf,
) -> Iterator[tuple[Task, Outcome]]:
    """Measures what is to do, on this machine or on those `nodes`, and yields each fork as it ends.

    An interrupt, a kill or a full disk costs the forks under way. None begins that would not end
    before `deadline`, in seconds since the epoch. Busy when another runner is active; BadInput when
    this is not the run's machine, jar, JDK or sweep, when one of them changes meanwhile, and when
    the folder cannot be written.
    """
    nodes = nodes or ThisMachine()
    with explain_write_errors(run), nodes.hold(run):
        remove_partial_files(run)
        found = state.scan_run(run, move=True)
        pending = list_pending(run, found)
        if not pending:
            return
        nodes.begin(run, len(pending))
        loop = Loop(run, nodes, deadline, found)
        start = Start(run, command, nodes.list_findings())
        begun: set[str] = set()
        try:
            while tasks := [task for task in list_pending(run, found) if task.name not in begun]:
                begun.update(task.name for task in tasks)
                yield from loop.measure(tasks)
                # Now that all are there, those that ran disturbed are known.
                found = state.scan_run(run, move=True)
        finally:
            loop.progress.close()
            start.close(loop.progress.done, loop.progress.failed, nodes.list_findings())


class Loop:
    """Gives nodes their forks, keeps what comes back, and takes back what a lost node held."""

    def __init__(self, run: Run, nodes: Nodes, deadline: float, found: RunState) -> None:
        self.run, self.nodes, self.deadline, self.order = run, nodes, deadline, found.ended
        self.progress = ProgressFile(run, CostModel(run.folder.parent, run.machine["id"]))
        self.assignment, self.origins = Assignment([], {}), dict(found.origins)
        self.flying: dict[Future[Outcome], tuple[str, Task]] = {}
        self.losses: Counter[str] = Counter()
        self.tries = found.tries
        self.seen: dict[str, float] = {}

    def measure(self, tasks: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Submits, keeps and yields these forks."""
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
            # The machine's lock is given back only when nothing measures any more.
            wait([future for future in self.flying if not future.cancel()])

    def submit_next(self) -> None:
        """A fork for every node that has none."""
        there, busy = self.nodes.list_names(), {node for node, _ in self.flying.values()}
        self.progress.tell_nodes(0 if there == [HERE] else len(there), self.nodes.refusals)
        self.note_absent(there)
        if not there and time.time() > self.deadline:
            self.assignment.clear()
        free = [node for node in there if node not in busy]
        for node in free:
            task = self.assignment.take(node)
            if task is None:
                self.replace_absent()
                continue
            if time.time() + self.progress.costs.fork_seconds(task.point) > self.deadline:
                self.assignment.clear()
                return
            self.nodes.check()
            self.progress.starts(task.point)
            state.mark_begun(self.run, task)
            self.flying[self.nodes.submit(node, self.make_job(task, node))] = node, task
            self.order += 1

    def wait_for_any(self) -> set[Future[Outcome]]:
        """The forks that have ended; perhaps none, where nodes come and go."""
        if self.flying:
            return wait(self.flying, self.nodes.poll_s, FIRST_COMPLETED).done
        if self.assignment:
            time.sleep(self.nodes.poll_s or 0)
        return set()

    def read_outcome(self, future: Future[Outcome], node: str, task: Task) -> Outcome | None:
        """How a fork ended; None when its node is to measure it once more."""
        try:
            return future.result()
        except NodeBusy:
            self.assignment.give_back(task, node)
            return None
        except NodeLost as lost:
            self.losses[task.name] += 1
            if self.losses[task.name] >= MAX_LOSSES:
                return Outcome("failed", None, "", f"{MAX_LOSSES} times {lost}")
            self.assignment.give_back(task, node)
            return None

    def note_absent(self, there: list[str]) -> None:
        """Since when those are gone that something waits for."""
        now, absent = time.monotonic(), self.assignment.list_absent(there)
        self.seen = {node: self.seen.get(node, now) for node in absent}

    def replace_absent(self) -> None:
        """Where a node has nothing to do, the blocks of those that have been gone for long are
        measured anew; not for forks that were tried before, and failed.
        """
        for node, since in self.seen.items():
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
        """The forks of a block that a node has measured, which are forgotten here."""
        own = {key for key, origin in self.origins.items() if origin == (node, block)}
        for key in own:
            del self.origins[key]
        return [
            Task(block, point, number)
            for point, number in self.run.tasks()
            if (point.key, number) in own
        ]

    def make_job(self, task: Task, node: str) -> Job:
        identity = {
            "setup": hash_setup(self.run.identity),
            "fork": task.number,
            "again": task.again,
            "block": task.block,
            "order": self.order,
            "machine": self.run.machine["id"],
        } | ({"host": node} if node != HERE else {})
        limit = self.progress.costs.limit_seconds(task.point)
        return Job(self.run.sweep.jvm, task.point, identity, limit)
