"""A check of a claim: what is compared with what, at which points, and its bounds."""

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from handoff.analysis.intervals import Estimate, Interval
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

QUANTITIES = {
    "time": "time",
    "cpu_usage": "CPU usage",
    "cpu_per_thread": "CPU usage per thread",
    "cpu_producer": "the producer's CPU usage",
    "cpu_consumer": "a consumer's CPU usage",
}
"""Quantities that a check of any study may compare, with their names in sentences."""

STRICT = ConfigDict(extra="forbid")

NEARLY = 1e-9
"""Relative distance at which a published number counts as equal to a bound."""


def resolve_value(value: Value, bindings: Mapping[str, Value]) -> Value:
    """Return what a placeholder stands for, which may be a placeholder too; or else the value."""
    while isinstance(value, str) and value in bindings:
        value = bindings[value]
    return resolve_cores(value, int(bindings[CORES])) if CORES in bindings else value


class Bounds(NamedTuple):
    """A range of ratios or levels; 0 and inf where there is no bound."""

    low: float
    high: float

    def holds(self, estimate: Estimate) -> bool:
        """Return whether the estimate lies inside."""
        return self.margin((estimate.ratio, estimate.ratio)) >= -NEARLY

    def margin(self, interval: Interval) -> float:
        """Return how far inside the interval lies, in logarithms; negative if it reaches out."""
        low = math.log(interval[0] / self.low) if self.low else math.inf
        return min(low, math.log(self.high / interval[1]))

    def gap(self, interval: Interval) -> float:
        """Return how far outside the whole interval lies, in logarithms; negative otherwise."""
        return -self.margin((interval[1], interval[0]))


class Change(BaseModel):
    """The value at `to` divided by the value at `from`."""

    model_config = STRICT
    start: Selection = Field(alias="from")
    end: Selection = Field(alias="to")


class Check(BaseModel):
    """One comparison, or one per combination of `along`; data/README.md explains the keys."""

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

    @property
    def claimed(self) -> Bounds:
        """The range in which ratios or levels lie by the claim."""
        return Bounds(self.above or 0.0, self.below or math.inf)

    @property
    def direction(self) -> Bounds:
        """The claimed range without its size.

        A ratio claimed on one side of 1 may lie anywhere on that side. Levels, and ratios claimed
        on both sides, have no direction of their own.
        """
        claimed = self.claimed
        if self.to is None and self.hold != "trend":
            return claimed
        if claimed.low >= 1:
            return Bounds(1.0, math.inf)
        return Bounds(0.0, 1.0) if claimed.high <= 1 else claimed

    @property
    def has_size(self) -> bool:
        """Whether the check claims more than a direction."""
        return self.claimed != self.direction

    @model_validator(mode="after")
    def bounds_and_placeholders_make_sense(self) -> "Check":
        if self.above is None and self.below is None:
            raise ValueError("above or below is missing: a test needs a bound")
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise ValueError(f"above ({self.above}) must be less than below ({self.below})")
        # One that stands for itself, even by way of others, would be resolved without end.
        names = self.along.keys() & {v for values in self.along.values() for v in values}
        if names:
            raise ValueError(f"along: {min(names)} is a placeholder, not a value")
        return self

    def selections(self) -> Iterator[tuple[str, str, list[Value]]]:
        """Yield each selected parameter: its place in the file, its name and its values."""
        places = {"where": self.where, "of": self.of, "to": self.to or {}, "along": self.along}
        if self.change:
            places |= {"change.from": self.change.start, "change.to": self.change.end}
        for place, selection in places.items():
            for name, values in selection.items():
                yield place, name, values
