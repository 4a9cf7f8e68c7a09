"""The object `STUDY` by which each package of `handoff.studies` describes its study.

Packages are discovered by folder, and load nothing heavy.
"""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from handoff.catalog import load_catalog
from handoff.paths import STUDY_ROOMS

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_NS_PER_EVENT = 250.0
"""Guessed cost of an event in a study that states none; it only affects a plan's expected time."""


def count_events(params: Mapping[str, str]) -> int:
    """Return the parameter `events`, the events of a shot in most studies."""
    return int(params.get("events", 0))


class Look(NamedTuple):
    """Style of one mechanism in all figures; mechanisms also differ in grey and by marker."""

    label: str
    short: str
    colour: str
    marker: str
    line: str

    @property
    def dot(self) -> str:
        """Return the marker for one fork, which can be hollow."""
        return self.marker if self.marker in FILLED else "D"


# The colours of Okabe and Ito.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#332288")
FILLED = ("o", "s", "^", "D", "v", "P", "X", "h", "<", ">", "p", "d", "H", "*", "8")
"""Markers that have an inside, which can be hollow."""
MARKERS = (*FILLED, "1", "2")
LINES = ("-", "--", ":", "-.")
UNKNOWN_LOOK = ("#777777", "x", "-.")
"""Style of mechanisms that are not in the jar, such as a release that only the source measured."""


class Cost(NamedTuple):
    """Inputs of a cost per event: the point's parameters, its threads, and the cores they use."""

    params: Mapping[str, str]
    threads: int
    cores: int


class Response(NamedTuple):
    """Quantity by which points are compared: column of the forks, name in sentences, axis label."""

    column: str
    name: str
    axis: str


TIME = Response("ns_per_event", "time", "ns per event")
CPU = Response("cpu_process", "CPU usage", "CPU usage, cores")

UNITS = {"capacity": "places", "events": "per shot"}
"""Units of parameters that several studies have."""


class Load(NamedTuple):
    """Means to make the events of a study cost more.

    `parameter` sets the cost; `event` is the study's word for an event, such as 'a hop'; `alone` is
    the point at which one thread does all the work (parameters to values).
    """

    parameter: str
    event: str
    alone: Mapping[str, str | int]


@dataclass(frozen=True)
class Study:
    """A study; `name` is its one word everywhere, from Java package to claim file.

    `order`: its place among the studies. `primary`: whether the paper is about it. `notebooks`: the
    words in the names of the notebooks that read it. `location`: parameters that locate a point in
    the study, shown even at their default; `axis`: the one that figures have on their x axis.
    `count_events`: the events of one shot of a point. `ns_per_event`: a rough cost, from which a
    plan estimates its time. `sequential`: the mechanism that works without any hand-over;
    `same_work`: the parameters that it shares with the points whose reference it is. `load`: what
    makes an event cost more; None if events bring no work. `responses`: the quantities by which
    sweeps compare points, the main one first. `units`: what a parameter's numbers count, for axes.
    """

    name: str
    title: str = ""
    order: int = 1000
    primary: bool = False
    notebooks: tuple[str, ...] = ()
    location: tuple[str, ...] = ()
    axis: str = ""
    count_events: Callable[[Mapping[str, str]], int] = count_events
    ns_per_event: Callable[[Cost], float] = lambda cost: DEFAULT_NS_PER_EVENT
    sequential: str = ""
    same_work: tuple[str, ...] = ()
    load: Load | None = None
    responses: tuple[Response, ...] = (TIME, CPU)
    looks: Mapping[str, Look] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    def label(self, parameter: str) -> str:
        """Return a parameter's name with its unit, such as 'capacity (places)'."""
        unit = self.units.get(parameter) or UNITS.get(parameter)
        return f"{parameter} ({unit})" if unit else parameter

    def look(self, mechanism: str) -> Look:
        """Return a mechanism's style: of `looks`, or else by its place in the study."""
        if mechanism in self.looks:
            return self.looks[mechanism]
        label = mechanism.lower().replace("_", " ")
        spec = load_catalog().get(self.name)
        if spec is None or mechanism not in spec.mechanisms:
            return Look(label, label, *UNKNOWN_LOOK)
        unnamed = [name for name in spec.mechanisms if name not in self.looks]
        taken = {look.marker for look in self.looks.values()}
        free = [marker for marker in MARKERS if marker not in taken] or list(MARKERS)
        used = {(look.colour, look.line) for look in self.looks.values()}
        styles = [(c, ls) for ls in LINES for c in PALETTE if (c, ls) not in used]
        place = unnamed.index(mechanism)
        colour, line = styles[place % len(styles)]
        return Look(label, label, colour, free[place % len(free)], line)

    def list_notebooks(self) -> tuple[str, ...]:
        return self.notebooks or (self.name,)

    def list_sentences(self, forks: "pd.DataFrame") -> list[str]:
        """Return what a reader of the figures must know, by its module `numbers`."""
        room = f"handoff.studies.{self.name}"
        if forks.empty or find_spec(room) is None or find_spec(f"{room}.numbers") is None:
            return []
        describe = getattr(import_module(f"{room}.numbers"), "list_sentences", None)
        return describe(forks) if describe else []


@cache
def load_studies() -> dict[str, Study]:
    """Return all studies in order; one that only the jar knows gets the defaults."""
    rooms = [room.name for room in pkgutil.iter_modules([str(STUDY_ROOMS)]) if room.ispkg]
    studies: dict[str, Study] = {}
    for room in rooms:
        study: Study = import_module(f"handoff.studies.{room}").STUDY
        if study.name != room:
            raise ValueError(
                f"handoff/studies/{room}: expected a study named {room}, got {study.name}"
            )
        studies[room] = study
    studies |= {name: Study(name) for name in load_catalog() if name not in studies}
    return dict(sorted(studies.items(), key=lambda item: (item[1].order, item[0])))


def find_study(name: str) -> Study:
    """Return the study of that name; an unknown one gets the defaults."""
    return load_studies().get(name) or Study(name)


@cache
def find_primary() -> Study:
    """Return the study that the paper is about."""
    return next(study for study in load_studies().values() if study.primary)
