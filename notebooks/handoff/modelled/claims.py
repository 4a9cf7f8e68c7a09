"""The paper's claims in the model. It judges nothing: verdicts are of what was measured."""

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import Any

import numpy as np
import pandas as pd
import yaml

from handoff.model.mechanisms import SEQUENTIAL
from handoff.modelled.arms import BASE, MOST_APART
from handoff.modelled.predictions import FEWER
from handoff.paths import PUBLISHED

HOLDS, DOES_NOT, CANNOT_SAY = "holds", "does not hold", "the model cannot say"
FILE = PUBLISHED / "claims" / "scaling.yml"

READINGS = {"worker pool": "DISRUPTOR_WORKER_POOL", "striped handlers": "DISRUPTOR_STRIPED"}
LOADS = {"HIGH": 1, "MEDIUM": 15, "LOW": 300}

Selection = Mapping[str, Any]


def load_claims() -> dict[str, dict[str, Any]]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))["claims"]


TIME, CPU = "time", "cpu"
Near = Mapping[str, Mapping[tuple[str, int], float]]
"""Of times and of cores kept busy, what was near enough where it could be measured: by mechanism
and sorts the worst factor that the model was off by.
"""


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


def judge_claims(table: pd.DataFrame, near: Near) -> pd.DataFrame:
    """One row a claim and reading: what the base says, in how many arms the claim holds, how far
    the arms are apart in what its tests compare, and what the model says, which is nothing where
    they disagree or are further apart than `MOST_APART`, or where a curve that the claim compares
    was not near enough. All arms have the same points.
    """
    alike = table[table["consumers"].isin([0, *FEWER])]
    rows = []
    for (name, claim), (reading, disruptor) in product(load_claims().items(), READINGS.items()):
        if not claim["test"]:
            continue
        worlds = {arm: World(own, disruptor) for arm, own in alike.groupby("arm", sort=False)}
        found = {
            arm: [measure_test(world, test) for test in claim["test"]]
            for arm, world in worlds.items()
        }
        held = {arm: all(map(passes_test, values, claim["test"])) for arm, values in found.items()}
        number = sum(held.values())
        apart = measure_distance([list(chain.from_iterable(values)) for values in found.values()])
        far = list_far(worlds[BASE], near, measure_tolerance(claim))
        agreed = number in (0, len(held)) and apart <= MOST_APART and not far
        rows.append(
            {
                "claim": name,
                "reading": reading,
                "says": claim["says"],
                "base": HOLDS if held[BASE] else DOES_NOT,
                "arms": len(held),
                "holds in": number,
                "apart": round(apart, 1),
                "says_here": (HOLDS if number else DOES_NOT) if agreed else CANNOT_SAY,
                "too far off": ", ".join(far),
                "else in": ", ".join(arm for arm, own in held.items() if own != held[BASE]),
            }
        )
    return pd.DataFrame(rows)


def measure_tolerance(claim: Mapping[str, Any]) -> float:
    """By what factor a curve may be off and a claim of sameness still be said: half the way, in
    logarithms, between the limits that are closest to each other.
    """
    both = [test for test in claim["test"] if "above" in test and "below" in test]
    spans = [test["below"] / test["above"] for test in both]
    return float(np.sqrt(min(spans, default=np.inf)))


def list_far(world: World, near: Near, tolerance: float) -> list[str]:
    """The curves that a world was asked for and that are not near enough."""
    far = []
    for quantity, mechanism, sorts in sorted(world.used):
        worst = near[quantity].get((mechanism, sorts))
        if mechanism != SEQUENTIAL and (worst is None or worst > tolerance):
            far.append(f"{quantity} of {mechanism} at {sorts}")
    return far


def measure_distance(values: list[list[float]]) -> float:
    """The greatest over the least of all arms, in the case where they are furthest apart; a row an
    arm, a column a case.
    """
    cases = np.array(values)
    cases = cases[:, ~np.isnan(cases).all(axis=0)]
    return float(np.nanmax(np.nanmax(cases, axis=0) / np.nanmin(cases, axis=0)))
