"""The driver's side: one block at a time per node, and what comes back is kept as its own."""

import json
import math
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from handoff.cluster import node
from handoff.cluster.nodes import LOOK_S, Node, Nodes, take_answer
from handoff.files import write_text
from handoff.run import order, runner
from handoff.run.cost import format_duration, make_costs
from handoff.run.fork import Outcome
from handoff.run.host import lock
from handoff.run.host.kernel_settings import Finding
from handoff.run.host.machine import adopt, list_unlike
from handoff.run.java.jdk import Jdk
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.store import state
from handoff.run.store.forkfile import CorruptFork, parse_fork
from handoff.run.store.identity import HOST, compute_identity
from handoff.run.store.provenance import Start
from handoff.run.store.run import Run
from handoff.run.store.state import Task, require_fork_of
from handoff.text import console, pluralize

if TYPE_CHECKING:
    from distributed import Future

MAX_LOSSES = 3
"""A block that lost its node this many times is given up."""

COPIED = ("plan.json", "machine.json", "sweep.yml")


class NodePlanner(NamedTuple):
    """The planner on the first node, whose kind becomes the run's; `known` are earlier machines."""

    nodes: Nodes
    known: list[dict]

    def identify(self, asked: SweepRequest) -> tuple[dict, dict[str, str]]:
        first = self.nodes.find_first().description
        machine = adopt(first["machine"], self.known)
        java = Jdk(Path("java"), first["feature"], first["jdk"])
        return machine, compute_identity(asked.sweep, machine, java)

    def plan(self, asked: SweepRequest) -> tuple[list[Point], Amounts]:
        words = asked.profile, asked.source, asked.text
        answer = self.nodes.ask(self.nodes.find_first().address, node.plan_points, *words)
        return [Point.model_validate(point) for point in answer["points"]], answer["amounts"]


def measure_blocks(run: Run, nodes: Nodes, command: str, deadline: float = math.inf) -> None:
    """Measure what is missing, block by block.

    After the first block, none starts that would end after `deadline`.
    """
    with runner.explain_write_errors(run), lock.hold_run(run.folder):
        runner.remove_partial_files(run)
        Blocks(run, nodes, command, deadline).measure()


class Blocks:
    """The blocks that wait, and the blocks that nodes measure."""

    def __init__(self, run: Run, nodes: Nodes, command: str, deadline: float) -> None:
        self.run, self.nodes, self.command, self.deadline = run, nodes, command, deadline
        self.tasks: dict[int, list[Task]] = {}
        for task in order.list_unmeasured(run, state.scan_run(run, move=True)):
            self.tasks.setdefault(task.block, []).append(task)
        costs = make_costs(run)
        self.seconds = {
            block: sum(costs.fork_seconds(task.point) for task in tasks)
            for block, tasks in self.tasks.items()
        }
        self.waiting = list(self.tasks)
        self.flying: dict[Future, tuple[Node, int]] = {}
        self.losses: Counter[int] = Counter()
        self.ready: dict[str, list[Finding]] = {}
        self.done = self.failed = 0

    def measure(self) -> None:
        if not self.waiting:
            return
        start = Start(self.run, self.command, [])
        try:
            while self.waiting or self.flying:
                present = self.nodes.list_present()
                self.give_blocks(present)
                self.take_back({each.address for each in present})
                time.sleep(LOOK_S)
        finally:
            for future in self.flying:
                future.cancel()
            findings = [finding for name in sorted(self.ready) for finding in self.ready[name]]
            start.close(self.done, self.failed, findings)

    def give_blocks(self, present: list[Node]) -> None:
        """Start a block on every free node of the run's kind."""
        busy = {each.address for each, _ in self.flying.values()}
        for each in present:
            if each.address in busy or not self.waiting:
                continue
            if unlike := list_unlike(self.run.machine, each.description["machine"]):
                each.refuse(f"its {'; its '.join(unlike)}")
                continue
            started = len(self.waiting) < len(self.tasks)
            if started and time.time() + self.seconds[self.waiting[0]] > self.deadline:
                self.waiting.clear()
                return
            block = self.waiting.pop(0)
            identity = json.dumps(self.run.identity | {HOST: each.name})
            files = {name: (self.run.folder / name).read_text() for name in COPIED}
            names = [task.point.fork_name(task.number) for task in self.tasks[block]]
            words = self.run.folder.name, files | {"run.json": identity}, names, self.command
            future = self.nodes.submit(each.address, node.measure_block, *words)
            self.flying[future] = each, block

    def take_back(self, present: set[str]) -> None:
        """Keep what blocks that ended returned; those of lost or refusing nodes wait again."""
        for future, (each, block) in list(self.flying.items()):
            if not future.done():
                if each.address in present:
                    continue
                future.cancel()
            del self.flying[future]
            kind, answer = take_answer(future)
            if kind == node.VALUE:
                self.keep(block, each, answer)
                self.report(f"node {each.name} measured block {block}")
                continue
            self.waiting.insert(0, block)
            if kind == node.LOST:
                again = self.count_loss(block)
                self.report(f"node {each.name} was lost with block {block}: {again}")
            else:
                each.refuse(answer)

    def count_loss(self, block: int) -> str:
        """Return what happens to a block whose node was lost."""
        self.losses[block] += 1
        if self.losses[block] < MAX_LOSSES:
            return "another node measures it again"
        self.waiting.remove(block)
        self.failed += len(self.tasks[block])
        return f"it was lost {MAX_LOSSES} times, and is left out; the same command tries again"

    def keep(self, block: int, each: Node, answer: Mapping[str, Any]) -> None:
        """Store a block's forks and failures; what does not belong to the run has failed."""
        tasks = {task.point.fork_name(task.number): task for task in self.tasks[block]}
        for place, text in answer["files"].items():
            folder, _, file = place.partition("/")
            name, _, rest = file.partition(".")
            task = tasks[name]
            if folder == "forks":
                try:
                    self.require_own(task, text, file, each.name)
                except CorruptFork as why:
                    wrong = f"its node sent a fork that does not belong to this run: {why}"
                    outcome = Outcome("failed", None, "", wrong)
                else:
                    write_text(self.run.folder / place, text)
                    self.done += not rest.startswith("again")
                    continue
            else:
                wrong, _, log = text.partition("\n\n")
                outcome = Outcome(folder, None, log, wrong)
            runner.store_outcome(self.run, task, outcome)
            self.failed += 1
        ready = [Finding(**finding) for finding in json.loads(answer["start"])["ready"]]
        self.ready[each.name] = [
            finding._replace(sentence=f"{each.name}: {finding.sentence}") for finding in ready
        ]
        self.seconds.pop(block)

    def require_own(self, task: Task, text: str, file: str, host: str) -> None:
        """Raise CorruptFork unless the text is this fork, measured by this node."""
        fork = parse_fork(text.encode(), file)
        require_fork_of(self.run, task.point, task.number, fork.again, fork)
        if (fork.host, fork.block) != (host, task.block):
            raise CorruptFork("it belongs to another node or block")

    def report(self, sentence: str) -> None:
        """Print what happened, the blocks left, the nodes in use and the time left."""
        left, busy = len(self.waiting) + len(self.flying), max(1, len(self.flying))
        time_left = format_duration(sum(self.seconds.values()) / busy)
        console.print(
            f"  {sentence.rstrip('.')}; {pluralize(left, 'block')} left,"
            f" {pluralize(len(self.flying), 'node')} busy, about {time_left}."
        )
