"""One arm of the model as a world that a claim's tests are put to."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from handoff.model.mechanisms import SEQUENTIAL

LOADS = {"HIGH": 1, "MEDIUM": 15, "LOW": 300}
TIME, CPU = "time", "cpu"

Selection = Mapping[str, Any]


class World:
    """What one arm says: mean `quantity` of the points that a selection names. `used`: of what
    quantity, mechanism and sorts it was asked.
    """

    def __init__(self, table: pd.DataFrame, disruptor: str) -> None:
        self.rows = {
            (row.mechanism, row.consumers, row.sorts): (row.ns, row.cores)
            for row in table.itertuples()
        }
        self.names: dict[str, Any] = {"DISRUPTOR": disruptor, **LOADS}
        self.used: set[tuple[str, str, int]] = set()

    def value(self, selection: Selection, quantity: str) -> float:
        """Geometric mean over the points; NaN where this arm has none."""
        mechanism = str(self.names.get(selection["mechanism"], selection["mechanism"]))
        sorts = int(str(self.names.get(selection["sorts"], selection["sorts"])))
        counts = expand(selection.get("consumers", 0)) if mechanism != SEQUENTIAL else [0]
        found = [
            self.quantify((mechanism, n, sorts), quantity)
            for n in counts
            if (mechanism, n, sorts) in self.rows
        ]
        return float(np.exp(np.mean(np.log(found)))) if found else float("nan")

    def quantify(self, key: tuple[str, int, int], quantity: str) -> float:
        self.used.add((TIME if quantity == "time" else CPU, key[0], key[2]))
        ns, cores = self.rows[key]
        per_thread = cores / (key[1] + 1)
        return {"time": ns, "cpu_usage": cores, "cpu_per_thread": per_thread}[quantity]


def expand(span: Any) -> list[int]:
    """'1..3' is 1, 2, 3."""
    first, _, last = str(span).partition("..")
    return list(range(int(first), int(last or first) + 1))


def list_cases(along: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every choice of what varies along."""
    values = [each if isinstance(each, list) else expand(each) for each in along.values()]
    for chosen in product(*values):
        yield dict(zip(along, chosen, strict=True))


def put_in(selection: Selection, case: Mapping[str, Any]) -> dict[str, Any]:
    """A selection with names such as METHOD replaced by what is chosen, and keys added."""
    names = {key: value for key, value in case.items() if key.isupper()}
    found = {
        key: names.get(value, value) if isinstance(value, str) else value
        for key, value in selection.items()
    }
    return {**{k: v for k, v in case.items() if not k.isupper()}, **found}


def measure_test(world: World, test: Mapping[str, Any]) -> list[float]:
    """What one test compares with its limits in one arm: a value a case, or their mean; NaN where
    the arm has none of a case's points.
    """
    quantity = test.get("quantity", "time")
    values = []
    for case in list_cases(test.get("along", {})):
        changed = [test["change"]["to"], test["change"]["from"]] if "change" in test else [{}]
        parts = []
        for change in changed:
            common = {**test.get("where", {}), **change}
            own = put_in({**common, **test["of"]}, case)
            value = world.value(own, quantity)
            if "to" in test:
                value /= world.value(put_in({**common, **test["to"]}, case), quantity)
            parts.append(value)
        values.append(parts[0] / parts[1] if len(parts) > 1 else parts[0])
    if test.get("hold") == "mean":
        return [float(np.exp(np.nanmean(np.log(values))))]
    return values


def passes_test(values: list[float], test: Mapping[str, Any]) -> bool:
    above, below = test.get("above", -np.inf), test.get("below", np.inf)
    return all(above < value < below for value in values if not np.isnan(value))
