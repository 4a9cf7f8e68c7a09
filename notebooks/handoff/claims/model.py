"""Claims as data: what a file data/published/claims/<study>.yml may hold."""

import datetime
import itertools
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, Field, model_validator

from handoff.catalog import StudySpec, load_catalog
from handoff.claims.check import SOCKETS, STRICT, Assignment, Check, Value

SOCKET_CORES = 6
"""Usable cores that a socket needs to count, as many as the paper's sockets had."""


class Needs(BaseModel):
    """The least that a test needs: cores, and sockets with SOCKET_CORES usable cores each.

    `all` is the number of cores for every point of the claim. `counters` names what hardware must
    count, unless the run has it; `extra` is anything else that a test would take.
    """

    model_config = STRICT
    cores: Annotated[int, Field(ge=1)]
    all: Annotated[int, Field(ge=1)] | None = None
    sockets: Annotated[int, Field(ge=1)] = 1
    counters: str = ""
    extra: str = ""


class Forced(BaseModel):
    """A result that holds or fails by construction, so that there is nothing to judge.

    `when` has the values of placeholders with which it does. `at` is a place of the check that must
    have been compared.
    """

    model_config = STRICT
    when: Assignment = {}
    at: Assignment = {}
    result: Literal["holds", "fails"]
    why: str


class Revision(BaseModel):
    """One change of a test or of its words.

    `what` says what changed and why, `seen` whether data of the claim had been seen by then.
    """

    model_config = STRICT
    date: datetime.date
    what: str
    seen: bool


class Claim(BaseModel):
    """One published sentence in our words.

    All checks of `test` must hold; those of `shown` are reported and decide nothing. With `shared`,
    points whose threads share cores are judged too, because the claim is about such threads.
    `because` says why the test is the sentence's, `match` by what its load may match the source's:
    the time of an event, or the share of the work in it. `wakes`: its size is made of wake-ups.
    """

    model_config = STRICT
    says: str
    place: str
    figure: int | None = None
    ours: bool = False
    shared: bool = False
    needs: Needs
    because: str = ""
    wakes: bool = False
    match: list[Literal["time", "share"]] = ["time", "share"]
    forced: list[Forced] = []
    test: list[Check]
    shown: list[Check] = []
    changed: list[Revision] = []

    def find_forced(
        self, bindings: Mapping[str, Value], places: Sequence[Assignment]
    ) -> Forced | None:
        """Return what forces the result with these values at these places, if anything does."""
        for forced in self.forced:
            fits = forced.when.items() <= bindings.items()
            if fits and any(forced.at.items() <= at.items() for at in places):
                return forced
        return None

    def values(self) -> set[Value]:
        """Return every value and placeholder in the claim's checks."""
        return {
            value
            for check in self.test + self.shown
            for _, _, values in check.selections()
            for value in values
        }

    @model_validator(mode="after")
    def has_a_test_or_a_need(self) -> "Claim":
        if not self.test and not (self.needs.extra or self.needs.counters):
            raise ValueError("test is empty: needs.extra must say what a test would take")
        return self


class PublishedLoad(BaseModel):
    """The cost of an event's work on one thread of the source's machines, in nanoseconds.

    `amounts` are by the placeholder of a reading, with a value for each machine; `without` is an
    event without work, so the hand-over alone. `unknown` says why the cost cannot be derived.
    """

    model_config = STRICT
    amounts: dict[str, Annotated[list[float], Field(min_length=1)]] = {}
    without: Annotated[float, Field(gt=0)] | None = None
    unknown: str = ""

    @model_validator(mode="after")
    def is_known_or_unknown(self) -> "PublishedLoad":
        if bool(self.amounts) == bool(self.unknown):
            raise ValueError("expected either amounts, in ns per event, or unknown")
        return self


class ClaimFile(BaseModel):
    """The claims of one study.

    `readings` are ways to read its words: each group offers values for placeholders. `tables` are
    the source's numbers in data/published. `parameters` adds words that only the source has. `load`
    is None in a study whose events bring no work. `changed` has what concerns all claims.
    """

    model_config = STRICT
    study: str
    source: str
    tables: list[str] = []
    parameters: dict[str, list[str]] = {}
    readings: list[dict[str, dict[str, Value]]] = []
    load: PublishedLoad | None = None
    changed: list[Revision] = []
    claims: dict[Annotated[str, Field(pattern=r"^[A-Z][0-9]+$")], Claim]

    @model_validator(mode="after")
    def checks_know_their_study(self) -> "ClaimFile":
        for claim in self.claims.values():
            for check in claim.test + claim.shown:
                check._study = self.study
        return self

    @property
    def spec(self) -> StudySpec:
        """The study as the jar knows it."""
        return load_catalog()[self.study]

    def allowed(self) -> dict[str, list[str]]:
        """Return the words of each parameter; none for a parameter of whole numbers."""
        return {
            p.name: [*(p.values or []), *self.parameters.get(p.name, [])]
            for p in self.spec.parameters
        } | {SOCKETS: []}

    def matches(self, name: str, value: Value) -> bool:
        """Return whether a value has the form of the parameter's words, such as CPUS_0_2."""
        return any(p.name == name and p.knows(value) for p in self.spec.parameters)

    def reading_list(self) -> list["Reading"]:
        """Return every combination of the readings, in the order of the file."""
        return [Reading(o) for o in itertools.product(*(group.items() for group in self.readings))]

    def judged_readings(self) -> list["Reading"]:
        """Return the readings that the jar can measure: the literal one, which is judged, first.

        A release that can no longer be had, for example, is a word that only the source has.
        """
        only_theirs = {word for words in self.parameters.values() for word in words}
        return [r for r in self.reading_list() if not only_theirs & set(r.bindings().values())]


class Reading(NamedTuple):
    """One option of each group of readings: its name, and the values of its placeholders."""

    options: tuple[tuple[str, dict[str, Value]], ...]

    def bindings(self) -> dict[str, Value]:
        return {name: value for _, values in self.options for name, value in values.items()}

    def list_options(self, claim: Claim) -> tuple[str, ...]:
        """Return the options that make a difference to the claim."""
        used = claim.values()
        return tuple(name for name, values in self.options if used & values.keys())
