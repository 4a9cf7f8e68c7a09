"""What the jar can measure, from data/studies.json: every study's parameters and mechanisms."""

import json
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from handoff.paths import STUDIES

LONGEST_RANGE = 10_000


class Parameter(BaseModel):
    """One `@Param` of a study: words, or whole numbers from min to max."""

    name: str
    values: list[str] | None
    min: int | None
    max: int | None
    standard: str

    def annotation(self) -> Any:
        """The pydantic type of this parameter in a sweep: a non-empty list, which may be written as one value or `1..11`."""
        item = Literal[tuple(self.values)] if self.values else Annotated[int, Field(strict=True, ge=self.min, le=self.max)]
        return Annotated[list[item], Field(min_length=1), BeforeValidator(listed), WithJsonSchema(self.schema())]

    def schema(self) -> dict:
        """The same for editors, as JSON schema."""
        one = {"enum": self.values} if self.values else {"type": "integer", "minimum": self.min, "maximum": self.max}
        ranges = [] if self.values else [{"type": "string", "pattern": r"^\d+\.\.\d+$"}]
        return {"anyOf": [one, *ranges, {"type": "array", "items": one, "minItems": 1}], "default": self.standard}


class Study(BaseModel):
    """`mechanisms` maps each mechanism to the parameters that make a difference to it; `measures` are found beyond time and CPU.

    `fills`: its shots say something only when they are long enough to fill the queue.
    """

    parameters: list[Parameter]
    mechanisms: dict[str, list[str]]
    measures: list[str] = []
    fills: bool = True

    def knows(self, name: str, values: list) -> list:
        """Those of the values that the parameter may have; numbers, and keys that are no parameter, are not judged here."""
        words = next((parameter.values for parameter in self.parameters if parameter.name == name), None)
        return values if words is None else [value for value in values if value in words]

    def standards(self) -> dict[str, str]:
        return {parameter.name: parameter.standard for parameter in self.parameters}


def listed(value: Any) -> Any:
    """One value as a list of one, `a..b` as the whole numbers from a to b."""
    if isinstance(value, list):
        return value
    if isinstance(value, str) and ".." in value:
        first, _, last = value.partition("..")
        if first.strip().isdigit() and last.strip().isdigit() and int(last) - int(first) < LONGEST_RANGE:
            return list(range(int(first), int(last) + 1))
    return [value]


@cache
def studies() -> dict[str, Study]:
    return {name: Study.model_validate(study) for name, study in json.loads(STUDIES.read_text()).items()}
