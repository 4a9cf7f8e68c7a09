"""What a lab's notebook calls: one object that predicts, measures, shows, checks and packs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from handoff.errors import BadInput
from handoff.labs import answers, measuring, notebook, pack, trials
from handoff.labs.forks import list_fork_means, list_times, load_forks
from handoff.labs.lab import NUMBERS, Lab
from handoff.labs.listing import load_lab
from handoff.labs.work import Work, open_work, require_answer
from handoff.paths import LABS_WORK, display_path
from handoff.run.java import jar, jdk
from handoff.run.store.run import Run


def open_lab(number: int, course: str = "", pseudonym: str = "") -> "StudentLab":
    """The lab of this notebook; says who works, and where."""
    # A notebook in labs-work/NN_name/ works there, wherever that is.
    here = Path.cwd()
    home = here.parent if here.name == load_lab(number).name else LABS_WORK
    opened = StudentLab(open_work(number, home, course, pseudonym))
    print(opened.describe())
    return opened


class StudentLab:
    """One lab of one student."""

    def __init__(self, work: Work) -> None:
        self.work = work
        notebook.register_magic(work)

    @property
    def lab(self) -> Lab:
        return self.work.lab

    def describe(self) -> str:
        work = self.work
        return (
            f"Lab {self.lab.number}: {self.lab.title} Course {work.course}, as {work.pseudonym}."
            f" All that you make is kept in {display_path(work.folder)}."
        )

    def predict(self, **prediction: Any) -> None:
        """Puts the prediction on disk; what is measured from now on is bound to it."""
        ticket = self.work.predict(prediction)
        # Whole, for a teacher to whom the order matters notes it before class.
        print(f"Predicted: what you measure now belongs to it. Ticket {ticket}")

    def measure(self) -> None:
        """Measures, or tries, what is missing for this prediction."""
        make = trials.make_trials if self.lab.trials else measuring.measure_lab
        try:
            make(self.work, notebook.make_display())
        except KeyboardInterrupt:
            if notebook.find_shell() is None:
                raise
            raise BadInput("Stopped. Nothing is lost: measuring again goes on.") from None

    @property
    def run(self) -> Run:
        """What was measured for this prediction."""
        return self.work.find_run()

    def forks(self, **params: object) -> list[tuple[dict[str, Any], int]]:
        """The fork files of the points with these parameters, each with its number of warm-up
        shots: lab.forks(mechanism="SEQUENTIAL", sorts=1).
        """
        return [(fork, point.warmup) for point, fork in load_forks(self.run, **params)]

    def times(self, **params: object) -> list[list[float]]:
        """Of each of these forks the nanoseconds an event, shot by shot, warm-up first."""
        return [list_times(fork) for fork, _ in self.forks(**params)]

    def compare(self) -> pd.DataFrame:
        """Your predictions beside what came out."""
        predicted = self.work.require()
        found = self.lab.outcomes(trials.find_measured(self.work))
        rows = {
            each.name: {
                "what": each.question,
                "predicted": predicted[each.name],
                "found": round_number(found.get(each.name, "")),
            }
            for each in self.lab.predictions
            if each.name in found
        }
        return pd.DataFrame.from_dict(rows, orient="index")

    def mean(self, **params: object) -> float:
        """Nanoseconds an event after warm-up, over the forks with these parameters."""
        means = list_fork_means(self.run, **params)
        if not means:
            raise BadInput(f"No fork has {', '.join(f'{k}={v}' for k, v in params.items())}.")
        return float(np.mean(means))

    def means(self, name: str, *values: object, **params: object) -> list[list[float]]:
        """Of each value of a parameter its forks' means, in nanoseconds an event after warm-up."""
        return [list_fork_means(self.run, **params, **{name: value}) for value in values]

    def quantiles(self) -> dict[str, float]:
        """Lab 7: median and 99 % by both clocks, by mechanism."""
        from handoff.labs import lateness

        return lateness.compute_numbers(self.run)

    def keys(self, name: str) -> tuple[str, ...]:
        """What an answer of numbers and words must hold."""
        return require_answer(self.lab, name).keys

    def answer(self, name: str, content: Mapping[str, Any]) -> None:
        """Writes an answer of numbers and words, by key."""
        if require_answer(self.lab, name).kind != NUMBERS:
            raise BadInput(f"{name} is no answer of numbers: write it in a cell %%answer {name}.")
        plain = {str(key): simplify(value) for key, value in content.items()}
        file = self.work.write_answer(name, yaml.safe_dump(plain, sort_keys=False))
        wrong = answers.describe_form(self.work, require_answer(self.lab, name))
        print(f"Written: {display_path(file)}" + (f". {wrong}" if wrong else ""))

    def read(self, name: str) -> dict[str, Any]:
        """An answer of numbers and words, as it was written."""
        text = self.work.read_answer(require_answer(self.lab, name))
        if text is None:
            raise BadInput(f"There is no answer {name} yet.")
        return answers.parse_numbers(text, name)

    def try_class(self) -> None:
        """Lab 6: compiles your class, looks at its byte code, and hammers it."""
        java = jdk.find_jdk()
        jar.build_jar(java)
        word = measuring.provide_own(self.work, java)
        print(f"Nothing found: {word and word[:20]} can be measured. That is no proof of it.")

    @property
    def trials(self) -> dict[str, dict[str, str]]:
        """Lab 5: by test and queue what it found, '' where nothing."""
        return trials.read_trials(self.work)

    def splits(self) -> list:
        """Lab 2: every split of a shipped point's forks into two and three, as shots a fork."""
        from handoff.labs import belief

        return belief.list_splits()

    def groups(self) -> dict[str, list]:
        """Lab 2: X, Y and Z, as shots a fork."""
        from handoff.labs import belief

        return belief.split_groups(self.run)

    def judge(self, name: str) -> dict[str, str]:
        """Lab 3: the verdicts of claims that one wrote, on one's own forks."""
        from handoff.labs import sentence

        return sentence.judge_own(self.read(name), self.run)

    def check(self) -> None:
        """Whether all is there and of the right form; not whether it is right."""
        for line in list_lacks(self.work) or ["All is there: pack it."]:
            print(line)

    def pack(self) -> None:
        """Makes the one file that is handed in."""
        lacks = list_lacks(self.work)
        for line in lacks:
            print(line)
        if lacks:
            print("Packed all the same; pack again when this is mended.")
        print(f"Hand in {display_path(pack.make_pack(self.work))}")


def list_lacks(work: Work) -> list[str]:
    """A line for each thing that is missing or of the wrong form."""
    if work.prediction is None:
        return ["prediction: none yet"]
    try:
        measured = trials.find_measured(work)
    except BadInput as wrong:
        return [f"{'trials' if work.lab.trials else 'forks'}: {wrong}"]
    missing = len(measured.missing()) if isinstance(measured, Run) else 0
    lacks = [f"forks: {missing} are missing: measure again"] if missing else []
    found = {each.name: answers.describe_form(work, each) for each in work.lab.answers}
    asked = {each.name: each.question for each in work.lab.answers}
    return lacks + [f"{n}: {wrong} ({asked[n]})" for n, wrong in found.items() if wrong]


def round_number(value: object) -> object:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def simplify(value: object) -> object:
    """Plain numbers and words of numpy's."""
    return value.item() if isinstance(value, np.generic) else value
