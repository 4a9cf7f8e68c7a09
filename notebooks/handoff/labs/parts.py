"""The parts of a lab that are checked: functions, values and Java classes, with their points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handoff.labs import bytecode


class Known(NamedTuple):
    """The data from which an expected value is computed.

    The functions by name are the references or, to follow a slip through, the student's own;
    then `given` holds the student's values so far, by the name of their part.
    """

    measured: Any
    functions: dict[str, Callable[..., Any]]
    given: dict[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Function:
    """A function, by its reference implementation and its test cases.

    `draw` makes one case from a random generator; `own` makes cases from the student's run.
    `rates` judges the results of all drawn cases together instead of one by one, and returns what
    is wrong, or ''. `keys` gives points to each key of a result that is a dictionary. `via` names
    an earlier function whose own result on a case, passed to the callable, makes this one's right.
    """

    reference: Callable[..., Any]
    draw: Callable[[Any], Sequence[Any]]
    own: Callable[[Any], Sequence[Sequence[Any]]] | None = None
    points: float = 1.0
    cases: int = 20
    rates: Callable[[list, list], str] | None = None
    keys: Mapping[str, float] = field(default_factory=dict)
    via: tuple[str, Callable[[Any], Any]] | None = None

    @property
    def name(self) -> str:
        return self.reference.__name__

    @property
    def parts(self) -> Mapping[str, float]:
        """Return the points of each key that is checked by itself."""
        return self.keys or {self.name: self.points}


@dataclass(frozen=True)
class Values:
    """Numbers and words, with points per key.

    `expected` computes what is right by key, of the run if it is `of_run`; or `judge` returns what
    is wrong with each key, or ''.
    """

    name: str
    parts: Mapping[str, float]
    expected: Callable[[Known], dict[str, Any]] | None = None
    judge: Callable[[Any], Mapping[str, str]] | None = None
    of_run: bool = True


@dataclass(frozen=True)
class JavaClass:
    """A class in Java, in a file of its name next to the notebook."""

    name: str
    points: float
    class_name: str

    @property
    def parts(self) -> Mapping[str, float]:
        return {self.name: self.points}

    @property
    def is_measured(self) -> bool:
        """Return whether it is a queue that is measured as YOURS, and not a model of queues."""
        return self.class_name == bytecode.NAME


Part = Function | Values | JavaClass
