"""The measuring loop: every missing fork once, in randomised complete blocks, one after another."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

from handoff.run import cost, fork, jdk, store
from handoff.run.forkfile import write_once
from handoff.run.points import Point
from handoff.run.store import Run


def in_order(run: Run) -> list[tuple[int, int, Point, int]]:
    """(order, block, point, fork) as planned for all: block b holds fork b of every point that has one, shuffled by seed and b."""
    ordered: list[tuple[int, int, Point, int]] = []
    for block in range(max((point.forks for point in run.points), default=0)):
        members = [point for point in run.points if block < point.forks]
        random.Random(f"{run.sweep.seed} {block}").shuffle(members)
        ordered += [(len(ordered) + place, block, point, block) for place, point in enumerate(members)]
    return ordered


class Progress:
    """progress.json in the run's folder, rewritten at most once a second: what the command line draws."""

    def __init__(self, run: Run, tasks: list) -> None:
        self.file = run.folder / "progress.json"
        self.total, self.done, self.failed = len(tasks), 0, 0
        self.left = sum(cost.fork_seconds(point) for _, _, point, _ in tasks)
        self.spent, self.expected, self.written = 0.0, 0.0, 0.0

    def starts(self, point: Point) -> None:
        self.write(str(point), force=self.done + self.failed == 0)

    def ended(self, point: Point, seconds: float, wrong: str) -> None:
        self.spent, self.expected = self.spent + seconds, self.expected + cost.fork_seconds(point)
        self.left -= cost.fork_seconds(point)
        self.failed, self.done = self.failed + bool(wrong), self.done + (not wrong)
        self.write(wrong or str(point), force=bool(wrong) or self.done + self.failed == self.total)

    def write(self, now: str, force: bool) -> None:
        if force or time.monotonic() - self.written >= 1:
            pace = self.spent / self.expected if self.expected else 1
            state = {"pid": os.getpid(), "total": self.total, "done": self.done, "failed": self.failed, "now": now}
            write_once(self.file, state | {"left_s": round(self.left * pace)})
            self.written = time.monotonic()


def measure(run: Run) -> Iterator[tuple[Point, int, str]]:
    """Measures what is missing and yields (point, fork, what was wrong or '') as forks end. An interrupt costs the fork under way.

    BadInput when forks are missing and this is not the run's machine, jar or JDK.
    """
    tasks = [task for task in in_order(run) if not run.fork_path(task[2], task[3]).is_file()]
    if not tasks:
        return
    java = jdk.find()
    store.refuse_elsewhere(run, java)
    progress = Progress(run, tasks)
    try:
        for order, block, point, number in tasks:
            progress.starts(point)
            began = time.monotonic()
            identity = {"run": store.hexed(run.identity), "fork": number, "block": block, "order": order, "machine": run.machine["id"]}
            content, log, wrong = fork.measure(java, run.sweep.jvm, point, identity, cost.limit_seconds(point))
            keep(run.fork_path(point, number), run.folder / "failed", content, log, wrong)
            progress.ended(point, time.monotonic() - began, wrong)
            yield point, number, wrong
    finally:
        progress.file.unlink(missing_ok=True)


def keep(path: Path, failed: Path, content: dict | None, log: str, wrong: str) -> None:
    """An accepted fork goes to forks/ and its old failure away; any other leaves reason and log in failed/."""
    note = failed / f"{path.stem}.txt"
    if content is not None:
        write_once(path, content)
        note.unlink(missing_ok=True)
    else:
        failed.mkdir(exist_ok=True)
        note.write_text(f"{wrong}\n\n{log}")
