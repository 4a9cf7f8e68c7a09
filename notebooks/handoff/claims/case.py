"""Evaluation of one claim on forks and a machine, with one choice, before any verdict."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from handoff.analysis.intervals import MIN_FORKS
from handoff.claims.evaluation import Evaluation, evaluate_check
from handoff.claims.load import NOT_AT_LOAD, LoadGate
from handoff.claims.model import SOCKET_CORES, Choice, Claim, ClaimFile, Needs
from handoff.claims.observations import Observations
from handoff.claims.published import allow_places, describe_failing
from handoff.claims.readers import observe_tables
from handoff.claims.verdicts import (
    FAILS,
    HOLDS,
    NOT_MEASURED,
    NOT_TESTABLE,
    Coverage,
    Verdict,
    count_coverage,
)
from handoff.study import find_study
from handoff.text import pluralize

EXPLAINS = "what is counted may explain the claim, and decides nothing"


class Machine(NamedTuple):
    """The part of a machine that claims need.

    `sockets` counts those with SOCKET_CORES usable cores; None where the kernel reports none.
    `missing` says what keeps the machine from counting cache lines of other sockets, or is ''.
    """

    cores: int
    sockets: int | None
    missing: str = ""


class Case(NamedTuple):
    """What claims are judged on: the forks and the machine, with one choice.

    `tables` are the source's own numbers, by machine.
    """

    file: ClaimFile
    choice: Choice
    observed: Observations
    machine: Machine
    tables: Mapping[str, Observations]


def is_counted(claim: Claim, observed: Observations) -> bool:
    """Return whether the observations have all quantities of the claim."""
    return all(observed.has(check.quantity) for check in claim.test or claim.shown)


def list_cases(
    file: ClaimFile, observed: Observations, machine: Machine, setting: str
) -> list[Case]:
    """Return what is judged in a setting, then each choice that the forks have, alone."""
    tables = observe_tables(file)
    judged, *others = file.list_choices(setting)
    choices = [judged, *(c for c in others if file.is_measurable(c.bindings()))]
    for parameter in file.unstated:
        for value in observed.list_values(parameter):
            name, assumed = f"{parameter} {value}", {parameter: value}
            choices.append(judged._replace(name=name, assumed=assumed))
    return [Case(file, c, observed.assume(c.assumed), machine, tables) for c in choices]


def evaluate_claim(identity: str, case: Case) -> Verdict:
    """Evaluate a claim; the verdict is '' where it can be tested."""
    file, choice, observed = case.file, case.choice, case.observed
    claim, bindings = file.claims[identity], choice.bindings()
    bound = bindings | observed.bindings
    base = Verdict(identity, claim, choice.list_options(claim), "", bindings=bound)
    if unmet := describe_needs(claim.needs, case.machine, is_counted(claim, observed)):
        return base._replace(verdict=NOT_TESTABLE, why=unmet)
    gate = LoadGate(file.study, file.load, observed, bindings, claim.match) if file.load else None
    evaluate = partial(
        evaluate_check, observed=observed, bindings=bindings, shared=claim.shared, load=gate
    )
    evaluations = tuple(evaluate(check) for check in claim.test)
    base = base._replace(
        evaluations=evaluations,
        shown=tuple(evaluate(check) for check in claim.shown),
        load=gate.describe(claim.values()) if gate else "",
    )
    if not claim.test:
        return base._replace(verdict=NOT_TESTABLE, why=EXPLAINS)
    if absent := [e for e in evaluations if not e.is_testable]:
        unlike = any(why.startswith(NOT_AT_LOAD) for e in absent for why in e.missing)
        verdict = NOT_AT_LOAD if unlike else NOT_MEASURED
        return base._replace(verdict=verdict, why=explain_absence(absent))
    places = [comparison.at for comparison in base.comparisons]
    if forced := claim.find_forced(observed.defaults | bound, places):
        verdict = HOLDS if forced.result == "holds" else FAILS
        coverage = cover(evaluations, file.study)
        return base._replace(verdict=verdict, why=forced.why, coverage=coverage)
    return keep_allowed(base, case, evaluate)


def cover(evaluations: Sequence[Evaluation], study: str) -> Coverage:
    load = find_study(study).load
    return count_coverage(evaluations, load.parameter if load else "")


def keep_allowed(base: Verdict, case: Case, evaluate: Callable) -> Verdict:
    """Return the verdict with the places at which the claim could hold and could fail."""
    evaluations = base.evaluations
    allowed = [allow_places(e, case.file, case.choice, case.tables) for e in evaluations]
    failing = describe_failing(evaluations, allowed)
    if not all(allowed):
        return base._replace(verdict=NOT_TESTABLE, evaluations=(), why=failing)
    if failing:
        evaluations = tuple(
            evaluate(e.check, only=places) for e, places in zip(evaluations, allowed, strict=True)
        )
    coverage = cover(evaluations, case.file.study)
    return base._replace(evaluations=evaluations, coverage=coverage, why=failing)


def explain_absence(absent: Sequence[Evaluation]) -> str:
    """Return why what was measured has no interval; '' where something was not measured."""
    if not all(evaluation.comparisons for evaluation in absent):
        return ""
    bare = [c.estimate for e in absent for c in e.comparisons if c.estimate.interval() is None]
    if min(estimate.forks for estimate in bare) < MIN_FORKS:
        return f"fewer than {pluralize(MIN_FORKS, 'fork')}"
    sessions = min(estimate.sessions for estimate in bare)
    return (
        f"measured in {pluralize(sessions, 'session')}, which do not show how much this differs"
        " between sessions; from three on they do"
    )


def describe_needs(needs: Needs, machine: Machine, counted: bool) -> str:
    """Return what the claim's test needs and this machine or run does not have, or ''.

    `counted` says that the run has all quantities of the claim.
    """
    parts = []
    if machine.cores < needs.cores:
        parts.append(f"{needs.cores} cores, here {machine.cores}")
    if needs.sockets > max(1, machine.sockets or 0):
        here = "unknown" if machine.sockets is None else machine.sockets
        parts.append(f"{needs.sockets} sockets of {SOCKET_CORES} cores each, here {here}")
    if needs.counters and not counted:
        parts.append(f"hardware counters of {needs.counters}")
        parts += [machine.missing] if machine.missing else []
    parts += [needs.extra] if needs.extra else []
    return f"needs {'; '.join(parts)}" if parts else ""
