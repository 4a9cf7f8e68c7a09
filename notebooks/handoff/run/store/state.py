"""What a run's folder holds, fork by fork.

The folders are the states; there is no ledger beside them.

forks/x.json            done; x.again1.json: measured again because x ran disturbed
failed/x.1.txt          failed, first try, with JMH's log; timed-out/ likewise
interrupted/x.json      begun and not ended: under way while a runner is active, else interrupted
quarantine/x.1.json     was in forks/ and must not be read as data
abandoned/x.1.json      whole, of a block whose node is gone: the block was measured anew elsewhere
"""

import json
from collections import Counter
from typing import NamedTuple

from handoff.run.plan.points import Point
from handoff.run.store.disturbance import Assessment
from handoff.run.store.forks import quarantine_file, read_forks
from handoff.run.store.run import Run
from handoff.text import pluralize

MAX_TRIES = 2
"""A fork that failed is tried once more at the next start, then left."""

FAILURE_FOLDERS = ("failed", "timed-out")


class Task(NamedTuple):
    """One fork to measure: the `again`-th repetition of fork `number` of a point, in its block."""

    block: int
    point: Point
    number: int
    again: int = 0

    @property
    def name(self) -> str:
        """What its files are called, whatever its state."""
        return self.point.fork_name(self.number, self.again)


class Origin(NamedTuple):
    """Where a fork that is there comes from: its host, '' without a cluster, and its block."""

    host: str
    block: int


class RunState(NamedTuple):
    """`measured`: for each fork that is there (point's key, number), whether its measurement
    `again` was disturbed. `origins`: where the last measurement of each comes from.

    `tries`: how often each name failed or ran out of time. `interrupted`: names. `corrupt`: what
    was set aside now, a sentence each. `ended`: the next place in the order of execution.
    """

    measured: dict[tuple[str, int], dict[int, bool]]
    tries: Counter[str]
    interrupted: list[str]
    corrupt: list[str]
    ended: int
    origins: dict[tuple[str, int], Origin]


def scan_run(run: Run, move: bool = False) -> RunState:
    """Reads every fork file; what must not be read as data is named, and goes to quarantine/ if
    `move`.
    """
    corrupt: list[str] = []
    last, assessment = -1, Assessment(run.sweep.quiet)
    origins: dict[tuple[str, int], Origin] = {}
    for point, fork in read_forks(run, corrupt, move):
        last = max(last, fork.order)
        origins[point.key, fork.fork] = Origin(fork.host or "", fork.block)
        assessment.add(fork, point.key, point.oversubscribed)
    tries = Counter(
        path.name.rsplit(".", 2)[0]
        for state in FAILURE_FOLDERS
        for path in (run.folder / state).glob("*.txt")
    )
    begun = [path.stem for path in sorted((run.folder / "interrupted").glob("*.json"))]
    done = {path.stem for path in (run.folder / "forks").glob("*.json")}
    ended = max(last + 1, len(done) + tries.total())
    interrupted = [name for name in begun if name not in done]
    return RunState(assessment.repetitions, tries, interrupted, corrupt, ended, origins)


def reset_failures(run: Run) -> None:
    """Lets every fork that failed or timed out be tried afresh; their notes move to
    failed/earlier/.
    """
    for path in [path for state in FAILURE_FOLDERS for path in (run.folder / state).glob("*.txt")]:
        quarantine_file(path, run.folder / "failed" / "earlier")


def list_missing(run: Run, found: RunState) -> list[Task]:
    """Forks that were asked for and are not there."""
    return [
        Task(0, point, number)
        for point, number in run.tasks()
        if (point.key, number) not in found.measured
    ]


def count_failures(run: Run, lacking: list[Task]) -> dict[str, int]:
    """Of the forks that are not there, how many failed and how many timed out at some try."""
    names = {task.name for task in lacking}
    return {
        state: len(
            {path.name.rsplit(".", 2)[0] for path in (run.folder / state).glob("*.txt")} & names
        )
        for state in FAILURE_FOLDERS
    }


def summarize_state(run: Run, found: RunState, to_do: int) -> str:
    """'171 of 174 forks are there; 1 failed, 1 was interrupted; 3 to measure'."""
    there = f"{len(found.measured)} of {pluralize(len(run.tasks()), 'fork')} are there"
    ended = count_failures(run, list_missing(run, found))
    parts = [f"{number} {state.replace('-', ' ')}" for state, number in ended.items() if number]
    parts += [f"{len(found.interrupted)} interrupted"] if found.interrupted else []
    parts += [f"{len(found.corrupt)} set aside"] if found.corrupt else []
    return "; ".join(filter(None, [there, ", ".join(parts), f"{to_do} to measure"]))


def mark_begun(run: Run, task: Task) -> None:
    """Marks a fork as under way; the content is for people."""
    marker = run.folder / "interrupted" / f"{task.name}.json"
    marker.parent.mkdir(exist_ok=True)
    marker.write_text(
        json.dumps({"study": task.point.study, "params": task.point.params, "fork": task.number})
    )
