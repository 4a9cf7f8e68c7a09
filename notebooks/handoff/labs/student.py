"""The interface of labs' notebooks: predict, measure, compare, answer, check and pack."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import yaml

from handoff.draw.words import capitalize
from handoff.errors import BadInput
from handoff.labs import handin, measuring
from handoff.labs.answers import TEXT, Numbers, parse_numbers
from handoff.labs.borrowed import borrow_forks
from handoff.labs.child import simplify
from handoff.labs.forks import is_borrowed, list_fork_means, load_forks
from handoff.labs.lab import load_lab
from handoff.labs.lessons import belief, lateness
from handoff.labs.lessons.stories import shorten_trace
from handoff.labs.work import Work, open_work
from handoff.paths import LABS_WORK, display_path
from handoff.run.host.machine import summarize_machine
from handoff.run.java import jdk
from handoff.run.store.run import Run
from handoff.text import pluralize

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def open_lab(number: int, course: str = "", pseudonym: str = "") -> "StudentLab":
    """Open the lab of this notebook, and print the student's identity and folder."""
    # A notebook in labs-work/NN_name/ works there, wherever that is.
    here = Path.cwd()
    home = here.parent if here.name == load_lab(number).name else LABS_WORK
    pd.set_option("display.max_colwidth", None)
    opened = StudentLab(open_work(number, home, course, pseudonym))
    print(opened.describe())
    return opened


class StudentLab:
    """One lab of one student."""

    def __init__(self, work: Work) -> None:
        self.work, self.lab = work, work.lab
        handin.register_magic(work)

    def describe(self) -> str:
        work = self.work
        return (
            f"Lab {self.lab.number}: {self.lab.title} Course {work.course}, as {work.pseudonym}"
            f" (to change: ./run_all.sh lab {self.lab.number} --course KEY --name NAME, before the"
            f" first prediction). Your work is kept in {display_path(work.folder)}."
        )

    def predict(self, **prediction: Any) -> None:
        """Write the prediction to disk; later measurements are bound to it."""
        ticket = self.work.predict(prediction)
        # In full, because a teacher may register it before class.
        print(f"Your prediction is on disk; what you measure now is bound to it. Ticket {ticket}")

    def measure(self) -> None:
        """Measure the missing forks for this prediction, or make its missing trials."""
        make = measuring.make_trials if self.lab.trials else measuring.measure_lab
        try:
            make(self.work)
        except KeyboardInterrupt:
            if measuring.find_shell() is None:
                raise
            raise BadInput("Stopped. Nothing is lost: measure again to continue.") from None

    def borrow(self) -> None:
        """Take forks of the shipped run in place of your own, on a machine that cannot measure."""
        run = borrow_forks(self.work)
        print(
            f"Borrowed {pluralize(len(run.tasks()), 'fork')} of the shipped run, measured on"
            f" {summarize_machine(run.machine)}. Your pack says so; your predictions are about that"
            f" machine. {self.lab.borrowed_note}".rstrip()
        )

    @property
    def warmup(self) -> int:
        """Return the number of first shots of each fork that do not count."""
        return self.run.points[0].warmup

    @property
    def run(self) -> Run:
        """Return the run that was measured for this prediction."""
        return self.work.find_run()

    def forks(self, **params: object) -> list[tuple[dict[str, Any], int]]:
        """Load the fork files of the points with these parameters, and their warm-up shots.

        For instance lab.forks(mechanism="SEQUENTIAL", sorts=1).
        """
        return load_forks(self.run, **params)

    def compare(self) -> pd.DataFrame:
        """Return your predictions next to the outcomes."""
        predicted = self.work.require()
        outcomes = self.lab.outcomes(measuring.find_measured(self.work))
        rows = {
            asked.name: (asked.question, predicted[asked.name], round_number(outcomes[asked.name]))
            for asked in self.lab.predictions
            if asked.name in outcomes
        }
        columns = ["what", "predicted", "found"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns)

    def mean(self, **params: object) -> float:
        """Return the mean in nanoseconds per event over the forks with these parameters."""
        means = list_fork_means(self.run, **params)
        if not means:
            raise BadInput(f"No fork has {', '.join(f'{k}={v}' for k, v in params.items())}.")
        return float(np.mean(means))

    def fork_means(self, **params: object) -> list[float]:
        """Return the mean of each fork with these parameters, in nanoseconds per event."""
        return list_fork_means(self.run, **params)

    def means(self, name: str, *values: object, **params: object) -> list[list[float]]:
        """Return the means, in nanoseconds per event, of the forks of each value of a parameter."""
        return [list_fork_means(self.run, **params, **{name: value}) for value in values]

    def quantiles(self) -> dict[str, float]:
        """Return the median and 99 % quantile by both clocks, per mechanism (lab 7)."""
        return lateness.compute_numbers(self.run)

    def keys(self, name: str) -> tuple[str, ...]:
        """Return the keys of an answer of numbers and words."""
        return tuple(self.lab.find_answer(name).parts)

    def answer(self, name: str, content: Mapping[str, Any]) -> None:
        """Write an answer of numbers and words."""
        if not isinstance(self.lab.find_answer(name), Numbers):
            raise BadInput(f"{name} is not numbers and words: write it in a cell %%answer {name}.")
        plain = simplify(dict(content))
        write_answer(self.work, name, yaml.safe_dump(plain, sort_keys=False))

    def text(self, text: str) -> None:
        """Write the answer in prose, which a person reads."""
        lines = [line for line in text.strip().splitlines() if not line.startswith("###")]
        write_answer(self.work, TEXT, "\n".join(lines))

    def read(self, name: str) -> dict[str, Any]:
        """Load an answer of numbers and words."""
        text = self.work.read_answer(self.lab.find_answer(name))
        if text is None:
            raise BadInput(f"The answer {name} is missing: write it first.")
        return parse_numbers(text, name)

    def table(self, values: Any) -> pd.DataFrame:
        """Return values by name, or a list of rows, as a small table, without what is nested."""
        if not isinstance(values, Mapping):
            return pd.DataFrame(values).map(round_number)
        rows = {
            name: list(value) if isinstance(value, list | tuple) else [value]
            for name, value in values.items()
        }
        nested = (Mapping, type(None))
        flat = {k: v for k, v in rows.items() if not any(isinstance(x, nested) for x in v)}
        frame = pd.DataFrame.from_dict(flat, orient="index")
        frame.columns = pd.Index([""] * frame.shape[1])
        return frame.map(lambda value: f"{value:.4g}" if isinstance(value, float) else value)

    def plot(self) -> "Figure":
        """Draw a dot per fork."""
        from handoff.labs.dots import draw_dots

        whose = "BORROWED forks: " if is_borrowed(self.run) else ""
        return draw_dots(self.lab.dots(self.run), f"{whose}{self.lab.axis}")

    def findings(self) -> pd.DataFrame:
        """Return what each test found in each queue, in a table (lab 5)."""
        return pd.DataFrame(self.trials).map(lambda fault: shorten_trace(fault) or "-")

    def try_class(self) -> None:
        """Compile your class, and look for broken rules (lab 6)."""
        _, sentence = measuring.try_class(self.work, jdk.find_jdk())
        print(f"{capitalize(sentence)}.")

    @property
    def trials(self) -> measuring.Findings:
        """Return the fault that each test found in each queue, or '' (lab 5)."""
        return measuring.read_trials(self.work)

    def splits(self) -> list:
        """Return every split of a shipped point's forks into two and three (lab 2)."""
        return belief.list_splits()

    def groups(self) -> dict[str, list]:
        """Return the forks of X, Y and Z, as times per shot (lab 2)."""
        return belief.split_groups(self.run)

    def judge(self, name: str) -> dict[str, str]:
        """Return the verdicts of your claims on your forks (lab 3)."""
        from handoff.labs.lessons import sentence

        return sentence.judge_own(self.read(name), self.run)

    def check(self) -> bool:
        """Make the grader's checks on visible cases, print each, and return whether all pass."""
        return handin.print_checks(self.work)

    def pack(self) -> None:
        """Make the file to hand in."""
        file = handin.make_pack(self.work)
        for line in handin.list_missing(self.work):
            print(f"{line} Packed anyway: pack again when you have added it.")
        print(f"Hand in {display_path(file)}")


def write_answer(work: Work, name: str, text: str) -> None:
    """Write an answer, and report what is wrong with its form."""
    file = work.write_answer(name, text)
    wrong = work.describe_form(work.lab.find_answer(name))
    print(f"Written: {display_path(file)}" + (f". {wrong}" if wrong else ""))


def round_number(value: object) -> object:
    """Round a number to four digits; return anything else as it is."""
    return float(f"{value:.4g}") if isinstance(value, float) else value
