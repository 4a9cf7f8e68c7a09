"""Watching the measuring notebook: progress from its file, and signals passed on to it."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Column

from handoff.run.cost import format_duration
from handoff.run.host import process
from handoff.text import pluralize

PLAIN_EVERY_S = 30


class Bar(Progress):
    """One-line progress bar at the bottom of the terminal, with room for an echoed ^C.

    Unlike Rich's, it leaves no line behind when the terminal is made narrower and folds it.
    """

    drawn = 0
    """Columns of the line on the screen."""

    def get_renderable(self) -> RenderableType:
        renderable = super().get_renderable()
        if not hasattr(self, "live"):
            # Rich calls this before the bar is complete.
            return renderable
        width = self.console.width
        if width < self.drawn:
            self.erase(-(-self.drawn // width))
        if not self.live.is_started:
            return renderable
        room = max(1, width - len("^C") - 1)
        self.drawn = room if self.expand else min(room, self.console.measure(renderable).maximum)
        return Constrain(renderable, room)

    def erase(self, rows: int) -> None:
        """Erase the rows that the line was folded into; the cursor is in the last."""
        self.console.file.write(f"\r\x1b[{rows - 1}A\x1b[J")
        self.console.file.flush()


class Interrupted(Exception):
    """The user, or the system, asked to stop; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by {signal.Signals(number).name}")
        self.number = number


def raise_interrupted(number: int, _: object) -> None:
    """A signal handler: SIGTERM ends a command as an interrupt does."""
    raise Interrupted(number)


def make_watcher(folder: Path, console: Console) -> Callable[[subprocess.Popen], int]:
    """A `watch` for notebook.execute: draws a bar on a terminal, a line every half minute
    elsewhere.
    """

    def watch(child: subprocess.Popen) -> int:
        asked: list[int] = []
        # Under nohup SIGHUP is ignored, and stays so.
        heard = [
            n
            for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
            if signal.getsignal(n) != signal.SIG_IGN
        ]
        before = {
            number: signal.signal(number, lambda number, _: asked.append(number))
            for number in heard
        }
        try:
            draw_progress(child, folder / "progress.json", console, asked)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if asked:
            raise Interrupted(asked[0])
        return child.wait()

    return watch


def draw_progress(child: subprocess.Popen, file: Path, console: Console, asked: list[int]) -> None:
    """Looks once a second, which is all that the measuring machine is asked to give."""
    now = TextColumn(
        "{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
    )
    columns = (
        BarColumn(max(6, min(20, console.width // 8))),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}", table_column=Column(no_wrap=True)),
        now,
    )
    plain, passed_on = time.monotonic(), 0
    told: list[str] = []
    with Bar(
        *columns,
        console=console,
        disable=not console.is_terminal,
        refresh_per_second=1,
        transient=True,
        expand=True,
    ) as bar:
        task = bar.add_task("starting", total=None, left="")
        while process.wait_for(child, 1) is None:
            state = read_progress(file, child.pid)
            if state:
                left = f"{format_duration(state['left_s'])} left" + (
                    f", {state['failed']} failed" if state["failed"] else ""
                )
                if state["nodes"]:
                    left += f", {pluralize(state['nodes'], 'node')}"
                if state["again"]:
                    left += f", {state['again']} again: they ran disturbed"
                bar.update(
                    task,
                    total=state["total"],
                    completed=state["done"] + state["failed"],
                    left=left,
                    description=state["now"],
                )
                if not console.is_terminal and time.monotonic() - plain > PLAIN_EVERY_S:
                    console.print(
                        f"{state['done'] + state['failed']} of {state['total']} forks, {left}:"
                        f" {state['now']}"
                    )
                    plain = time.monotonic()
            for sentence in (state or {}).get("refusals", [])[len(told) :]:
                told.append(sentence)
                console.print(f"  {sentence}")
            if len(asked) > passed_on:
                passed_on = len(asked)
                pass_on_interrupt(child, state)


def read_progress(file: Path, papermill: int) -> dict | None:
    """The progress of the runner that this papermill has started; None before it begins, and when
    it is another's.
    """
    try:
        state = json.loads(file.read_text())
        return state if state["parent"] == papermill else None
    except (OSError, ValueError, KeyError):
        return None


def pass_on_interrupt(child: subprocess.Popen, state: dict | None) -> None:
    """The kernel that measures gets the interrupt, and ends its fork; before it has begun,
    papermill gets it.
    """
    try:
        os.kill(state["pid"], signal.SIGINT) if state else os.killpg(child.pid, signal.SIGINT)
    except ProcessLookupError:
        return
