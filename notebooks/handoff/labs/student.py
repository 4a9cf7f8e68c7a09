"""The interface of labs' notebooks: predict, measure, look, check and save."""

import atexit
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from handoff.errors import BadInput, HandoffError
from handoff.labs import forks
from handoff.labs.checking import Checker, fail
from handoff.labs.lab import Function, JavaClass, Part, Tried, Values, load_lab
from handoff.labs.lessons.stories import shorten_trace
from handoff.labs.saved import FILE, borrow_forks, is_grading, open_saved, save_work
from handoff.labs.work import Findings, Work, measure_lab
from handoff.paths import display_path
from handoff.run.host.machine import summarize_machine
from handoff.run.store.run import Run
from handoff.text import pluralize


def open_lab(number: int) -> "StudentLab":
    """Open the lab of this notebook, whose work is kept in the notebook's folder."""
    pd.set_option("display.max_colwidth", None, "display.float_format", "{:.4g}".format)
    lab, here = load_lab(number), Path.cwd()
    if not is_grading():
        print(f"Your work on lab {number} is kept in {display_path(here)}.")
        return StudentLab(Work(lab, here))
    scratch = tempfile.mkdtemp(prefix="handoff-lab-")
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    work = Work(lab, Path(scratch) / "work")
    open_saved(work)
    return StudentLab(work)


class StudentLab:
    """One lab of one student."""

    def __init__(self, work: Work) -> None:
        self.work, self.lab = work, work.lab
        self.checker = Checker(work.lab, work.find_measured)

    def predict(self, **prediction: Any) -> None:
        """Write the prediction to disk, which stays once something is measured."""
        self.work.predict(prediction)
        print("Your prediction is on disk. It stays as it is once you have measured.")

    def measure(self) -> None:
        """Measure the missing forks, or make the trials; while grading, only read them."""
        if is_grading():
            self.work.find_measured()
            print(f"Grading: nothing is measured; {FILE} is read.")
            return
        try:
            measure_lab(self.work)
        except KeyboardInterrupt:
            raise BadInput("Stopped. Nothing is lost: measure again to continue.") from None

    def borrow(self) -> None:
        """Take forks of the shipped run in place of your own, on a machine that cannot measure."""
        if is_grading():
            return self.measure()
        run = borrow_forks(self.work)
        print(
            f"Borrowed {pluralize(len(run.tasks()), 'fork')} of the shipped run, measured on"
            f" {summarize_machine(run.machine)}. Your predictions are about that machine."
            f" {self.lab.borrowed_note}".rstrip()
        )
        return None

    def save(self) -> None:
        """Write the archive to hand in, next to the notebook."""
        if not is_grading():
            save_work(self.work)
            print(f"Hand in this notebook and {FILE}, which holds your measurement.")

    def check(self, name: str, given: Any = None, hidden: bool = False) -> float:
        """Check a function, values, or a Java class; print a line per key; return the points.

        `hidden` draws the cases from the teacher's seed.
        """
        parts, earned = {part.name: part for part in self.lab.parts}, 0.0
        if name not in parts:
            raise BadInput(f"unknown check {name}; choose from {', '.join(parts)}.")
        part = parts[name]
        for key, (share, sentence) in self.try_part(part, given, hidden).items():
            points, label = part.parts[key], name if key == name else f"{name}: {key}"
            print(f"{share * points:>4.3g} of {points:<4g} {label:30} {sentence}")
            earned += share * points
        return earned

    def try_part(self, part: Part, given: Any, hidden: bool) -> dict[str, Tried]:
        if isinstance(part, Function):
            return self.checker.check_function(part, given, hidden)
        if isinstance(part, Values):
            return self.checker.check_values(part, given)
        assert isinstance(part, JavaClass)
        if is_grading() and not (hidden or self.lab.own_class):
            return fail(part, "tried on hidden queues only, because each try takes long")
        try:
            return {part.name: part.tries(self.work, hidden)}
        except HandoffError as wrong:
            return fail(part, str(wrong))

    @property
    def run(self) -> Run:
        """Return the run that was measured or borrowed."""
        return self.work.find_measured()

    def forks(self, **params: object) -> list[tuple[dict[str, Any], int]]:
        """Load the fork files of the points with these parameters, and their warm-up shots.

        For instance lab.forks(mechanism="SEQUENTIAL", sorts=1).
        """
        return forks.load_forks(self.run, **params)

    def compare(self) -> pd.DataFrame:
        """Return your predictions next to the outcomes."""
        outcomes = self.lab.outcomes(self.work.find_measured())
        predicted = self.work.require()
        rows = {
            name: (field.description, predicted[name], outcomes[name])
            for name, (_, field) in self.lab.predictions.items()
            if name in outcomes
        }
        columns = ["what", "predicted", "found"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns)

    def fork_means(self, **params: object) -> list[float]:
        """Return the mean of each fork with these parameters, in nanoseconds per event."""
        return forks.list_fork_means(self.run, **params)

    def means(self, name: str, *values: object, **params: object) -> list[list[float]]:
        """Return the means, in nanoseconds per event, of the forks of each value of a parameter."""
        return forks.list_groups(self.run, name, *values, **params)

    def table(self, values: Any) -> pd.DataFrame:
        """Return values by name, or a list of rows, as a small table."""
        if not isinstance(values, Mapping):
            return pd.DataFrame(values)
        return pd.DataFrame.from_dict(values, orient="index").rename(columns=lambda _: "")

    def plot(
        self, rows: Mapping[str, Sequence[float]] | None = None, what: str = "time per event"
    ) -> Figure:
        """Draw a dot per fork: its time per event, or the values of each row."""
        whose = "BORROWED forks: " if forks.is_borrowed(self.run) else ""
        axis = f"{whose}{what} (logarithmic)"
        return forks.draw_dots(rows or forks.list_point_means(self.run), axis)

    def findings(self) -> pd.DataFrame:
        """Return what each test found in each queue, in a table (lab 5)."""
        return pd.DataFrame(self.trials).map(lambda fault: shorten_trace(fault) or "-")

    @property
    def trials(self) -> Findings:
        """Return the fault that each test found in each queue, or '' (lab 5)."""
        return self.work.find_measured()
