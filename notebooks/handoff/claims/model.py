"""Claims as data: what a file data/published/claims/<study>.yml may hold."""

import itertools
from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

from handoff.catalog import load_catalog
from handoff.claims.assignments import NODES, Selection, Value

STRICT = ConfigDict(extra="forbid")

QUANTITIES = ("time", "cpu_usage", "cpu_per_thread", "cpu_producer", "cpu_consumer")


class Needs(BaseModel):
    """The least that a test needs, and in `all` the cores for every point of the claim."""

    model_config = STRICT
    cores: Annotated[int, Field(ge=1)]
    all: Annotated[int, Field(ge=1)] | None = None
    nodes: Annotated[int, Field(ge=1)] = 1
    profiler: str = ""
    besides: str = ""


class Change(BaseModel):
    """The value at `to` divided by the value at `from`."""

    model_config = STRICT
    start: Selection = Field(alias="from")
    end: Selection = Field(alias="to")


class Check(BaseModel):
    """One comparison, or one for each combination of the values of `along`; data/README.md says how
    to read it.

    `cores`: a machine with fewer judges the claim without this check.
    """

    model_config = STRICT
    name: str = ""
    cores: Annotated[int, Field(ge=1)] | None = None
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
        """The study that its file is about."""
        return self._study

    @model_validator(mode="after")
    def bounds_make_sense(self) -> "Check":
        if self.above is None and self.below is None:
            raise ValueError("above or below is missing: a test needs a bound")
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise ValueError(f"above ({self.above}) must be less than below ({self.below})")
        return self

    def selections(self) -> Iterator[tuple[str, Selection]]:
        """(place in the file, selection) of all of them."""
        yield from (
            ("where", self.where),
            ("of", self.of),
            ("to", self.to or {}),
            ("along", self.along),
        )
        if self.change:
            yield from (("change.from", self.change.start), ("change.to", self.change.end))


class Claim(BaseModel):
    """One published sentence in our words.

    All of `test` must hold; `shown` is reported beside it and decides nothing.

    `shared`: the claim speaks of threads that share cores, so such points are judged too.
    """

    model_config = STRICT
    says: str
    place: str
    figure: int | None = None
    ours: bool = False
    shared: bool = False
    needs: Needs
    test: list[Check]
    shown: list[Check] = []

    def values(self) -> set[Value]:
        """Every value and placeholder in its checks."""
        return {
            value
            for check in self.test + self.shown
            for _, chosen in check.selections()
            for values in chosen.values()
            for value in values
        }

    @model_validator(mode="after")
    def can_be_tested_or_says_why_not(self) -> "Claim":
        if not self.test and not (self.needs.profiler or self.needs.besides):
            raise ValueError(
                "test is empty: needs.profiler or needs.besides must say what is lacking"
            )
        if self.test and min(check.cores or 0 for check in self.test) > self.needs.cores:
            raise ValueError(
                f"every check asks for more cores than needs.cores ({self.needs.cores}): nothing"
                " would be left to judge"
            )
        return self


class PublishedLoad(BaseModel):
    """What the work of an event cost the source on one thread, in nanoseconds.

    `amounts`: by the placeholder of a reading, on each of the source's machines. `without`: an
    event without work, the hand-over alone. `unknown`: why none of it can be derived, and what we
    make of that.
    """

    model_config = STRICT
    amounts: dict[str, Annotated[list[float], Field(min_length=1)]] = {}
    without: Annotated[float, Field(gt=0)] | None = None
    unknown: str = ""

    @model_validator(mode="after")
    def tells_something(self) -> "PublishedLoad":
        if bool(self.amounts) == bool(self.unknown):
            raise ValueError("either amounts, in ns an event, or unknown must be given")
        return self


class ClaimFile(BaseModel):
    """The claims of one study.

    `readings` are ways to read its words: each group offers values for placeholders.

    `tables` are the source's numbers in data/published; `parameters` stand in for those of a study
    that the jar does not know yet, and add words that only the source has to those that it knows.
    `load` is what the work of an event cost the source; None in a study without work.
    """

    model_config = STRICT
    study: str
    source: str
    tables: list[str] = []
    parameters: dict[str, list[str]] = {}
    readings: list[dict[str, dict[str, Value]]] = []
    load: PublishedLoad | None = None
    claims: dict[Annotated[str, Field(pattern=r"^[A-Z][0-9]+$")], Claim]

    @model_validator(mode="after")
    def checks_know_their_study(self) -> "ClaimFile":
        for claim in self.claims.values():
            for check in claim.test + claim.shown:
                check._study = self.study
        return self

    def allowed(self) -> dict[str, list[str]]:
        """Parameter to its words; none where it takes whole numbers."""
        known = load_catalog().get(self.study)
        if known is None:
            return self.parameters
        return {
            p.name: [*(p.values or []), *self.parameters.get(p.name, [])] for p in known.parameters
        } | {NODES: []}

    def quantities(self) -> list[str]:
        """What a check may compare."""
        known = load_catalog().get(self.study)
        return [*QUANTITIES, *(known.measures if known else [])]

    def reading_list(self) -> list["Reading"]:
        """Every combination of the readings; the first is the source's own words
        taken literally.
        """
        combinations = itertools.product(*(group.items() for group in self.readings))
        return [
            Reading(tuple(option for option, _ in chosen), tuple(values for _, values in chosen))
            for chosen in combinations
        ]


class Reading(NamedTuple):
    """One option of each group, and what its placeholders stand for."""

    names: tuple[str, ...]
    values: tuple[dict[str, Value], ...]

    def bindings(self) -> dict[str, Value]:
        return {name: value for values in self.values for name, value in values.items()}

    def of_claim(self, claim: Claim) -> str:
        """The names of those options that make a difference to the claim."""
        used = claim.values()
        return ", ".join(
            name
            for name, values in zip(self.names, self.values, strict=True)
            if name and used & values.keys()
        )
