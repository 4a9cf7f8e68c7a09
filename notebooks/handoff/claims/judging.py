"""Judging of all claims of a study in one setting, and with other choices than the judged."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from handoff.analysis.intervals import MIN_FORKS, Estimate, estimate
from handoff.claims.evaluation import Comparison, Evaluation, evaluate_check, merge_contrasts
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
    Alternative,
    Verdict,
    count_coverage,
    decide_verdict,
)
from handoff.study import find_study
from handoff.text import pluralize

LEVEL = 0.04
"""Chance of any wrong verdict in a table, for each of the two ways to be wrong.

One part in a hundred less than what is promised, because spreads are estimated.
"""

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


def judge_claims(
    file: ClaimFile,
    observed: Observations,
    machine: Machine,
    setting: str = "",
    why_not: str = "",
    number: int | None = None,
) -> list[Verdict]:
    """Return the verdict of each claim of a study in one setting, by default the file's first.

    `why_not` says why nothing at all can be judged, as in a rehearsal. `number` is how many claims
    the plan can test, which share the error; without it, those that the forks can test count.
    """
    if why_not or observed.rows.empty:
        why = why_not or "this run has no forks of it"
        return [
            Verdict(name, claim, (), NOT_MEASURED, why, setting)
            for name, claim in file.claims.items()
        ]
    judged, *others = list_cases(file, observed, machine, setting)
    evaluated = [evaluate_claim(name, judged) for name in file.claims]
    alpha = LEVEL / max(1, number or sum(verdict.verdict == "" for verdict in evaluated))
    verdicts = []
    for verdict in evaluated:
        decided = decide_open(verdict, alpha)._replace(setting=setting)
        compared = [compare_choice(decided, other, alpha) for other in others]
        alternatives = tuple(alternative for alternative in compared if alternative)
        verdicts.append(decided._replace(alternatives=alternatives))
    return verdicts


def count_testable(
    file: ClaimFile,
    planned: Observations,
    machine: Machine,
    observed: Observations,
    setting: str = "",
) -> int:
    """Return how many claims the plan can test in a setting, whatever its forks will show.

    Whether the loads are those of the source is not known then, so that all count. Whether the
    machine has the counters that a claim needs, `observed` says: forks note what they counted.
    """
    at_any_load = file.model_copy(update={"load": None})
    judged, *_ = list_cases(at_any_load, planned, machine, setting)
    testable = 0
    for name, claim in file.claims.items():
        uncounted = bool(claim.needs.counters) and not is_counted(claim, observed)
        testable += evaluate_claim(name, judged).verdict == "" and not uncounted
    return testable


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


def decide_open(verdict: Verdict, alpha: float) -> Verdict:
    return verdict if verdict.verdict else decide_verdict(verdict, alpha)


def compare_choice(judged: Verdict, case: Case, alpha: float) -> Alternative | None:
    """Return the verdict with another choice; None if it was not measured or is no other."""
    other = evaluate_claim(judged.identity, case)
    measured = other.verdict not in (NOT_TESTABLE, NOT_MEASURED)
    if not measured or other.list_points() == judged.list_points():
        return None
    decided = decide_open(other, alpha)
    return Alternative(case.choice.name, decided, measure_change(judged, decided))


def measure_change(judged: Verdict, other: Verdict) -> Estimate | None:
    """Return the number that decides with a choice over the same number without it.

    None where the code decides, or where the choice does not concern what decides.
    """
    if not other.decided_by:
        return None
    there = other.decided_by.comparison
    here = find_counterpart(judged, other)
    if here is None:
        return None
    contrast = merge_contrasts([(1.0, there.terms), (-1.0, here.terms)])
    changed = [term for term in contrast.values() if term.weight]
    return estimate(changed) if changed else None


def find_counterpart(judged: Verdict, other: Verdict) -> Comparison | None:
    """Return the comparison that a choice turns into the one which decides with it.

    It is at the same place, or, where a choice moves all places, the one of the same rank.
    """
    assert other.decided_by
    there = other.decided_by.comparison
    for without, with_it in zip(judged.evaluations, other.evaluations, strict=True):
        if with_it.check != other.decided_by.check:
            continue
        at_same_place = [c for c in without.comparisons if c.at == there.at]
        if at_same_place:
            return at_same_place[0]
        if len(without.comparisons) == len(with_it.comparisons):
            return without.comparisons[with_it.comparisons.index(there)]
    return None


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
        return base._replace(verdict=HOLDS if forced.result == "holds" else FAILS, why=forced.why)
    return keep_allowed(base, case, evaluate)


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
    load = find_study(case.file.study).load
    coverage = count_coverage(evaluations, load.parameter if load else "")
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
