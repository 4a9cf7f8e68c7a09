"""A student's work on one lab: a folder outside git, whose files are what is handed in."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from handoff.errors import BadInput
from handoff.files import write_json, write_text
from handoff.labs.identity import load_identity
from handoff.labs.lab import Answer, Lab
from handoff.labs.listing import load_lab
from handoff.labs.ticket import compute_ticket
from handoff.paths import LABS_WORK, display_path
from handoff.run.store.run import Run, read_run
from handoff.text import suggest

PREDICTION = "prediction.json"
ANSWERS = "answers"
RUNS = "runs"
TRIALS = "trials.json"
MEASURED = "measured.txt"
"""Where there is a class of the student's own: which was measured last."""

WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
"""What a course's key and a pseudonym may look like."""

MOST_ANSWER_BYTES = 100_000


class Work:
    """`folder` holds prediction.json, answers/, and runs/ or trials.json."""

    def __init__(self, lab: Lab, folder: Path, course: str, pseudonym: str) -> None:
        for what, word in (("course", course), ("pseudonym", pseudonym)):
            if not WORD.fullmatch(word):
                raise BadInput(
                    f"{what} is {word!r}; allowed are 1 to 40 letters, digits, '.', '-' and '_'."
                )
        self.lab, self.folder, self.course, self.pseudonym = lab, folder, course, pseudonym

    def read_stated(self) -> dict[str, Any] | None:
        """What prediction.json says; None before. BadInput when the file is not whole."""
        file = self.folder / PREDICTION
        if not file.is_file():
            return None
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            return {**content, "prediction": dict(content["prediction"])}
        except (ValueError, KeyError, TypeError):
            raise BadInput(
                f"{display_path(file)} is not whole: remove it, and predict again."
            ) from None

    def state(self, prediction: Mapping[str, Any]) -> dict[str, Any]:
        """What prediction.json is to say."""
        return {
            "course": self.course,
            "pseudonym": self.pseudonym,
            "lab": self.lab.number,
            "prediction": dict(prediction),
        }

    @property
    def prediction(self) -> dict[str, Any] | None:
        """What was predicted; None before."""
        stated = self.read_stated()
        return stated and stated["prediction"]

    def predict(self, prediction: Mapping[str, Any]) -> str:
        """Writes it, whole, and returns the ticket. BadInput for what is missing, unknown or not
        allowed, and once something is measured.
        """
        check_prediction(self.lab, prediction)
        stated, wanted = self.read_stated(), self.state(prediction)
        if stated == wanted:
            return self.ticket
        if stated is not None and (self.run_folders or (self.folder / TRIALS).is_file()):
            raise BadInput(
                "Measuring has begun with another prediction, course or name, which its forks are"
                f" bound to: keep these, or start over without {display_path(self.folder)}."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / PREDICTION, wanted)
        return self.ticket

    @property
    def ticket(self) -> str:
        """BadInput before there is a prediction."""
        return compute_ticket(self.course, self.pseudonym, self.lab.number, self.require())

    def require(self) -> dict[str, Any]:
        """The prediction. BadInput before there is one, and where it is another student's."""
        stated = self.read_stated()
        if stated is None:
            raise BadInput("Predict first: nothing is measured before the prediction is on disk.")
        if stated != self.state(stated["prediction"]):
            raise BadInput(
                f"The prediction is of course {stated.get('course')}, as {stated.get('pseudonym')};"
                f" now it is course {self.course}, as {self.pseudonym}: predict again."
            )
        return dict(stated["prediction"])

    @property
    def run_folders(self) -> list[Path]:
        # No archives: a pack inside a pack would escape its limits.
        return [file.parent for file in sorted((self.folder / RUNS).glob("*/plan.json"))]

    def find_run(self) -> Run:
        """What was begun last for this prediction. BadInput when nothing was."""
        own = [read_run(folder) for folder in self.run_folders]
        found = [run for run in own if run.identity.get("ticket") == self.ticket]
        if self.lab.own_class and (self.folder / MEASURED).is_file():
            word = (self.folder / MEASURED).read_text().strip()
            found = [run for run in found if run.sweep.jvm.yours == word]
        if not found:
            raise BadInput("Nothing is measured yet for this prediction: measure first.")
        return max(found, key=lambda run: str(run.identity.get("started")))

    @property
    def answers(self) -> Path:
        return self.folder / ANSWERS

    def write_answer(self, name: str, text: str) -> Path:
        """One answer's own file. BadInput for a name that the lab does not ask for."""
        file = self.answers / require_answer(self.lab, name).file
        if len(text.encode()) > MOST_ANSWER_BYTES:
            raise BadInput(f"The answer {name} is longer than {MOST_ANSWER_BYTES} bytes.")
        self.answers.mkdir(parents=True, exist_ok=True)
        write_text(file, text.rstrip("\n") + "\n")
        return file

    def read_answer(self, answer: Answer) -> str | None:
        """None where there is none yet, or none that is text."""
        try:
            text = (self.answers / answer.file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        return text if len(text) <= MOST_ANSWER_BYTES else None


def require_answer(lab: Lab, name: str) -> Answer:
    answer = lab.find_answer(name)
    if answer is None:
        names = [each.name for each in lab.answers]
        raise BadInput(
            f"Lab {lab.number} has no answer {name}; allowed is {', '.join(names)}."
            f"{suggest(name, names)}"
        )
    return answer


def check_prediction(lab: Lab, prediction: Mapping[str, Any]) -> None:
    """BadInput, naming the first that is wrong and what is allowed."""
    names = [each.name for each in lab.predictions]
    for name in prediction:
        if name not in names:
            raise BadInput(
                f"Lab {lab.number} asks for no {name}; it asks for {', '.join(names)}."
                f"{suggest(name, names)}"
            )
    for each in lab.predictions:
        if prediction.get(each.name) is None:
            raise BadInput(f"{each.name} is not predicted yet: {each.question} ({each.allowed}).")
        if not each.accepts(prediction[each.name]):
            raise BadInput(f"{each.name} is {prediction[each.name]!r}; allowed is {each.allowed}.")


def open_work(number: int, home: Path = LABS_WORK, course: str = "", pseudonym: str = "") -> Work:
    """A student's work on one lab, in a folder of its own."""
    lab = load_lab(number)
    return Work(lab, home / lab.name, *load_identity(home, course, pseudonym))
