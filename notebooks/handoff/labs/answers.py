"""The kinds of answers in a lab, the form that each must have, and what is right in it."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeGuard

import yaml

from handoff.errors import BadInput
from handoff.labs import bytecode

NUMBER = re.compile(r"[+-]?[0-9.]+[eE][+-]?[0-9]+")
FEWEST_SENTENCES, MOST_CHARACTERS = 3, 2000
TEXT = "text"
"""Name of the answer that a person reads."""


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
    """A function that an answer must define, by its reference implementation and its test cases.

    `draw` makes one case from a random generator; `own` makes cases from the student's run.
    `rates` judges the results of all drawn cases together instead of one by one, and returns what
    is wrong, or ''. `keys` gives points to each key of a result that is a dictionary. `via` names
    an earlier function whose own result on a case, passed to the callable, makes this one's right.
    """

    reference: Callable[..., Any]
    draw: Callable[[Any], Sequence[Any]]
    own: Callable[[Any], Sequence[Sequence[Any]]] | None = None
    points: float = 1.0
    cases: int = 20
    rates: Callable[[list, list], str] | None = None
    keys: Mapping[str, float] = field(default_factory=dict)
    via: tuple[str, Callable[[Any], Any]] | None = None

    @property
    def name(self) -> str:
        return self.reference.__name__

    @property
    def parts(self) -> Mapping[str, float]:
        return self.keys or {self.name: self.points}


@dataclass(frozen=True)
class Answer:
    """The contents of one notebook cell `%%answer NAME`, of one of the kinds below."""

    name: str
    question: str
    suffix: ClassVar[str]
    how: ClassVar[str] = "a cell that starts with %%answer {}"

    @property
    def file(self) -> str:
        return f"{self.name}{self.suffix}"

    @property
    def parts(self) -> dict[str, float]:
        """Return the points of each part that is marked by itself."""
        return {self.name: 0.0}

    def describe_form(self, text: str) -> str:
        """Return what is wrong with the form of a text, or ''; not whether it is correct."""
        raise NotImplementedError


@dataclass(frozen=True)
class Code(Answer):
    """Python functions."""

    functions: tuple[Function, ...]
    suffix = ".py"

    @property
    def parts(self) -> dict[str, float]:
        return dict(part for function in self.functions for part in function.parts.items())

    def describe_form(self, text: str) -> str:
        try:
            compile(text, self.file, "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
            return f"Python cannot read it: {wrong}"
        names = [function.name for function in self.functions]
        missing = [name for name in names if not re.search(rf"\b(def {name}\b|{name} *=)", text)]
        return f"it defines no function {missing[0]}" if missing else ""


@dataclass(frozen=True)
class Numbers(Answer):
    """Numbers and words, with points per key.

    `expected` computes what is right by key, or `judge` returns what is wrong with each key, or ''.
    """

    keys: Mapping[str, float]
    expected: Callable[[Known], dict[str, Any]] | None = None
    judge: Callable[[Any], Mapping[str, str]] | None = None
    suffix = ".yml"
    how = 'lab.answer("{0}", ...), or a cell that starts with %%answer {0}'

    @property
    def parts(self) -> dict[str, float]:
        return dict(self.keys)

    def describe_form(self, text: str) -> str:
        try:
            content = parse_numbers(text, self.name)
        except BadInput as wrong:
            return str(wrong)
        if missing := [key for key in self.keys if content.get(key) is None]:
            listed = ", ".join(missing)
            return f"missing: {listed} (where a value does not exist, write the word none)"
        for key, value in content.items():
            if fault := describe_value(value):
                return f"{key}: {fault}"
        unknown = [key for key in content if key not in self.keys]
        return f"unknown key {unknown[0]}; choose from {', '.join(self.keys)}" if unknown else ""


@dataclass(frozen=True)
class JavaClass(Answer):
    """A class in Java of a given name."""

    points: float
    suffix = ".java"
    class_name: ClassVar[str]

    @property
    def parts(self) -> dict[str, float]:
        return {self.name: self.points}

    def describe_form(self, text: str) -> str:
        defines = f"class {self.class_name}" in text
        return "" if defines else f"it defines no class {self.class_name}"


class OwnClass(JavaClass):
    """A queue of the student's own, which is measured as the mechanism YOURS."""

    class_name = bytecode.NAME


class Model(JavaClass):
    """A model of a queue, by which the model checker tries queues."""

    class_name = bytecode.MODEL_NAME


@dataclass(frozen=True)
class Text(Answer):
    """A few sentences that a person reads."""

    name: str = field(default=TEXT, init=False)
    suffix = ".txt"
    how = 'lab.text("""...""")'

    def describe_form(self, text: str) -> str:
        sentences = len(re.findall(r"[.!?](?:\s|$)", text))
        if sentences < FEWEST_SENTENCES:
            return f"{sentences} of {FEWEST_SENTENCES} sentences"
        return "" if len(text) <= MOST_CHARACTERS else f"longer than {MOST_CHARACTERS} characters"


class PlainLoader(yaml.SafeLoader):
    """Reads YAML without aliases, by which a few lines can stand for billions of values."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases (*name) are not allowed")
        return super().compose_node(parent, index)


def parse_numbers(text: str, name: str) -> dict[str, Any]:
    """Parse an answer of numbers and words; raise BadInput with the line of invalid YAML."""
    try:
        content = yaml.load(text, PlainLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as wrong:
        problem = " ".join(str(wrong).split())
        raise BadInput(f"answer {name}: not readable as YAML: {problem}.") from None
    if not isinstance(content, dict):
        raise BadInput(f"answer {name}: write one 'key: value' per line.")
    return content


def describe_value(value: object) -> str:
    """Return why a value cannot be an answer, or ''."""
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return "YAML reads it as text: write it out, or with a point and a sign, as 1.2e+6"
    # A whole number may be too large for a float, and every comparison with nan is false.
    if isinstance(value, int | float) and not abs(value) <= sys.float_info.max:
        return "it is not a finite number"
    return ""


def is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
