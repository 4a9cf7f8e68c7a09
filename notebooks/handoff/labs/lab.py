"""The parts of a lab, the list of all labs, and the forks of a run as labs read them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from handoff.errors import BadInput
from handoff.labs.forks import list_point_means
from handoff.paths import LAB_SWEEPS
from handoff.run.java.jdk import Jdk
from handoff.run.store.run import Run
from handoff.text import suggest

MODULES = {
    1: "hand_over",
    2: "belief",
    3: "sentence",
    4: "counter",
    5: "correctness",
    6: "exchange",
    7: "lateness",
    8: "threads",
    9: "ladder",
}
CODE, JAVA, MODEL, NUMBERS, TEXT = "code", "java", "model", "numbers", "text"

SUFFIXES = {CODE: ".py", JAVA: ".java", MODEL: ".java", NUMBERS: ".yml", TEXT: ".txt"}
"""File types of answers: Python functions, a Java class that is measured, a Java class for the
model checker, numbers and words, and sentences.
"""


@dataclass(frozen=True)
class Prediction:
    """A number, or one of several words, that a student states before measuring."""

    name: str
    question: str
    unit: str = ""
    least: float = 0.0
    most: float = 1e9
    words: tuple[str, ...] = ()
    whole: bool = False

    @property
    def allowed(self) -> str:
        """Describe the accepted values."""
        if self.words:
            return f"one of {', '.join(self.words)}"
        kind = "a whole number" if self.whole else "a number"
        unit = f" {self.unit}" if self.unit else ""
        return f"{kind} from {self.least:g} to {self.most:g}{unit}"

    def accepts(self, value: object) -> bool:
        if self.words:
            return value in self.words
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.least <= value <= self.most and (not self.whole or value == int(value))


class Known(NamedTuple):
    """What an expected answer is computed from.

    The functions by name are the references or, to follow a slip through, the student's own;
    then `given` holds the student's answers of numbers and words so far, by name.
    """

    measured: Any
    functions: dict[str, Callable[..., Any]]
    given: dict[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Function:
    """A function that an answer must define, with its reference implementation and its test cases.

    `draw` makes one case from a random generator; `own` makes cases from the student's run.
    `rates` judges the results of all drawn cases together instead of one by one, and returns what
    is wrong, or ''. `keys` gives points to each key of a result that is a dictionary. `via` names
    an earlier function whose own result on a case, passed to the callable, makes this one's right.
    """

    name: str
    reference: Callable[..., Any]
    draw: Callable[[Any], Sequence[Any]]
    own: Callable[[Any], Sequence[Sequence[Any]]] | None = None
    points: float = 1.0
    cases: int = 20
    rates: Callable[[list, list], str] | None = None
    keys: Mapping[str, float] = field(default_factory=dict)
    via: tuple[str, Callable[[Any], Any]] | None = None


@dataclass(frozen=True)
class Answer:
    """The contents of one notebook cell `%%answer NAME`.

    A code answer has `functions`. Numbers and words have points per key, and `expected`, which
    computes them by key, or `judge`, which returns what is wrong with each key, or ''.
    """

    name: str
    kind: str
    question: str
    points: float = 0.0
    functions: tuple[Function, ...] = ()
    expected: Callable[[Known], dict[str, Any]] | None = None
    keys: Mapping[str, float] = field(default_factory=dict)
    judge: Callable[[Any], Mapping[str, str]] | None = None

    @property
    def file(self) -> str:
        return f"{self.name}{SUFFIXES[self.kind]}"

    @property
    def parts(self) -> dict[str, float]:
        """Return the points of each part that is marked by itself."""
        if self.keys:
            return dict(self.keys)
        parts: dict[str, float] = {}
        for function in self.functions:
            parts |= function.keys or {function.name: function.points}
        return parts or {self.name: self.points}


@dataclass(frozen=True)
class Trials:
    """Tests that a lab applies to all subjects instead of measuring.

    A test returns one sentence per subject: the fault that it found, or ''. `describe_impossible`
    returns which of the findings no machine can produce, or ''.
    """

    subjects: tuple[str, ...]
    tests: Mapping[str, Callable[[Jdk, Sequence[str]], list[str]]]
    describe_impossible: Callable[[Any], str]


@dataclass(frozen=True)
class Lab:
    """A lab: its question, its predictions, what it measures or tries, and its answers.

    `sweep` names a file of data/labs, or is '' in a lab with `trials`. `outcomes` computes the
    predicted quantities, by name, from the run or the findings of the trials. `adapt` derives
    changes of the sweep from the prediction, spelled as arguments of `--set`. `dots` returns what
    is plotted of each fork, by row, on the axis named `axis`. `forks_borrowed` is the number of
    shipped forks per point that stand for the student's own, or 0 if none fit; `stand_ins` replace
    parameters that no shipped point has.
    """

    number: int
    word: str
    title: str
    question: str
    predictions: tuple[Prediction, ...]
    answers: tuple[Answer, ...]
    sweep: str
    outcomes: Callable[[Any], dict[str, Any]]
    adapt: Callable[[Mapping[str, Any]], list[str]] = field(default=lambda _: [])
    trials: Trials | None = None
    forks_borrowed: int = 0
    stand_ins: tuple[tuple[Mapping[str, str], Mapping[str, str]], ...] = ()
    dots: Callable[[Run], dict[str, list[float]]] = field(default=list_point_means)
    axis: str = "time per event, ns (logarithmic)"

    @property
    def points(self) -> float:
        """Return the points of all answers together."""
        return sum(sum(answer.parts.values()) for answer in self.answers)

    @property
    def functions(self) -> dict[str, Function]:
        """Return the functions of all answers, by name."""
        return {f.name: f for answer in self.answers for f in answer.functions}

    @property
    def own_class(self) -> Answer | None:
        """Return the answer that is measured as the mechanism YOURS; None in most labs."""
        return next((answer for answer in self.answers if answer.kind == JAVA), None)

    @property
    def name(self) -> str:
        """Return the stem of the lab's notebook, such as '01_hand_over'."""
        return f"{self.number:02}_{self.word}"

    @property
    def sweep_file(self) -> Path:
        return LAB_SWEEPS / self.sweep

    def find_answer(self, name: str) -> Answer | None:
        return next((answer for answer in self.answers if answer.name == name), None)


@cache
def load_lab(number: int) -> Lab:
    """Import one lab, and no other; raise BadInput for an unknown number."""
    if number not in MODULES:
        raise BadInput(f"Unknown lab {number}; choose from {', '.join(map(str, MODULES))}.")
    return import_module(f"handoff.labs.lessons.{MODULES[number]}").LAB


def check_prediction(lab: Lab, prediction: Mapping[str, Any]) -> None:
    """Raise BadInput that names every value that is missing, unknown or not allowed."""
    names = [asked.name for asked in lab.predictions]
    unknown = [
        f"{name} is unknown.{suggest(name, names)}" for name in prediction if name not in names
    ]
    missing = [asked for asked in lab.predictions if is_missing(prediction.get(asked.name))]
    wrong = [
        f"{asked.name} is {prediction[asked.name]!r}; expected {asked.allowed}."
        for asked in lab.predictions
        if asked not in missing and not asked.accepts(prediction[asked.name])
    ]
    parts = [*unknown, *wrong]
    if missing:
        listed = "".join(
            f"\n  {asked.name}: {asked.question} ({asked.allowed})" for asked in missing
        )
        parts.append(f"{len(missing)} of {len(names)} predictions are missing:{listed}")
    if parts:
        raise BadInput(" ".join(parts))


def is_missing(value: object) -> bool:
    return value is None or value is ...
