"""One study, as the rest of Handoff knows it: the object `STUDY` that each of its rooms begins
with.

It is small and loads nothing heavy: numbers and figures lie in other files of the room.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from handoff.catalog import load_catalog

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_NS_PER_EVENT = 250.0
"""What an event is guessed to cost in a study that does not say: only the plan's expected time is
wrong by it.
"""


class Look(NamedTuple):
    """How one mechanism is drawn; colours of Okabe and Ito, told apart also in grey and by their
    marks.
    """

    label: str
    short: str
    colour: str
    marker: str
    line: str

    @property
    def dot(self) -> str:
        """The marker of one fork; where the mechanism's own is a line, another."""
        return "D" if self.marker == "_" else self.marker


PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#332288")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "h", "<", ">", "p", "d", "H", "*", "8", "1")
LINES = ("-", "--", ":", "-.")
UNKNOWN_LOOK = ("#777777", "x", "-.")
"""Of what is not in the jar, such as a release that only the source measured."""


class Cost(NamedTuple):
    """What a cost per event may depend on: the point's parameters, its threads, and the cores that
    these are on.
    """

    params: Mapping[str, str]
    threads: int
    cores: int


class Response(NamedTuple):
    """What a study's points are compared by: a column of its forks, what it is called in a
    sentence, and its axis.
    """

    column: str
    name: str
    axis: str


TIME = Response("ns_per_event", "time", "ns per event")
CPU = Response("cpu_process", "CPU usage", "CPU usage, cores")


class Load(NamedTuple):
    """The parameter that makes an event cost more, what the study calls an event, such as 'a hop',
    and the point that has one thread do all of it (parameters to values).
    """

    parameter: str
    event: str
    alone: Mapping[str, str | int]


@dataclass(frozen=True)
class Study:
    """`name` is the one word of the study everywhere: Java package, sweep key, table, notebook,
    claim file.

    `order`: its place among the studies. `primary`: the study that the paper is about. `notebooks`:
    those that read it, by the word in their names. `location`: parameters that tell where in the
    study a point lies, shown also at their default; `axis`: the one of them that its figures have
    on their x axis. `ns_per_event`: a rough cost, by which a plan's time is guessed. `sequential`:
    the mechanism that does the work without any hand-over, and the parameters (`same_work`) that it
    shares with a point whose reference it is. `load`: what makes an event cost more; None where
    events bring no work. `responses`: what any sweep of it is compared by, the first before all.
    """

    name: str
    title: str = ""
    order: int = 1000
    primary: bool = False
    notebooks: tuple[str, ...] = ()
    location: tuple[str, ...] = ()
    axis: str = ""
    ns_per_event: Callable[[Cost], float] = lambda cost: DEFAULT_NS_PER_EVENT
    sequential: str = ""
    same_work: tuple[str, ...] = ()
    load: Load | None = None
    responses: tuple[Response, ...] = (TIME, CPU)
    looks: Mapping[str, Look] = field(default_factory=dict)

    def look(self, mechanism: str) -> Look:
        """Of a mechanism without a look of its own: its code name in plain words, and a mark by its
        position in the study.
        """
        if mechanism in self.looks:
            return self.looks[mechanism]
        label = mechanism.lower().replace("_", " ")
        spec = load_catalog().get(self.name)
        if spec is None or mechanism not in spec.mechanisms:
            return Look(label, label, *UNKNOWN_LOOK)
        unnamed = [name for name in spec.mechanisms if name not in self.looks]
        taken = {look.marker for look in self.looks.values()}
        free = [marker for marker in MARKERS if marker not in taken] or list(MARKERS)
        figure = {(look.colour, look.line) for look in self.looks.values()}
        styles = [(c, ls) for ls in LINES for c in PALETTE if (c, ls) not in figure]
        place = unnamed.index(mechanism)
        colour, line = styles[place % len(styles)]
        return Look(label, label, colour, free[place % len(free)], line)

    def list_notebooks(self) -> tuple[str, ...]:
        return self.notebooks or (self.name,)

    def list_sentences(self, forks: "pd.DataFrame") -> list[str]:
        """What a reader of the study's figures must know, from `list_sentences` of its `numbers`;
        none without forks.
        """
        room = f"handoff.studies.{self.name}"
        if forks.empty or find_spec(room) is None or find_spec(f"{room}.numbers") is None:
            return []
        describe = getattr(import_module(f"{room}.numbers"), "list_sentences", None)
        return describe(forks) if describe else []
