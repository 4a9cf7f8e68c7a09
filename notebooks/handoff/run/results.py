"""What a fork left goes to the folder of its state; what cannot be written is told."""

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


def abandon_forks(run: Run, tasks: list[Task]) -> None:
    """Sets forks of a block aside that is measured anew, with their repetitions: they are kept, and
    not pooled.
    """
    for task in tasks:
        for path in sorted((run.folder / "forks").glob(f"{task.name}.*json")):
            quarantine_file(path, run.folder / "abandoned")


def remove_partial_files(run: Run) -> None:
    """Removes what a killed runner left half written; nobody else measures this run."""
    for folder in (run.folder, run.folder / "forks"):
        for path in folder.glob("*.tmp"):
            path.unlink()


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
