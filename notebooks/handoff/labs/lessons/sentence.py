"""Lab 3: is the published sentence true here? Claims as tests, "the same", and fork counts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from handoff.analysis.baseline import find_baseline
from handoff.analysis.intervals import MIN_FORKS
from handoff.catalog import load_catalog
from handoff.claims.case import Machine
from handoff.claims.check import CORES, SOCKETS
from handoff.claims.files import check_names
from handoff.claims.judging import judge_claims
from handoff.claims.model import ClaimFile
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_run
from handoff.claims.run_judging import describe_machine, judge_run
from handoff.claims.verdicts import JUDGED, NOT_TESTABLE
from handoff.errors import BadInput, validate
from handoff.labs.forks import list_groups
from handoff.labs.lab import Function, Known, Lab, Values, ask, ask_words
from handoff.run.store.run import Run
from handoff.tables import tidy

QUEUE, DISRUPTOR, ALONE = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "SEQUENTIAL"
STUDY, LOADS = "scaling", (1, 15, 300)
CLAIMS = ("P1", "P3", "P8", "P11", "P13")
VERDICT_WORDS = (*JUDGED, NOT_TESTABLE)


def make_claim(says: str, **test: object) -> dict[str, Any]:
    return {"says": says, "place": "lab 3", "needs": {"cores": 2}, "test": [test]}


REFERENCE = {
    "A1": make_claim(
        "At 1, 15 and 300 sorts, an event takes longer by the queue than on one thread.",
        of={"mechanism": [QUEUE], "consumers": [1]},
        to={"mechanism": [ALONE]},
        along={"sorts": [1, 15, 300]},
        hold="each",
        above=1,
    ),
    "A2": make_claim(
        "At 300 sorts, queue and Disruptor take about the same time.",
        where={"sorts": [300], "consumers": [1]},
        of={"mechanism": [QUEUE]},
        to={"mechanism": [DISRUPTOR]},
        above=0.9,
        below=1.1,
    ),
}


ALONE_NS = {1: 50.0, 15: 400.0, 300: 8000.0}
FORKS, NOISE = 7, 0.03
MACHINE = Machine(12, 2)

World = tuple[Sequence[float], Sequence[float], str]
"""A simulated machine: queue's and Disruptor's times over one thread's at each load, and the
mechanism whose threads share cores.
"""

WORLDS: dict[str, World] = {
    "where both are as said": ((3.0, 2.0, 1.3), (1.5, 1.4, 1.3), ""),
    "where both are the other way round": ((0.4, 0.5, 0.6), (0.9, 0.9, 1.3), ""),
    "where all mechanisms are alike": ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), ""),
    "where one load is the other way round": ((3.0, 2.0, 0.6), (1.5, 1.4, 0.6), ""),
    "where the queue is much faster at 300 sorts": ((3.0, 2.0, 1.2), (1.5, 1.4, 2.4), ""),
    "where the queue is much slower at 300 sorts": ((3.0, 2.0, 2.4), (1.5, 1.4, 1.2), ""),
    "where the queue's threads share cores": ((3.0, 2.0, 1.3), (1.5, 1.4, 1.3), QUEUE),
}


def observe_world(world: World, random: np.random.Generator) -> Observations:
    """Simulate the forks of a machine."""
    queue, disruptor, crowded = world
    parameters = load_catalog()[STUDY].defaults()
    times = {ALONE: (1.0, 1.0, 1.0), QUEUE: queue, DISRUPTOR: disruptor}
    rows = pd.DataFrame(
        {
            **parameters,
            "mechanism": mechanism,
            "consumers": 1,
            "sorts": sorts,
            "events": 1_000_000,
            "capacity": 8192,
            "point": f"{mechanism}-{sorts}",
            "time": ALONE_NS[sorts] * ratio * float(np.exp(random.normal(0, NOISE))),
            "oversubscribed": mechanism == crowded,
            SOCKETS: 1,
        }
        for mechanism, ratios in times.items()
        for sorts, ratio in zip(LOADS, ratios, strict=True)
        for _ in range(FORKS)
    )
    names, baseline = [*parameters, SOCKETS], find_baseline(rows, STUDY)
    return Observations(rows, names, baseline, {CORES: MACHINE.cores}, MIN_FORKS)


def judge(content: object, observed: Observations, machine: Machine) -> dict[str, str]:
    """Return the verdict of each claim about the paper's study; raise BadInput where it cannot."""
    source = "your claims"
    file = validate(ClaimFile, {"study": STUDY, "source": source, "claims": content}, source)
    for identity, claim in file.claims.items():
        for place, check in enumerate(claim.test):
            check_names(f"{source}: {identity}.test.{place}", check, file)
    return {v.identity: v.verdict for v in judge_claims(file, observed, machine)}


def try_claims(given: Mapping[str, Any]) -> dict[str, str]:
    """Return for each claim the first world in which it gets a wrong verdict, or ''.

    The reference stands for the other claim.
    """
    wrong: dict[str, str] = {}
    for number, (where, world) in enumerate(WORLDS.items()):
        observed = observe_world(world, np.random.default_rng(number))
        due = judge(REFERENCE, observed, MACHINE)
        for name in REFERENCE.keys() - wrong.keys():
            try:
                verdict = judge(REFERENCE | {name: given.get(name)}, observed, MACHINE)[name]
                if verdict != due[name]:
                    wrong[name] = f"{where}, its verdict is {verdict}; right is {due[name]}"
            except BadInput as mistake:
                wrong[name] = str(mistake)
    return dict.fromkeys(REFERENCE, "") | wrong


def mean_ratio(pairs: Sequence[Sequence[float]]) -> float:
    """Return the mean ratio of pairs (of, to), geometric so that their order does not matter."""
    return float(np.exp(np.mean([np.log(of / to) for of, to in pairs])))


def draw_pairs(random: np.random.Generator) -> tuple[list[list[float]]]:
    number = int(random.integers(2, 7))
    return ([[float(x) for x in np.exp(random.normal(4, 1, 2))] for _ in range(number)],)


def judge_published(run: Run) -> dict[str, str]:
    """Return the package's verdict of each published claim on this run alone, as of today."""
    tidy.write_tables(run)
    verdicts, _ = judge_run(run, STUDY)
    judged = [v for v in verdicts if v.setting == "today" and v.identity in CLAIMS]
    return {v.identity: v.verdict for v in judged}


def judge_own(content: object, run: Run) -> dict[str, str]:
    """Return the verdict of each of a student's claims on a run; raise BadInput where it cannot."""
    tidy.write_tables(run)
    return judge(content, observe_run(run, STUDY), describe_machine(run))


def expect_verdicts(known: Known) -> dict[str, Any]:
    """Return the verdicts of the student's claims, if they are given, and the mean ratio."""
    run = known.measured
    verdicts = judge_own(known.given.get("claims", REFERENCE), run)
    pairs = [
        [np.mean(forks) for forks in list_groups(run, "mechanism", QUEUE, DISRUPTOR, sorts=sorts)]
        for sorts in LOADS
    ]
    return verdicts | {"mean_ratio": known.functions["mean_ratio"](pairs)}


FORKS_ASKED = {
    "forks": "forks per point, fixed now: adding forks until a verdict fits shows nothing"
}
VERDICTS_ASKED = {claim: f"the verdict of {claim} on your machine" for claim in CLAIMS}

LAB = Lab(
    number=3,
    predictions=ask(FORKS_ASKED, "forks", 5, 8, int) | ask_words(VERDICTS_ASKED, VERDICT_WORDS),
    parts=(
        Values("claims", {"A1": 2, "A2": 2}, judge=try_claims),
        Function("mean_ratio", {"mean_ratio": 2}, mean_ratio, draw_pairs),
        Values("verdicts", {"A1": 1.5, "A2": 1.5, "mean_ratio": 1}, expect_verdicts),
    ),
    forks_borrowed=5,
    outcomes=judge_published,
)
