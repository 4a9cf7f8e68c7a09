"""Claims as data: what a file data/published/claims/<study>.yml may hold."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, Field, model_validator

from handoff.catalog import StudySpec, load_catalog
from handoff.claims.check import SOCKETS, STRICT, Assignment, Check, Value

SOCKET_CORES = 6
"""Usable cores that a socket needs to count, as many as the paper's sockets had."""

Options = dict[str, Value]
"""Values by placeholder."""


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

    `when` has the values of placeholders with which it does, `at` the places of the check where it
    does: a claim fails if it fails at one place, and holds if all compared places are such.
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
            reached = [forced.at.items() <= at.items() for at in places]
            decided = all(reached) if forced.result == "holds" else any(reached)
            if forced.when.items() <= bindings.items() and decided:
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

    `amounts` are by the placeholder of a choice, with a value for each machine; `without` is an
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

    `settings` are versions of the programs, each with values for placeholders; each claim has a
    verdict in each of them. A file without this key has one setting, without a name. `choices` are
    what the source leaves open: each group offers values for placeholders, and the first option
    that the jar has is judged. `unstated` are parameters whose value the source does not state:
    every measured value is a choice. `tables` are the source's numbers in data/published.
    `parameters` adds words that only the source has. `load` is None in a study whose events bring
    no work. `changed` has what concerns all claims.
    """

    model_config = STRICT
    study: str
    source: str
    tables: list[str] = []
    parameters: dict[str, list[str]] = {}
    settings: Annotated[dict[str, Options], Field(min_length=1)] = {"": {}}
    choices: list[dict[str, Options]] = []
    unstated: list[str] = []
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

    def list_placeholders(self) -> Iterator[tuple[str, Value]]:
        """Yield every placeholder with each value that a setting or a choice gives it."""
        for options in (self.settings, *self.choices):
            for values in options.values():
                yield from values.items()

    def is_measurable(self, values: Options) -> bool:
        """Return whether the jar has these values.

        A release that can no longer be had, for example, is a word that only the source has.
        """
        only_theirs = {word for words in self.parameters.values() for word in words}
        return not only_theirs & set(values.values())

    def judge_by(self, setting: str = "") -> "Choice":
        """Return what is judged in a setting, by default the first: of each group one option."""
        chosen = {}
        for group in self.choices:
            measurable = [name for name, values in group.items() if self.is_measurable(values)]
            name = measurable[0] if measurable else next(iter(group))
            chosen[name] = group[name]
        return Choice("", chosen, self.settings[setting or next(iter(self.settings))])

    def list_choices(self, setting: str = "") -> list["Choice"]:
        """Return what is judged in a setting, then each other option alone, in the file's order."""
        judged = self.judge_by(setting)
        listed = [judged]
        for group in self.choices:
            kept = {name: v for name, v in judged.options.items() if name not in group}
            for name, values in group.items():
                if name not in judged.options:
                    listed.append(Choice(name, kept | {name: values}, judged.setting))
        return listed


class Choice(NamedTuple):
    """One way to fill in what a source leaves open.

    `name` is the option that is chosen otherwise than in what is judged, or ''. `options` are the
    chosen options with the values of their placeholders, `setting` the values that the setting
    gives, `assumed` values of parameters that no check names.
    """

    name: str
    options: Mapping[str, Options]
    setting: Options
    assumed: Mapping[str, Value] = MappingProxyType({})

    def bindings(self) -> Assignment:
        """Return the values of all placeholders."""
        bound = dict(self.setting)
        for values in self.options.values():
            bound |= values
        return bound

    def list_options(self, claim: Claim) -> tuple[str, ...]:
        """Return the options that make a difference to the claim."""
        used = claim.values()
        return tuple(name for name, values in self.options.items() if used & values.keys())
