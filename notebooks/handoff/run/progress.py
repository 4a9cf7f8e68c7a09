"""The progress of a run in its file progress.json, which the command line shows."""

import contextlib
import math
import os
import time
from collections.abc import Callable

from handoff.catalog import load_catalog
from handoff.files import write_json
from handoff.run.cost import CostModel
from handoff.run.fork import Outcome
from handoff.run.plan.points import Point
from handoff.run.store.run import Run


def make_label(points: list[Point]) -> Callable[[Point], str]:
    """Return a function that describes one of these points, with what varies first."""
    seen: dict[tuple[str, str], set[str]] = {}
    for point in points:
        for name, value in point.params.items():
            seen.setdefault((point.study, name), set()).add(value)
    studies = {point.study for point in points}

    def label(point: Point) -> str:
        varied = [name for name in point.params if len(seen[point.study, name]) > 1]
        relevant = load_catalog()[point.study].mechanisms[point.params["mechanism"]]
        parts = [f"{name}={point.params[name]}" for name in varied if name in relevant]
        parts.append(point.params["mechanism"])
        return " ".join(parts + ([point.study] if len(studies) > 1 else []))

    return label


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
