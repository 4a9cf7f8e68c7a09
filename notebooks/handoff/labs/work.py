"""A student's work on one lab: a folder outside git, the student's identity, and the ticket."""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from handoff.errors import BadInput
from handoff.files import write_json, write_text
from handoff.labs.answers import Answer
from handoff.labs.forks import read_borrowed
from handoff.labs.lab import Lab, check_prediction, load_lab
from handoff.paths import display_path
from handoff.run.store.run import Run, read_run

PREDICTION = "prediction.json"
ANSWERS = "answers"
RUNS = "runs"
TRIALS = "trials.json"
TRIED = "tried.json"
"""Keeps what the last class or model earned on visible tests, because these take long."""

MEASURED = "measured.txt"
"""Names the student's own class that was measured last."""

IDENTITY = "student.json"
COURSE = "self-study"
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
"""A course's key or a pseudonym."""

MOST_ANSWER_BYTES = 100_000


class Statement(BaseModel):
    """The content of prediction.json: who predicted what, in which lab."""

    course: str
    pseudonym: str
    lab: int
    prediction: dict[str, Any]

    @property
    def ticket(self) -> str:
        """Return the hash, in 64 hex digits, that binds forks to this prediction.

        Equal numbers such as 2 and 2.0 give the same ticket.
        """
        plain = {
            name: float(value) if isinstance(value, int | float) else value
            for name, value in self.prediction.items()
        }
        content = self.model_dump() | {"prediction": plain}
        return hash_text(json.dumps(content, sort_keys=True, separators=(",", ":")))


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def require_words(**words: str) -> None:
    """Raise BadInput unless a course's key and a pseudonym are plain words."""
    for what, word in words.items():
        if not WORD.fullmatch(word):
            raise BadInput(
                f"{what} is {word!r}; expected 1 to 40 letters, digits, '.', '-' and '_'."
            )


def load_identity(home: Path, course: str = "", pseudonym: str = "") -> tuple[str, str]:
    """Return course and pseudonym, and keep them for the next call.

    Each is the given value, else the kept one, else 'self-study' or a random pseudonym. Raise
    BadInput for a value that is not a plain word, and for another than the kept one once a
    prediction exists in any lab.
    """
    file = home / IDENTITY
    try:
        before = json.loads(file.read_text()) if file.is_file() else {}
        kept = {key: str(before.get(key, "")) for key in ("course", "pseudonym")}
    except (ValueError, AttributeError):
        raise BadInput(
            f"{display_path(file)} is not readable: remove it, and give your course and name again."
        ) from None
    predicted = sorted(home.glob(f"*/{PREDICTION}"))
    for key, word in (("course", course), ("pseudonym", pseudonym)):
        if predicted and word and kept[key] not in ("", word):
            raise BadInput(
                f"The {key} is {kept[key]}, with which {display_path(predicted[0])} was made: it"
                f" cannot become {word}. Keep {kept[key]}, or move {display_path(home)} away first."
            )
    course = course or kept["course"] or COURSE
    pseudonym = pseudonym or kept["pseudonym"] or f"student-{secrets.token_hex(3)}"
    require_words(course=course, pseudonym=pseudonym)
    home.mkdir(parents=True, exist_ok=True)
    write_json(file, {"course": course, "pseudonym": pseudonym})
    return course, pseudonym


class Work:
    """Files of one student for one lab: prediction.json, answers/, and runs/ or trials.json."""

    def __init__(self, lab: Lab, folder: Path, course: str, pseudonym: str) -> None:
        require_words(course=course, pseudonym=pseudonym)
        self.lab, self.folder, self.course, self.pseudonym = lab, folder, course, pseudonym

    def read_stated(self) -> Statement | None:
        """Load prediction.json, or return None before it exists."""
        file = self.folder / PREDICTION
        try:
            return Statement.model_validate_json(file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            raise BadInput(
                f"{display_path(file)} is not readable: remove it, and predict again."
            ) from None

    def state(self, prediction: Mapping[str, Any]) -> Statement:
        """Return the content of prediction.json for a prediction."""
        who = {"course": self.course, "pseudonym": self.pseudonym}
        return Statement(**who, lab=self.lab.number, prediction=dict(prediction))

    def predict(self, prediction: Mapping[str, Any]) -> str:
        """Write the prediction and return its ticket.

        Raise BadInput for a missing, unknown or invalid value, or if forks of another prediction
        were measured.
        """
        check_prediction(self.lab, prediction)
        stated, wanted = self.read_stated(), self.state(prediction)
        if stated and stated != wanted and (self.run_folders or (self.folder / TRIALS).is_file()):
            raise BadInput(
                "You have measured with another prediction, course or name, to which the forks are"
                f" bound. Keep these, or move {display_path(self.folder)} away to start over."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / PREDICTION, wanted.model_dump())
        return wanted.ticket

    @property
    def ticket(self) -> str:
        """Return the prediction's ticket; raise BadInput before there is a prediction."""
        return self.state(self.require()).ticket

    def require(self) -> dict[str, Any]:
        """Return the prediction; raise BadInput if it is missing or another student's."""
        stated = self.read_stated()
        if stated is None:
            raise BadInput("Predict first: nothing is measured before the prediction is on disk.")
        if stated != self.state(stated.prediction):
            raise BadInput(
                f"The prediction is of course {stated.course}, as {stated.pseudonym};"
                f" now it is course {self.course}, as {self.pseudonym}: predict again."
            )
        return stated.prediction

    @property
    def run_folders(self) -> list[Path]:
        # No archives: a pack inside a pack would escape its limits.
        return [file.parent for file in sorted((self.folder / RUNS).glob("*/plan.json"))]

    def find_run(self) -> Run:
        """Return the latest run for this prediction; raise BadInput if there is none."""
        runs = [run for run in map(read_run, self.run_folders) if read_ticket(run) == self.ticket]
        if self.lab.own_class and (self.folder / MEASURED).is_file():
            word = (self.folder / MEASURED).read_text().strip()
            runs = [run for run in runs if run.sweep.jvm.yours == word]
        if not runs:
            raise BadInput("Nothing is measured yet for this prediction: measure first.")
        return max(runs, key=lambda run: str(run.identity.get("started")))

    @property
    def answers(self) -> Path:
        return self.folder / ANSWERS

    def write_answer(self, name: str, text: str) -> Path:
        """Write an answer to its file; raise BadInput for a name that the lab does not ask for."""
        file = self.answers / self.lab.find_answer(name).file
        if len(text.encode()) > MOST_ANSWER_BYTES:
            raise BadInput(f"The answer {name} is longer than {MOST_ANSWER_BYTES} bytes.")
        self.answers.mkdir(parents=True, exist_ok=True)
        write_text(file, text.rstrip("\n") + "\n")
        return file

    def read_answer(self, answer: Answer) -> str | None:
        """Return an answer's text; None if it is missing, too long or not text."""
        try:
            text = (self.answers / answer.file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        return text if len(text) <= MOST_ANSWER_BYTES else None

    def describe_form(self, answer: Answer) -> str:
        """Return what is wrong with an answer's form, or ''; not whether it is correct."""
        text = self.read_answer(answer)
        if text is None and (self.answers / answer.file).is_file():
            return f"{answer.file} is longer than {MOST_ANSWER_BYTES:,} characters, or not UTF-8"
        if text is None or not text.strip():
            return f"no answer yet: {answer.how.format(answer.name)}"
        return answer.describe_form(text)

    def keep_tried(self, source: str, outcome: tuple[float, str]) -> None:
        """Keep what a class or model earned on visible tests."""
        write_json(self.folder / TRIED, {"source": hash_text(source), "outcome": outcome})

    def read_tried(self, source: str) -> tuple[float, str] | None:
        """Load what this class or model earned; None if it was not tried since it changed."""
        with suppress(OSError, ValueError, LookupError, TypeError):
            tried = json.loads((self.folder / TRIED).read_bytes())
            share, sentence = tried["outcome"]
            if tried["source"] == hash_text(source):
                return float(share), str(sentence)
        return None


def read_ticket(run: Run) -> str:
    """Return the ticket of the prediction that a run was measured or borrowed for, or ''."""
    return str((read_borrowed(run) or run.identity).get("ticket", ""))


def open_work(number: int, home: Path, course: str, pseudonym: str) -> Work:
    lab = load_lab(number)
    return Work(lab, home / lab.name, *load_identity(home, course, pseudonym))
