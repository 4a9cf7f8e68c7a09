"""The progress of the notebook that measures, and the signals passed on to it."""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Column

from handoff.run.cost import format_duration
from handoff.run.host import process
from handoff.text import console

PLAIN_EVERY_S = 30


class Interrupted(BaseException):
    """A signal from the user or the system asked to stop; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by {signal.Signals(number).name}")
        self.number = number


def raise_interrupted(number: int, _: object) -> None:
    """Raise Interrupted, as a signal handler: SIGTERM ends a command as an interrupt does."""
    raise Interrupted(number)


def watch_run(folder: Path, child: subprocess.Popen) -> int:
    """Wait for the papermill that measures the run in `folder`, and draw the run's progress.

    Draw a bar on a terminal, and print a line every half minute elsewhere. Return the exit code;
    raise Interrupted after a signal, which is passed on.
    """
    signals: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: signals.append(number))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        # Under nohup SIGHUP is ignored, which must stay so.
        if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        draw_progress(child, folder / "progress.json", signals)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if signals:
        raise Interrupted(signals[0])
    return child.wait()


def draw_progress(child: subprocess.Popen, file: Path, signals: list[int]) -> None:
    """Draw the progress until the child ends, and pass signals on to it.

    It looks once a second, to cost the machine that measures as little as possible.
    """
    passed_on, printed = 0, time.monotonic()
    with make_bar() as bar:
        task = bar.add_task("starting", total=None, left="")
        while process.wait_for(child, 1) is None:
            state = read_progress(file, child.pid)
            if state:
                done, total = state["done"] + state["failed"], state["total"]
                left, now = describe_left(state), state["now"]
                bar.update(task, total=total, completed=done, left=left, description=now)
                if not console.is_terminal and time.monotonic() - printed > PLAIN_EVERY_S:
                    console.print(f"{done} of {total} forks, {left}: {now}")
                    printed = time.monotonic()
            if len(signals) > passed_on:
                passed_on = len(signals)
                pass_on_interrupt(child, state)


def make_bar() -> Progress:
    """Return a bar of one line, cut where the terminal is narrow."""
    words = "{task.fields[left]}  {task.description}"
    cut = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    return Progress(
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn(words, table_column=cut),
        console=console,
        disable=not console.is_terminal,
        refresh_per_second=1,
        transient=True,
        expand=True,
    )


def describe_left(state: dict) -> str:
    """Return '12 min left, 1 failed, 3 again: they ran disturbed'."""
    budget = " of the budget" if state["cut"] else ""
    parts = [f"{format_duration(state['left_s'])} left{budget}"]
    parts += [f"{state['failed']} failed"] if state["failed"] else []
    parts += [f"{state['again']} again: they ran disturbed"] if state["again"] else []
    return ", ".join(parts)


def read_progress(file: Path, papermill: int) -> dict | None:
    """Return the progress of the runner that this papermill started.

    Return None before it starts, and when the file is another runner's.
    """
    try:
        state = json.loads(file.read_text())
        return state if state["parent"] == papermill else None
    except (OSError, ValueError, KeyError):
        return None


def pass_on_interrupt(child: subprocess.Popen, state: dict | None) -> None:
    """Interrupt the kernel that measures, which ends its fork; before it starts, papermill."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(state["pid"], signal.SIGINT) if state else os.killpg(child.pid, signal.SIGINT)
