"""What a lab is: its question, what is predicted before anything is measured, and what is
answered.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handoff.paths import LAB_SWEEPS
from handoff.run.java.jdk import Jdk
from handoff.run.store.run import Run

CODE, JAVA, MODEL, NUMBERS, TEXT = "code", "java", "model", "numbers", "text"

SUFFIXES = {CODE: ".py", JAVA: ".java", MODEL: ".java", NUMBERS: ".yml", TEXT: ".txt"}
"""An answer is a file: functions in Python, a class in Java that is measured, one that the model
checker is given, numbers and words, sentences.
"""


@dataclass(frozen=True)
class Prediction:
    """One number, or one of some words, that is asked for before anything is measured."""

    name: str
    question: str
    unit: str = ""
    least: float = 0.0
    most: float = 1e9
    words: tuple[str, ...] = ()
    whole: bool = False

    @property
    def allowed(self) -> str:
        """What may be predicted, for a sentence."""
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


@dataclass(frozen=True)
class Function:
    """A function that an answer must define, put to cases: what it is called with, and what the
    reference makes of the same.

    `draw` makes one case from a generator of random numbers; `own` makes cases of the student's own
    run. `rates` judges all cases together instead of one by one: a
    sentence of what is wrong, or ''.
    """

    name: str
    reference: Callable[..., Any]
    draw: Callable[[Any], Sequence[Any]]
    own: Callable[[Run], Sequence[Sequence[Any]]] | None = None
    cases: int = 20
    rates: Callable[[list, list], str] | None = None


@dataclass(frozen=True)
class Answer:
    """What one cell `%%answer NAME` holds.

    `functions` of a code answer; `expected` of numbers and words by key, from what was measured or
    tried and what was predicted; or `judge`, a sentence of what is wrong with them, or ''.
    """

    name: str
    kind: str
    question: str
    points: float = 1.0
    functions: tuple[Function, ...] = ()
    expected: Callable[[Any, Mapping[str, Any]], dict[str, Any]] | None = None
    keys: tuple[str, ...] = ()
    judge: Callable[[Any, Any], str] | None = None

    @property
    def file(self) -> str:
        return f"{self.name}{SUFFIXES[self.kind]}"


@dataclass(frozen=True)
class Trials:
    """What a lab tries where others measure: all subjects by each test, which says of each in a
    sentence what it finds, or ''; and what of their findings no machine can have, or ''.
    """

    subjects: tuple[str, ...]
    tests: Mapping[str, Callable[[Jdk, Sequence[str]], list[str]]]
    describe_impossible: Callable[[Any], str]


@dataclass(frozen=True)
class Lab:
    """`sweep` names a file of data/labs; '' where there are `trials` instead. `outcomes`: what came
    out, by the name of what was predicted, from the run or from what the trials found. `adapt`
    changes the sweep by what was predicted, in words of `--set`.
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

    @property
    def own_class(self) -> Answer | None:
        """The answer that is measured as the mechanism YOURS; None in most labs."""
        return next((answer for answer in self.answers if answer.kind == JAVA), None)

    @property
    def name(self) -> str:
        """'01_hand_over'"""
        return f"{self.number:02}_{self.word}"

    @property
    def sweep_file(self) -> Path:
        return LAB_SWEEPS / self.sweep

    def find_answer(self, name: str) -> Answer | None:
        return next((answer for answer in self.answers if answer.name == name), None)
