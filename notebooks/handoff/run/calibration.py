"""Calibrate, once per run, the work per event that takes as long here as it took a source."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median

from handoff.catalog import OF_TIME, load_catalog
from handoff.errors import BadInput, Failure
from handoff.run import fork
from handoff.run.fork import Job
from handoff.run.java import arms, jar
from handoff.run.java.jdk import Jdk
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.settings import Jvm
from handoff.run.plan.sweep import Sweep
from handoff.study import Cost, find_study
from handoff.text import console

JVMS = 3
SHOTS, WARMUP = 8, 5
"""Shots to leave out: until the code is compiled, a fork's shots are several times slower."""

SHOT_NS = 150e6
FIRST_AMOUNT = 100
LIMIT_S = 120


def find_words(sweep: Sweep, file: str) -> dict[str, list[str]]:
    """Return words such as NS_2225 by study; raise BadInput where a parameter takes none."""
    words_by_study: dict[str, list[str]] = {}
    for study, entry in sweep.entries():
        load = find_study(study).load
        for name, values in [item for product in entry.products() for item in product.items()]:
            words = [v for v in values if isinstance(v, str) and OF_TIME.fullmatch(v)]
            if words and (load is None or name != load.parameter):
                owner = f"only {load.parameter} takes" if load else "no parameter takes"
                raise BadInput(
                    f"{file}: studies.{study}.{name}: {words[0]} is an amount of work, which"
                    f" {owner} in this study."
                )
            words_by_study.setdefault(study, []).extend(words)
    return {study: list(dict.fromkeys(words)) for study, words in words_by_study.items() if words}


def guess_amounts(words: Mapping[str, list[str]]) -> Amounts:
    """Return amounts from the study's guessed cost, for plans that are not measured yet."""
    return {
        study: solve_amounts(listed, partial(guess_cost, study)) for study, listed in words.items()
    }


def calibrate_amounts(words: Mapping[str, list[str]], sweep: Sweep, jdk: Jdk) -> Amounts:
    """Measure no work and some work on one thread of the first arm, and solve for the words."""
    first = sweep.first_arm
    java, jvm = arms.resolve_arms(sweep, jdk)[first], sweep.make_jvm(first)
    amounts = {}
    for study, listed in words.items():
        console.print(f"Calibrating the load of {study} in {2 * JVMS} JVMs (half a minute) ...")
        amounts[study] = solve_amounts(listed, partial(measure_cost, study, jvm=jvm, jdk=java))
    return amounts


def solve_amounts(words: list[str], cost: Callable[[int], float]) -> dict[str, int]:
    """Return the amount of work, in two digits, for the nanoseconds that each word names.

    `cost` returns the nanoseconds of an event with an amount of work.
    """
    none, some = cost(0), cost(FIRST_AMOUNT)
    if some <= none:
        raise Failure(
            f"{words[0]} cannot be calibrated: an event took {some:.0f} ns with {FIRST_AMOUNT} of"
            f" work and {none:.0f} ns without. Something disturbed the calibration: start again."
        )
    targets = {word: float(word.removeprefix("NS_")) for word in words}
    return {
        word: round_digits(FIRST_AMOUNT * (target_ns - none) / (some - none), 2)
        for word, target_ns in targets.items()
    }


def round_digits(value: float, digits: int) -> int:
    """Return the value rounded to this number of significant digits, at least 1."""
    step = 10 ** max(0, math.floor(math.log10(max(1.0, value))) + 1 - digits)
    return max(1, round(value / step) * step)


def measure_cost(study: str, amount: int, jvm: Jvm, jdk: Jdk) -> float:
    """Return the nanoseconds per event on one thread: the median over JVMs of settled shots."""
    point = place_alone(study, amount, jdk)
    identity = {"setup": "", "fork": 0, "again": 0, "block": 0, "order": 0, "machine": ""}
    costs = []
    for _ in range(JVMS):
        outcome = fork.measure_fork(jdk, Job(jvm, point, identity, LIMIT_S))
        if outcome.content is None:
            raise Failure(f"the load of {study} could not be calibrated: {outcome.wrong}.")
        shots = outcome.content["evidence"]["shots"][WARMUP:]
        costs.append(median(shot["wallNs"] / shot["events"] for shot in shots))
    return median(costs)


def place_alone(study: str, amount: int, jdk: Jdk) -> Point:
    """Return the point in which one thread does all the work, with its place on this machine."""
    # One digit, because a ring needs complete rounds of all its tokens.
    events = round_digits(SHOT_NS / guess_cost(study, amount), 1)
    params = choose_params(study, amount) | {"events": str(events)}
    point = Point(study=study, params=params, shots=SHOTS, warmup=WARMUP, forks=1)
    (answer,) = jar.check_points(jdk, [point])
    if "plan" not in answer:
        raise Failure(f"{point} could not be calibrated: {' '.join(map(str, answer.values()))}")
    return Point.model_validate(dict(point) | {"threads": answer["plan"]["threads"]})


def guess_cost(study: str, amount: int) -> float:
    return find_study(study).ns_per_event(Cost(choose_params(study, amount), 1, 1))


def choose_params(study: str, amount: int) -> dict[str, str]:
    """Return the parameters with which one thread does this amount of work per event."""
    load = find_study(study).load
    assert load is not None
    chosen = {**load.alone, load.parameter: amount}
    return load_catalog()[study].defaults() | {name: str(value) for name, value in chosen.items()}
