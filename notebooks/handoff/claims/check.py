"""A check of a claim: what is compared with what, at which points, and its bounds."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from handoff.catalog import parse_values, resolve_cores

Value = int | str


Values = Annotated[list[Value], Field(min_length=1), BeforeValidator(parse_values)]


Selection = dict[str, Values]


Assignment = dict[str, Value]
"""One value for each parameter or placeholder."""


CORES = "CORES"
"""Placeholder for the number of cores; `CORES-1` and `TWICE_CORES` follow from it as in a sweep."""


SOCKETS = "sockets"
"""Number of sockets that a point's threads are on, used like a parameter.

Each of the paper's NUMA nodes was a socket.
"""


MEANING = "MEANING"
"""Placeholder for the quantity that a meaning of the claim's words stands for."""


STRICT = ConfigDict(extra="forbid")


QUANTITIES = ("time", "cpu_usage", "cpu_per_thread", "cpu_producer", "cpu_consumer")


def resolve_value(value: Value, bindings: Mapping[str, Value]) -> Value:
    """Return what a placeholder stands for, which may be a placeholder too; or else the value."""
    while isinstance(value, str) and value in bindings:
        value = bindings[value]
    return resolve_cores(value, int(bindings[CORES])) if CORES in bindings else value


class Change(BaseModel):
    """The value at `to` divided by the value at `from`."""

    model_config = STRICT
    start: Selection = Field(alias="from")
    end: Selection = Field(alias="to")


class Check(BaseModel):
    """One comparison, or one for each combination of the values of `along`.

    data/README.md explains the keys.
    """

    model_config = STRICT
    name: str = ""
    quantity: str = "time"
    times: str | None = None
    where: Selection = {}
    of: Selection
    to: Selection | None = None
    change: Change | None = None
    along: Selection = {}
    hold: Literal["each", "most", "some", "mean", "trend"] = "each"
    above: Annotated[float, Field(gt=0)] | None = None
    below: Annotated[float, Field(gt=0)] | None = None
    _study: str = PrivateAttr("")

    @property
    def study(self) -> str:
        """The study that the check's file is about."""
        return self._study

    @model_validator(mode="after")
    def bounds_make_sense(self) -> "Check":
        if self.above is None and self.below is None:
            raise ValueError("above or below is missing: a test needs a bound")
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise ValueError(f"above ({self.above}) must be less than below ({self.below})")
        return self

    def replace(self, quantity: str) -> "Check":
        """Return the check with this quantity where it has the placeholder."""
        if self.quantity != MEANING:
            return self
        changed = self.model_copy(update={"quantity": quantity})
        changed._study = self._study
        return changed

    def selections(self) -> Iterator[tuple[str, Selection]]:
        """Yield each selection with its place in the file."""
        yield from (
            ("where", self.where),
            ("of", self.of),
            ("to", self.to or {}),
            ("along", self.along),
        )
        if self.change:
            yield from (("change.from", self.change.start), ("change.to", self.change.end))
