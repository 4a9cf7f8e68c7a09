"""Simulated machines with known truths, on which students' claims are tried."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.baseline import find_baseline
from handoff.catalog import load_catalog
from handoff.claims.check import SOCKETS
from handoff.claims.files import check_names
from handoff.claims.judging import Machine, judge_claims
from handoff.claims.model import ClaimFile
from handoff.claims.observations import Observations
from handoff.errors import BadInput, validate

STUDY = "scaling"
LOADS = (1, 15, 300)
ALONE_NS = {1: 50.0, 15: 400.0, 300: 8000.0}
FORKS, NOISE = 7, 0.03
CORES = 12


class World(NamedTuple):
    """A machine: times over one thread's by mechanism; the threads of `crowded` share cores."""

    times: Mapping[str, Sequence[float]]
    crowded: str = ""

    def observe(self, random: np.random.Generator) -> Observations:
        defaults: dict[str, Any] = dict(load_catalog()[STUDY].defaults())
        rows = [
            defaults
            | {
                "study": STUDY,
                "mechanism": mechanism,
                "consumers": 1,
                "sorts": sorts,
                "events": 1_000_000,
                "capacity": 8192,
                "point": f"{mechanism}-{sorts}",
                "fork": fork,
                "time": ALONE_NS[sorts] * ratio * float(np.exp(random.normal(0, NOISE))),
                "oversubscribed": mechanism == self.crowded,
                "too_short": False,
                "short_usage": False,
                "session": 1,
                SOCKETS: 1,
            }
            for mechanism, ratios in self.times.items()
            for sorts, ratio in zip(LOADS, ratios, strict=True)
            for fork in range(FORKS)
        ]
        frame = pd.DataFrame(rows)
        return Observations(
            frame,
            [*load_catalog()[STUDY].defaults(), SOCKETS],
            find_baseline(frame, STUDY),
            {"CORES": CORES},
            5,
        )


def read_claims(content: object, source: str) -> ClaimFile:
    """Parse a student's claims about the paper's study; raise BadInput for what is wrong."""
    if not isinstance(content, dict):
        raise BadInput(f"{source}: must be claims by their names, such as A1:.")
    file = validate(ClaimFile, {"study": STUDY, "source": source, "claims": content}, source)
    for identity, claim in file.claims.items():
        for place, check in enumerate(claim.test):
            check_names(f"{source}: {identity}.test.{place}", check, file)
    return file


def judge_in(world: World, file: ClaimFile, seed: int) -> dict[str, str]:
    observed = world.observe(np.random.default_rng(seed))
    judged = judge_claims(file, observed, Machine(CORES, 2))
    return {verdict.identity: verdict.verdict for verdict in judged}
