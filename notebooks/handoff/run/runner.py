"""The measuring loop: every missing fork once, in randomised complete blocks; then those that ran
disturbed, again.
"""

import contextlib
import math
import os
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run import archive, fork, jdk, lock, planning, state
from handoff.run.cost import CostModel
from handoff.run.fork import Job, Outcome
from handoff.run.identity import hash_setup, make_change_check
from handoff.run.order import list_pending
from handoff.run.progress import ProgressFile
from handoff.run.provenance import Session
from handoff.run.state import Task
from handoff.run.store import Run


class SerialExecutor(Executor):
    """Runs what is submitted at once, in this thread: one machine measures one fork at a time."""

    def submit(self, work: Callable, /, *args: Any, **kwargs: Any) -> Future:
        future: Future = Future()
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def measure_run(
    run: Run,
    command: str = "01_measure",
    executor: Executor | None = None,
    places: int = 1,
    deadline: float = math.inf,
) -> Iterator[tuple[Task, Outcome]]:
    """Measures what is to do and yields each fork as it ends.

    An interrupt, a kill or a full disk costs the forks under way.

    Never more than `places` forks are in flight; none begins that would not end before `deadline`,
    in seconds since the epoch. Busy when another runner is active on this
    machine; BadInput when this is not the run's machine, jar, JDK or sweep, when one of them
    changes meanwhile, and when the folder cannot be written.
    """
    with lock.hold_lock(f"measuring {run.folder.name}"), explain_write_errors(run):
        remove_leftovers(run)
        found = state.scan_run(run, move=True)
        pending = list_pending(run, found)
        if not pending:
            return
        java = jdk.find_jdk()
        planning.require_same_setup(run, java)
        archive.provide_archive(java, len(pending))
        session, progress = (
            Session(run, command),
            ProgressFile(run, CostModel(run.folder.parent, run.machine["id"])),
        )
        begun: set[str] = set()
        try:
            while tasks := [task for task in list_pending(run, found) if task.name not in begun]:
                begun.update(task.name for task in tasks)
                progress.add([task.point for task in tasks], sum(task.again > 0 for task in tasks))
                for task, outcome in measure_tasks(
                    run,
                    java,
                    deque(tasks),
                    found.ended,
                    executor or SerialExecutor(),
                    places,
                    progress,
                    deadline,
                ):
                    progress.ended(task.point, outcome)
                    yield task, outcome
                # Now that all are there, those that ran disturbed are known.
                found = state.scan_run(run, move=True)
        finally:
            progress.close()
            session.close(progress.done, progress.failed)


def measure_tasks(
    run: Run,
    java: jdk.Jdk,
    waiting: deque[Task],
    order: int,
    executor: Executor,
    places: int,
    progress: ProgressFile,
    deadline: float,
) -> Iterator[tuple[Task, Outcome]]:
    """Submits, keeps and yields forks, from place `order` on."""
    flying: dict[Future, Task] = {}
    intact = make_change_check(java)
    try:
        while waiting or flying:
            while waiting and len(flying) < places:
                task = waiting.popleft()
                if time.time() + progress.costs.fork_seconds(task.point) > deadline:
                    waiting.clear()
                    break
                intact()
                progress.starts(task.point)
                state.mark_begun(run, task)
                flying[
                    executor.submit(
                        fork.measure_fork, make_job(run, java, task, order, progress.costs)
                    )
                ] = task
                order += 1
            for future in wait(flying, return_when=FIRST_COMPLETED).done:
                task = flying.pop(future)
                outcome = future.result()
                intact()
                store_outcome(run, task, outcome)
                yield task, outcome
    finally:
        # The machine's lock is given back only when nothing measures any more.
        wait([future for future in flying if not future.cancel()])


def make_job(run: Run, java: jdk.Jdk, task: Task, order: int, costs: CostModel) -> Job:
    identity = {
        "setup": hash_setup(run.identity),
        "fork": task.number,
        "again": task.again,
        "block": task.block,
        "order": order,
    }
    return Job(
        java,
        run.sweep.jvm,
        task.point,
        identity | {"machine": run.machine["id"]},
        costs.limit_seconds(task.point),
    )


def store_outcome(run: Run, task: Task, outcome: Outcome) -> None:
    """An accepted fork goes to forks/; any other leaves its reason and log in the folder of its
    state.
    """
    folder = run.folder / outcome.state
    folder.mkdir(exist_ok=True)
    if outcome.content:
        write_json(folder / f"{task.name}.json", outcome.content)
    else:
        tries = sum(
            1
            for name in (*state.FAILURE_FOLDERS, "failed/earlier")
            for _ in (run.folder / name).glob(f"{task.name}.[0-9]*.txt")
        )
        (folder / f"{task.name}.{tries + 1}.txt").write_text(f"{outcome.wrong}\n\n{outcome.log}")
    (run.folder / "interrupted" / f"{task.name}.json").unlink(missing_ok=True)


@contextlib.contextmanager
def explain_write_errors(run: Run) -> Iterator[None]:
    """Turns what the file system refuses into one sentence."""
    try:
        yield
    except OSError as refused:
        what = (
            f"{refused.strerror} ({Path(refused.filename).name})"
            if refused.filename
            else refused.strerror
        )
        raise BadInput(
            f"{run.folder.name}: {what}. What is measured is kept; mend this, and the same command"
            " goes on."
        ) from None


def remove_leftovers(run: Run) -> None:
    """Removes what a killed runner left half written; nobody else measures here, for we hold the
    machine's lock.
    """
    for folder in (run.folder, run.folder / "forks"):
        for path in folder.glob("*.tmp"):
            path.unlink()
    for left in Path(tempfile.gettempdir()).glob(f"{fork.TEMPORARY_PREFIX}*"):
        with contextlib.suppress(FileNotFoundError):
            if left.stat().st_uid == os.geteuid():
                shutil.rmtree(left, ignore_errors=True)
