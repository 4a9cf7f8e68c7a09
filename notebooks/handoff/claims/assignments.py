"""Values of parameters and placeholders, and what the latter stand for."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field

from handoff.catalog import parse_values

Value = int | str
Values = Annotated[list[Value], Field(min_length=1), BeforeValidator(parse_values)]
Selection = dict[str, Values]
Assignment = dict[str, Value]
"""One value for each parameter or placeholder."""

NODES = "nodes"
"""Not a parameter but what came of one: the number of NUMA nodes that a point's threads are on,
each on a socket of its own as the paper's were.
"""


def resolve_machine_words(cores: int) -> Assignment:
    """What the placeholders stand for that a machine decides.

    LAST_FITTING and FIRST_BEYOND are numbers of workers, for mechanisms with two threads more: all
    have a core, and one has none.
    """
    return {
        "CORES": cores,
        "TWICE_CORES": 2 * cores,
        "LAST_FITTING": cores - 2,
        "FIRST_BEYOND": cores - 1,
    }


MACHINE_WORDS = tuple(resolve_machine_words(0))


def resolve_value(value: Value, bindings: Mapping[str, Value]) -> Value:
    """What a placeholder stands for, also when that is a placeholder itself; other values as they
    are.
    """
    while isinstance(value, str) and value in bindings:
        value = bindings[value]
    return value
