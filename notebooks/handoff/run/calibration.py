"""How much work an event needs here to take as long as it took a source: calibrated once a run, in
JVMs of their own.
"""

import math
from collections.abc import Mapping
from statistics import median

from handoff.catalog import OF_TIME, load_catalog
from handoff.errors import BadInput, Failure
from handoff.registry import find_study
from handoff.run import fork
from handoff.run.fork import Job
from handoff.run.java import jar
from handoff.run.java.jdk import Jdk
from handoff.run.plan import points
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.sweep import Sweep
from handoff.study import Cost, Load
from handoff.terminal import console

JVMS = 3
SHOTS, WARMUP = 8, 5
"""The first shots of a fork are slower by multiples, until the code is compiled."""

SHOT_NS = 150e6
FIRST_AMOUNT = 100
LIMIT_S = 120


def find_words(sweep: Sweep, file: str) -> dict[str, list[str]]:
    """The words such as NS_2225 of each study. BadInput where a parameter brings no work."""
    found: dict[str, list[str]] = {}
    for study, entry in sweep.entries():
        load = find_study(study).load
        for name, values in [item for asked in entry.products() for item in asked.items()]:
            words = [v for v in values if isinstance(v, str) and OF_TIME.fullmatch(v)]
            if words and (load is None or name != load.parameter):
                allowed = f"only {load.parameter} may be" if load else "no parameter of it can be"
                raise BadInput(
                    f"{file}: studies.{study}.{name}: {words[0]} is an amount of work;"
                    f" {allowed} one."
                )
            found.setdefault(study, []).extend(words)
    return {study: list(dict.fromkeys(words)) for study, words in found.items() if words}


def guess_amounts(words: Mapping[str, list[str]]) -> Amounts:
    """From what the study is guessed to cost; for plans that are not measured yet."""
    guessed = {}
    for study, wanted in words.items():
        load = find_load(study)
        none, some = (guess_cost(study, load, amount) for amount in (0, FIRST_AMOUNT))
        guessed[study] = {word: solve_amount(word, none, some) for word in wanted}
    return guessed


def calibrate_amounts(words: Mapping[str, list[str]], sweep: Sweep, jdk: Jdk) -> Amounts:
    """Measures what no work and some work cost on one thread, and solves for the published times.

    Failure when a JVM fails.
    """
    found = {}
    for study, wanted in words.items():
        load = find_load(study)
        console.print(f"Calibrating the load of {study} in {2 * JVMS} JVMs, half a minute ...")
        none, some = (measure_cost(study, load, amount, sweep, jdk) for amount in (0, FIRST_AMOUNT))
        found[study] = {word: solve_amount(word, none, some) for word in wanted}
    return found


def solve_amount(word: str, none: float, some: float) -> int:
    """The amount, in two digits, at which an event takes the word's nanoseconds, when `none` and
    `some` are those of no work and of FIRST_AMOUNT. Failure when that is no more.
    """
    if some <= none:
        raise Failure(
            f"{word} cannot be calibrated: {FIRST_AMOUNT} of work took {some:.0f} ns an event, and"
            f" none {none:.0f} ns. Something disturbed it: start again."
        )
    wanted = float(word.removeprefix("NS_"))
    return round_digits(FIRST_AMOUNT * (wanted - none) / (some - none), 2)


def round_digits(value: float, digits: int) -> int:
    """A whole number of so many digits, at least 1."""
    step = 10 ** max(0, math.floor(math.log10(max(1.0, value))) + 1 - digits)
    return max(1, round(value / step) * step)


def measure_cost(study: str, load: Load, amount: int, sweep: Sweep, jdk: Jdk) -> float:
    """Nanoseconds an event on one thread, the median of several JVMs' settled shots."""
    point = place_alone(study, load, amount, jdk)
    identity = {"setup": "", "fork": 0, "again": 0, "block": 0, "order": 0, "machine": ""}
    costs = []
    for _ in range(JVMS):
        ended = fork.measure_fork(jdk, Job(sweep.jvm, point, identity, LIMIT_S))
        if ended.content is None:
            raise Failure(f"the load of {study} could not be calibrated: {ended.wrong}.")
        shots = ended.content["evidence"]["shots"][WARMUP:]
        costs.append(median(shot["wallNs"] / shot["events"] for shot in shots))
    return median(costs)


def place_alone(study: str, load: Load, amount: int, jdk: Jdk) -> Point:
    """The point that has one thread do all the work, with its place on this machine."""
    # One digit: a ring wants whole rounds of all its tokens.
    events = round_digits(SHOT_NS / guess_cost(study, load, amount), 1)
    params = load_catalog()[study].defaults() | {
        name: str(value)
        for name, value in {**load.alone, load.parameter: amount, "events": events}.items()
    }
    point = Point(study=study, params=params, shots=SHOTS, warmup=WARMUP, forks=1)
    (answer,) = jar.check_points(jdk, [point])
    if "plan" not in answer:
        raise Failure(f"{point} could not be calibrated: {' '.join(map(str, answer.values()))}")
    threads = [points.Slot.model_validate(slot) for slot in answer["plan"]["threads"]]
    return point.model_copy(update={"threads": threads})


def guess_cost(study: str, load: Load, amount: int) -> float:
    chosen = {**load.alone, load.parameter: amount}
    params = load_catalog()[study].defaults() | {name: str(v) for name, v in chosen.items()}
    return find_study(study).ns_per_event(Cost(params, 1, 1))


def find_load(study: str) -> Load:
    load = find_study(study).load
    assert load is not None
    return load
