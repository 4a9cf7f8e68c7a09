"""The paper's claims in the model. It judges nothing: verdicts are of what was measured."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import yaml

from handoff.modelled.arms import BASE
from handoff.paths import PUBLISHED

HOLDS, DOES_NOT, CANNOT_SAY = "holds", "does not hold", "the model cannot say"
FILE = PUBLISHED / "claims" / "scaling.yml"

READINGS = {"worker pool": "DISRUPTOR_WORKER_POOL", "striped handlers": "DISRUPTOR_STRIPED"}
LOADS = {"HIGH": 1, "MEDIUM": 15, "LOW": 300}

Selection = Mapping[str, Any]


def load_claims() -> dict[str, dict[str, Any]]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))["claims"]


class World:
    """What one arm says: mean `quantity` of the points that a selection names."""

    def __init__(self, table: pd.DataFrame, disruptor: str) -> None:
        self.rows = {
            (row.mechanism, row.consumers, row.sorts): (row.ns, row.cores)
            for row in table.itertuples()
        }
        self.names: dict[str, Any] = {"DISRUPTOR": disruptor, **LOADS}

    def value(self, selection: Selection, quantity: str) -> float:
        """Geometric mean over the points; NaN where this arm has none."""
        mechanism = str(self.names.get(selection["mechanism"], selection["mechanism"]))
        sorts = int(str(self.names.get(selection["sorts"], selection["sorts"])))
        counts = expand(selection.get("consumers", 0)) if mechanism != "SEQUENTIAL" else [0]
        found = [
            self.quantify((mechanism, n, sorts), quantity)
            for n in counts
            if (mechanism, n, sorts) in self.rows
        ]
        return float(np.exp(np.mean(np.log(found)))) if found else float("nan")

    def quantify(self, key: tuple[str, int, int], quantity: str) -> float:
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


def evaluate_test(world: World, test: Mapping[str, Any]) -> bool | None:
    """Whether one test of a claim holds in one arm; None where it has none of its points."""
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
        value = parts[0] / parts[1] if len(parts) > 1 else parts[0]
        if not np.isnan(value):
            values.append(value)
    if not values:
        return None
    above, below = test.get("above", -np.inf), test.get("below", np.inf)
    if test.get("hold") == "mean":
        return bool(above < np.exp(np.mean(np.log(values))) < below)
    return all(above < value < below for value in values)


def claim_holds(world: World, claim: Mapping[str, Any]) -> bool | None:
    """Whether all of a claim's tests hold in one arm; None where none can be made."""
    found = [evaluate_test(world, test) for test in claim["test"]]
    if not found or None in found:
        return None
    return all(found)


def judge_claims(table: pd.DataFrame) -> pd.DataFrame:
    """One row a claim and reading: what the base says, in how many arms the claim holds, and what
    the model says: `holds` or `does not hold` only where all arms agree.
    """
    rows = []
    for (name, claim), (reading, disruptor) in product(load_claims().items(), READINGS.items()):
        if not claim["test"]:
            continue
        arms = {arm: claim_holds(World(own, disruptor), claim) for arm, own in table.groupby("arm")}
        made = {arm: held for arm, held in arms.items() if held is not None}
        held = sum(map(bool, made.values()))
        says = HOLDS if held == len(made) else CANNOT_SAY if held else DOES_NOT
        rows.append(
            {
                "claim": name,
                "reading": reading,
                "says": claim["says"],
                "base": HOLDS if made[BASE] else DOES_NOT,
                "arms": len(made),
                "holds in": held,
                "says_here": says,
                "else in": ", ".join(arm for arm, own in made.items() if own != made[BASE]),
            }
        )
    return pd.DataFrame(rows)
