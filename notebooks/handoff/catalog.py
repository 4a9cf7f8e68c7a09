"""Parameters and mechanisms of the studies that the jar can measure, from data/studies.json."""

import json
import re
from functools import cache
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PlainSerializer,
    WithJsonSchema,
    WrapValidator,
)

from handoff.paths import STUDIES
from handoff.text import suggest

LONGEST_RANGE = 10_000
TWICE = "TWICE_CORES"
ALL = "ALL"
"""Stands for every word of a parameter; for mechanisms, also for those added later."""

YOURS = "YOURS"
"""Mechanism of the user: not part of ALL, because it needs a class."""

OF_CORES = re.compile(r"(?:TWICE_CORES|CORES(?:([+-])([1-9][0-9]?))?)")
"""Number that depends on the machine: its usable cores, twice as many, or a few more or fewer."""

OF_TIME = re.compile(r"NS_([1-9][0-9]{0,8})")
"""Amount of work that takes the given nanoseconds per event on one thread of this machine."""


class Parameter(BaseModel):
    """An `@Param` of a study: words, or integers from min to max."""

    name: str
    values: list[str] | None = None
    min: int | None = None
    max: int | None = None
    pattern: str | None = None
    example: str | None = None
    default: str

    def annotation(self) -> Any:
        """Return its pydantic type in a sweep: a list, also written as one value or `1..11`."""
        number = Annotated[
            int,
            Field(strict=True, ge=self.min, le=self.max),
            WrapValidator(parse_number_or_word),
            PlainSerializer(lambda value: value),
        ]
        item: Any = Annotated[str, AfterValidator(self.check_word)] if self.values else number
        return Annotated[
            list[item],
            Field(min_length=1),
            BeforeValidator(self.expand),
            WithJsonSchema(self.json_schema()),
        ]

    def check_word(self, word: str) -> str:
        """Return the word; raise ValueError, which lists the known words, if it is unknown."""
        if not self.knows(word):
            more = f", or a word such as {self.example}" if self.example else ""
            near = suggest(word, self.values or [])
            raise ValueError(
                f"unknown value {word}; choose from {', '.join(self.values or [])}{more}"
                + (f".{near}" if near else "")
            )
        return word

    def knows(self, word: Any) -> bool:
        """Return whether a word is one of the parameter's values or matches its pattern."""
        matches = isinstance(word, str) and self.pattern and re.fullmatch(self.pattern, word)
        return word in (self.values or []) or bool(matches)

    def holds(self, value: int | str) -> bool:
        """Return whether a value is a number from min to max."""
        if not isinstance(value, int) or self.min is None or self.max is None:
            return False
        return self.min <= value <= self.max

    def expand(self, value: Any) -> Any:
        """Return the list that a value stands for: `a..b` its numbers, `ALL` every word."""
        values = parse_values(value)
        if self.values and isinstance(values, list) and ALL in values:
            return [word for word in self.values if word != YOURS]
        return values

    def json_schema(self) -> dict:
        """Return the JSON schema of this parameter in a sweep, for editors."""
        if self.values:
            one: dict[str, Any] = {"enum": [*self.values, ALL]}
            if self.pattern:
                one = {"anyOf": [one, {"type": "string", "pattern": f"^{self.pattern}$"}]}
        else:
            cores = rf"{OF_CORES.pattern}(\.\.{OF_CORES.pattern})?"
            ranges = rf"^(\d+\.\.\d+|{cores}|{OF_TIME.pattern})$"
            one = {
                "anyOf": [
                    {"type": "integer", "minimum": self.min, "maximum": self.max},
                    {"type": "string", "pattern": ranges},
                ]
            }
        return {
            "anyOf": [one, {"type": "array", "items": one, "minItems": 1}],
            "default": self.default,
        }


class StudySpec(BaseModel):
    """Parameters, mechanisms and measures of a study.

    `mechanisms` maps each mechanism to the parameters that matter to it; `measures` are taken in
    addition to time and CPU; `fills`: a shot must be long enough to fill the queue; `shortens`: a
    warm-up shot can have fewer events.
    """

    parameters: list[Parameter]
    mechanisms: dict[str, list[str]]
    measures: list[str] = []
    fills: bool = True
    shortens: bool = False

    def select_known(self, name: str, values: list) -> list:
        """Return the words that the parameter knows, and all values of keys that take no words."""
        named = next((parameter for parameter in self.parameters if parameter.name == name), None)
        if named is None or named.values is None:
            return values
        return [value for value in values if value == ALL or named.knows(value)]

    def resolve(self, name: str, values: list, cores: int) -> list:
        """Return the values with words such as CORES replaced by numbers that are possible."""
        named = next(parameter for parameter in self.parameters if parameter.name == name)
        pairs = [(value, resolve_cores(value, cores)) for value in values]
        return list(dict.fromkeys(new for value, new in pairs if new == value or named.holds(new)))

    def defaults(self) -> dict[str, str]:
        return {parameter.name: parameter.default for parameter in self.parameters}


def parse_values(value: Any) -> Any:
    """Return a list for one value, with `a..b` as its integers, also within a list."""
    if isinstance(value, list):
        return [
            part
            for item in value
            for part in (parse_values(item) if isinstance(item, str | float) else [item])
        ]
    if isinstance(value, float) and value.is_integer():
        return [int(value)]
    if not isinstance(value, str):
        return [value]
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?[eE]\+?[0-9]{1,2}", value):
        return parse_values(float(value))
    ends = [word.strip() for word in value.split("..")]
    if len(ends) != 2:
        return [value]
    if all(re.fullmatch(r"[0-9]+", word) for word in ends):
        return list_range(int(ends[0]), int(ends[1]))
    if all(OF_CORES.fullmatch(word) and word != TWICE for word in ends):
        first, last = (int(resolve_cores(word, 0)) for word in ends)
        return [f"CORES{more:+d}" if more else "CORES" for more in range(first, last + 1)]
    return [value]


def list_range(first: int, last: int) -> list[int]:
    """Return the integers of a range; raise ValueError unless it counts up, and not too far."""
    if last < first:
        raise ValueError(f"{first}..{last} counts down; write {last}..{first}")
    if last - first >= LONGEST_RANGE:
        raise ValueError(f"{first}..{last} has more than {LONGEST_RANGE:,} values")
    return list(range(first, last + 1))


def resolve_cores(value: int | str, cores: int) -> int | str:
    """Return the number that a word such as CORES-1 stands for, or else the value."""
    word = OF_CORES.fullmatch(value) if isinstance(value, str) else None
    if word is None:
        return value
    return 2 * cores if value == TWICE else cores + int((word[1] or "+") + (word[2] or "0"))


def parse_number_or_word(value: Any, number: Any) -> int | str:
    word = isinstance(value, str) and (OF_CORES.fullmatch(value) or OF_TIME.fullmatch(value))
    return value if word else number(value)


@cache
def load_catalog() -> dict[str, StudySpec]:
    return {
        name: StudySpec.model_validate(study)
        for name, study in json.loads(STUDIES.read_text()).items()
    }
