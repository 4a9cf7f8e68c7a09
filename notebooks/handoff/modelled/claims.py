"""The paper's claims in the model. It judges nothing: verdicts are of what was measured."""

from collections.abc import Mapping
from itertools import chain, product
from typing import Any

import numpy as np
import pandas as pd
import yaml

from handoff.model.mechanisms import SEQUENTIAL
from handoff.modelled.arms import BASE, MOST_APART
from handoff.modelled.predictions import FEWER
from handoff.modelled.world import World, measure_test, passes_test
from handoff.paths import PUBLISHED

HOLDS, DOES_NOT, CANNOT_SAY = "holds", "does not hold", "the model cannot say"
FILE = PUBLISHED / "claims" / "scaling.yml"

READINGS = {"worker pool": "DISRUPTOR_WORKER_POOL", "striped handlers": "DISRUPTOR_STRIPED"}

Near = Mapping[str, Mapping[tuple[str, int], float]]
"""Of times and of cores kept busy, what was near enough where it could be measured: by mechanism
and sorts the worst factor that the model was off by.
"""


def load_claims() -> dict[str, dict[str, Any]]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))["claims"]


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
