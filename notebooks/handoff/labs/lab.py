"""A lab: what is predicted, measured and checked in it, with points; and the list of all labs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeGuard

from pydantic import ConfigDict, Field, create_model

from handoff.errors import BadInput, validate
from handoff.paths import LAB_SWEEPS
from handoff.run.java.jdk import Jdk

LESSONS = (
    *("hand_over", "belief", "sentence", "counter", "correctness"),
    *("exchange", "lateness", "threads", "ladder"),
)
MODULES = dict(enumerate(LESSONS, start=1))


def is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


Predictions = Mapping[str, Any]
"""The type and the field of each value that a student states before measuring, by name."""


def ask(
    questions: Mapping[str, str], unit: str, least: float, most: float, kind: Any = float
) -> dict[str, Any]:
    """Return predictions that are numbers, by their questions."""
    number, title = Annotated[kind, Field(ge=least, le=most)], f"{least:g} to {most:g} {unit}"
    return {name: (number, Field(title=title, description=q)) for name, q in questions.items()}


def ask_words(questions: Mapping[str, str], words: Iterable[str]) -> dict[str, Any]:
    """Return predictions that are one of some words, by their questions."""
    word: Any = Literal[tuple(words)]
    title = "; ".join(words)
    return {name: (word, Field(title=title, description=q)) for name, q in questions.items()}


class Known(NamedTuple):
    """The data from which an expected value is computed.

    The functions by name are the references or, to follow a slip through, the student's own;
    then `given` holds the student's values so far, by the name of their part. `find_measured`
    returns the run or the findings of the trials, or raises BadInput that says why there is none.
    """

    find_measured: Callable[[], Any]
    functions: Mapping[str, Callable[..., Any]]
    given: Mapping[str, Mapping[str, Any]]

    @property
    def measured(self) -> Any:
        return self.find_measured()


@dataclass(frozen=True)
class Part:
    """What one test cell checks, by its name, with points per key."""

    name: str
    parts: Mapping[str, float]


@dataclass(frozen=True)
class Function(Part):
    """A function, by its reference implementation and its test cases.

    `draw` makes one case from a random generator; at most the share `slack` of all cases may be
    wrong. A result that is a dictionary is checked by key. `via` names an earlier function that the
    reference takes as its last argument, so that the student's own makes this one's results right.
    """

    reference: Callable[..., Any]
    draw: Callable[[Any], Sequence[Any]]
    cases: int = 20
    slack: float = 0.0
    via: str = ""


@dataclass(frozen=True)
class Values(Part):
    """Numbers and words.

    `expected` computes what is right by key, by default the lab's outcomes; or `judge` returns what
    is wrong with each key, or ''.
    """

    expected: Callable[[Known], dict[str, Any]] | None = None
    judge: Callable[[Any], Mapping[str, str]] | None = None


Tried = tuple[float, str]
"""The share of the points that is earned, and the reason or result."""


@dataclass(frozen=True)
class JavaClass(Part):
    """A class in Java, in a file next to the notebook; `tries` may ask for hidden subjects."""

    tries: Callable[[Any, bool], Tried]


@dataclass(frozen=True)
class Lab:
    """A lab: its predictions, what it measures or tries, and what it checks.

    `outcomes` computes the predicted quantities, by name, from the run or the findings of the
    trials; a prediction named `forks` is the number of forks per point. `trials` are tests that
    replace measuring; each returns the fault that it found in each subject, or ''. With an
    `own_class`, the student's class is measured, as the mechanism YOURS. `forks_borrowed` is the
    number of shipped forks per point that stand for the student's own, or 0 if none fit;
    `stand_ins` replace parameters that no shipped point has, and `borrowed_note` says so.
    """

    number: int
    predictions: Predictions
    parts: tuple[Part, ...]
    outcomes: Callable[[Any], dict[str, Any]]
    trials: Mapping[str, Callable[[Jdk], dict[str, str]]] = field(default_factory=dict)
    own_class: bool = False
    forks_borrowed: int = 0
    stand_ins: tuple[tuple[Mapping[str, str], Mapping[str, str]], ...] = ()
    borrowed_note: str = ""

    @property
    def references(self) -> dict[str, Callable[..., Any]]:
        return {part.name: part.reference for part in self.parts if isinstance(part, Function)}

    @property
    def name(self) -> str:
        """Return the stem of the lab's notebook, such as '01_hand_over'."""
        return f"{self.number:02}_{MODULES[self.number]}"

    @property
    def sweep_file(self) -> Path:
        """Return the sweep file, in data/labs; a lab with trials has none."""
        return LAB_SWEEPS / f"{self.number:02}.yml"


@cache
def load_lab(number: int) -> Lab:
    """Import one lab, and no other; raise BadInput for an unknown number."""
    if number not in MODULES:
        raise BadInput(f"Unknown lab {number}; choose from {', '.join(map(str, MODULES))}.")
    return import_module(f"handoff.labs.lessons.{MODULES[number]}").LAB


def check_prediction(lab: Lab, prediction: Mapping[str, Any]) -> dict[str, Any]:
    """Return the prediction; raise BadInput that names a value that is missing or not allowed.

    Without any value, it says what is asked.
    """
    if not prediction:
        fields = [(name, field) for name, (_, field) in lab.predictions.items()]
        asked = [f"{name}: {field.description} ({field.title})" for name, field in fields]
        raise BadInput("\n".join(["Predict these:", *asked]))
    model = create_model("Prediction", __config__=ConfigDict(extra="forbid"), **lab.predictions)
    return validate(model, prediction, "your prediction").model_dump()
