"""What the jar can measure, from data/studies.json: every study's parameters and mechanisms."""

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
"""Every value of a parameter that is a word; of mechanisms also those that are added later."""

YOURS = "YOURS"
"""A mechanism of one's own: not among ALL, for it needs a class."""

OF_CORES = re.compile(r"(?:TWICE_CORES|CORES(?:([+-])([1-9][0-9]?))?)")
"""A number that this machine decides: its usable cores, twice as many, or so many more or fewer."""


OF_TIME = re.compile(r"NS_([1-9][0-9]{0,8})")
"""So much work that an event takes so many nanoseconds on one thread of this machine: for the
parameter of a study that makes an event cost more.
"""


class Parameter(BaseModel):
    """One `@Param` of a study: words, or whole numbers from min to max."""

    name: str
    values: list[str] | None = None
    min: int | None = None
    max: int | None = None
    pattern: str | None = None
    example: str | None = None
    default: str

    def annotation(self) -> Any:
        """The pydantic type of this parameter in a sweep: a non-empty list, which may be written as
        one value or `1..11`.
        """
        number = Annotated[
            int,
            Field(strict=True, ge=self.min, le=self.max),
            WrapValidator(parse_number_or_word),
            PlainSerializer(keep_value),
        ]
        item: Any = Annotated[str, AfterValidator(self.check_word)] if self.values else number
        return Annotated[
            list[item],
            Field(min_length=1),
            BeforeValidator(self.expand),
            WithJsonSchema(self.json_schema()),
        ]

    def check_word(self, word: str) -> str:
        """The word; ValueError, with those that are allowed, when it is not one of them."""
        if not self.knows(word):
            more = f", or a word such as {self.example}" if self.example else ""
            near = suggest(word, self.values or [])
            raise ValueError(
                f"{word} is unknown; allowed is {', '.join(self.values or [])}{more}"
                + (f".{near}" if near else "")
            )
        return word

    def knows(self, word: Any) -> bool:
        """Whether a word is one of the parameter's, or of its pattern."""
        matches = isinstance(word, str) and self.pattern and re.fullmatch(self.pattern, word)
        return word in (self.values or []) or bool(matches)

    def holds(self, value: int | str) -> bool:
        """Whether a number lies between the least and the greatest."""
        if not isinstance(value, int) or self.min is None or self.max is None:
            return False
        return self.min <= value <= self.max

    def expand(self, value: Any) -> Any:
        """One value as a list of one, `a..b` as its numbers, `ALL` as every word there is."""
        values = parse_values(value)
        every = bool(self.values) and isinstance(values, list) and ALL in values
        return [word for word in self.values or [] if word != YOURS] if every else values

    def json_schema(self) -> dict:
        """The same for editors, as JSON schema."""
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
    """`mechanisms` maps each mechanism to the parameters that make a difference to it; `measures`
    are found beyond time and CPU.

    `fills`: its shots say something only when they are long enough to fill the queue.
    """

    parameters: list[Parameter]
    mechanisms: dict[str, list[str]]
    measures: list[str] = []
    fills: bool = True

    def select_known(self, name: str, values: list) -> list:
        """Those of the values that the parameter may have; numbers, and keys that are no parameter,
        are not judged here.
        """
        own = next((parameter for parameter in self.parameters if parameter.name == name), None)
        if own is None or own.values is None:
            return values
        return [value for value in values if value == ALL or own.knows(value)]

    def resolve(self, name: str, values: list, cores: int) -> list:
        """The values with those decided that a machine of `cores` cores decides; without those that
        the parameter cannot have.
        """
        own = next(parameter for parameter in self.parameters if parameter.name == name)
        decided = [(value, resolve_cores(value, cores)) for value in values]
        return list(
            dict.fromkeys(
                number for value, number in decided if number == value or own.holds(number)
            )
        )

    def defaults(self) -> dict[str, str]:
        return {parameter.name: parameter.default for parameter in self.parameters}


def parse_values(value: Any) -> Any:
    """One value as a list of one, `a..b` as the whole numbers from a to b, also within a list."""
    if isinstance(value, list):
        return [
            each
            for item in value
            for each in (parse_values(item) if isinstance(item, str | float) else [item])
        ]
    if isinstance(value, float) and value.is_integer():
        return [int(value)]
    if isinstance(value, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?[eE]\+?[0-9]{1,2}", value):
        return parse_values(float(value))
    if isinstance(value, str) and ".." in value:
        first, _, last = value.partition("..")
        if first.strip().isdigit() and last.strip().isdigit():
            if int(last) < int(first):
                raise ValueError(f"{value} ends before it begins: write {last}..{first}")
            if int(last) - int(first) >= LONGEST_RANGE:
                raise ValueError(f"{value} are more than {LONGEST_RANGE:,} values")
            return list(range(int(first), int(last) + 1))
        if (
            OF_CORES.fullmatch(first.strip())
            and OF_CORES.fullmatch(last.strip())
            and TWICE not in (first.strip(), last.strip())
        ):
            return [
                f"CORES{beyond:+d}" if beyond else "CORES"
                for beyond in range(
                    int(resolve_cores(first.strip(), 0)), int(resolve_cores(last.strip(), 0)) + 1
                )
            ]
    return [value]


def resolve_cores(value: int | str, cores: int) -> int | str:
    """What a word such as CORES-1 stands for on a machine of `cores` cores; any other value as it
    is.
    """
    word = OF_CORES.fullmatch(value) if isinstance(value, str) else None
    if word is None:
        return value
    return 2 * cores if value == TWICE else cores + int((word[1] or "+") + (word[2] or "0"))


def parse_number_or_word(value: Any, number: Any) -> int | str:
    decided = isinstance(value, str) and (OF_CORES.fullmatch(value) or OF_TIME.fullmatch(value))
    return value if decided else number(value)


def keep_value(value: Any) -> Any:
    return value


@cache
def load_catalog() -> dict[str, StudySpec]:
    return {
        name: StudySpec.model_validate(study)
        for name, study in json.loads(STUDIES.read_text()).items()
    }
