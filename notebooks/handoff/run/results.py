"""Store the result of a fork in the folder of its state, and explain write errors."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run.fork import Outcome
from handoff.run.store import state
from handoff.run.store.forks import quarantine_file
from handoff.run.store.run import Run
from handoff.run.store.state import Task


def store_outcome(run: Run, task: Task, outcome: Outcome) -> None:
    """Write an accepted fork to forks/, any other with reason and log to its state's folder."""
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
        reason = (
            f"{error.strerror} ({Path(error.filename).name})" if error.filename else error.strerror
        )
        raise BadInput(
            f"{run.folder.name}: {reason}. Finished forks are kept; fix this, and repeat the"
            " command to continue."
        ) from None
