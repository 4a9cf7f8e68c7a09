"""Judging of all claims of a study on one run: by the literal reading, and by all others."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from handoff.analysis.intervals import MIN_FORKS
from handoff.claims.evaluation import Evaluation, evaluate_check
from handoff.claims.load import NOT_AT_LOAD, LoadGate
from handoff.claims.model import SOCKET_CORES, Claim, ClaimFile, Needs, Reading
from handoff.claims.observations import Observations
from handoff.claims.published import allow_places, describe_failing
from handoff.claims.readers import observe_tables
from handoff.claims.verdicts import (
    FAILS,
    HOLDS,
    NOT_MEASURED,
    NOT_TESTABLE,
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


def judge_claims(
    file: ClaimFile,
    observed: Observations,
    machine: Machine,
    why_not: str = "",
    number: int | None = None,
) -> list[Verdict]:
    """Return the verdict of each claim of a study, with those of its other readings.

    `why_not` says why nothing at all can be judged, as in a rehearsal. `number` is how many claims
    the plan can test, which share the error; without it, those that the forks can test count.
    """
    if why_not or observed.rows.empty:
        why = why_not or "this run has no forks of it"
        return [Verdict(name, claim, (), NOT_MEASURED, why) for name, claim in file.claims.items()]
    verdicts = evaluate_claims(file, observed, machine)
    alpha = LEVEL / max(1, number or sum(verdict.verdict == "" for verdict in verdicts))

    def decide(verdict: Verdict) -> Verdict:
        decided = verdict if verdict.verdict else decide_verdict(verdict, alpha)
        return decided._replace(others=tuple(map(decide, verdict.others)))

    return list(map(decide, verdicts))


def count_testable(
    file: ClaimFile, planned: Observations, machine: Machine, observed: Observations
) -> int:
    """Return how many claims the plan can test, whatever the forks of it will show.

    Whether the loads are those of the source is not known then, so that all count. Whether the
    machine has the counters that a claim needs, `observed` says: forks note what they counted.
    """
    at_any_load = file.model_copy(update={"load": None})
    return sum(
        v.verdict == "" and not (v.claim.needs.counters and not is_counted(v.claim, observed))
        for v in evaluate_claims(at_any_load, planned, machine)
    )


def is_counted(claim: Claim, observed: Observations) -> bool:
    """Return whether the observations have all quantities of the claim."""
    return all(observed.has(check.quantity) for check in claim.test or claim.shown)


def evaluate_claims(file: ClaimFile, observed: Observations, machine: Machine) -> list[Verdict]:
    """Evaluate each claim in its literal reading, and with it in others that make a difference.

    The verdict is '' where the claim can be tested. Other unmeasured readings are left out.
    """
    tables = observe_tables(file)
    verdicts = []
    for identity, claim in file.claims.items():
        readings = {r.list_options(claim): r for r in reversed(file.judged_readings())}
        literal, *others = (
            evaluate_claim(identity, claim, file, reading, observed, machine, tables)
            for reading in reversed(readings.values())
        )
        known = tuple(v for v in others if v.verdict not in (NOT_TESTABLE, NOT_MEASURED))
        verdicts.append(literal._replace(others=known))
    return verdicts


def evaluate_claim(
    identity: str,
    claim: Claim,
    file: ClaimFile,
    reading: Reading,
    observed: Observations,
    machine: Machine,
    tables: Mapping[str, Observations],
) -> Verdict:
    """Evaluate a claim under one reading; the verdict is '' where it can be tested."""
    bindings = reading.bindings()
    bound = bindings | observed.bindings
    base = Verdict(identity, claim, reading.list_options(claim), "", bindings=bound)
    if unmet := describe_needs(claim.needs, machine, is_counted(claim, observed)):
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
    return keep_allowed(base, file, reading, tables, evaluate)


def keep_allowed(
    base: Verdict,
    file: ClaimFile,
    reading: Reading,
    tables: Mapping[str, Observations],
    evaluate: Callable,
) -> Verdict:
    """Return the verdict with the places at which the claim could hold and could fail."""
    evaluations = base.evaluations
    allowed = [allow_places(e, file, reading, tables) for e in evaluations]
    failing = describe_failing(evaluations, allowed)
    if not all(allowed):
        return base._replace(verdict=NOT_TESTABLE, evaluations=(), why=failing)
    if failing:
        evaluations = tuple(
            evaluate(e.check, only=places) for e, places in zip(evaluations, allowed, strict=True)
        )
    load = find_study(file.study).load
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
