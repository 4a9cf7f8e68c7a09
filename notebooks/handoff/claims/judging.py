"""Judging of all claims of a study, under all readings, on one run."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from handoff.analysis.intervals import MIN_FORKS
from handoff.claims.coverage import allow_places, count_coverage, describe_failing
from handoff.claims.evaluation import Evaluation, evaluate_check
from handoff.claims.load import NOT_AT_LOAD, LoadGate
from handoff.claims.model import SOCKET_CORES, Claim, ClaimFile, Needs, Reading
from handoff.claims.observations import ABSENT, Observations
from handoff.claims.readers import observe_tables
from handoff.claims.verdicts import (
    FAILS,
    HOLDS,
    JUDGED,
    NOT_MEASURED,
    NOT_TESTABLE,
    PLANNED,
    Verdict,
    decide_verdict,
)
from handoff.registry import find_study
from handoff.text import pluralize

EXPLAINS = "what is counted may explain the claim, and decides nothing"


class Machine(NamedTuple):
    """The part of a machine that claims need.

    `sockets` counts those with SOCKET_CORES usable cores; None where the kernel reports none.
    `missing` says what keeps the machine from counting cache lines that come from another socket,
    or is ''.
    """

    cores: int
    sockets: int | None
    missing: str = ""


class Bench(NamedTuple):
    """The basis on which the claims of one study are judged.

    These are our forks, this machine, and the source's own numbers by machine.
    """

    observed: Observations
    machine: Machine
    tables: Mapping[str, Observations]


def judge_claims(
    file: ClaimFile,
    observed: Observations,
    machine: Machine,
    why_not: str = "",
    level: float = PLANNED,
    rows: int | None = None,
    following: float | None = None,
) -> list[Verdict]:
    """Return all verdicts of one study.

    `why_not` says why nothing at all can be judged, as in a rehearsal. `level` is the error that
    one reading's table may have, `following` that at the next judging, `rows` the number of rows
    that its plan can test; without it, the testable ones count.
    """
    if why_not or observed.rows.empty:
        why = why_not or "this run has no forks of it"
        return [
            Verdict(identity, claim, "", NOT_MEASURED, why)
            for identity, claim in file.claims.items()
        ]
    verdicts = evaluate_claims(file, Bench(observed, machine, observe_tables(file)))
    number = max(1, rows or count_rows(file, verdicts))
    alpha, later = level / number, (following or level) / number
    return [row if row.verdict else decide_verdict(row, alpha, later) for row in verdicts]


def count_planned_rows(file: ClaimFile, planned: Observations, machine: Machine) -> int:
    """Return how many rows the plan can test under one reading, before any fork.

    Whether the loads are those of the source is not known then, so that all count.
    """
    at_any_load = file.model_copy(update={"load": None})
    bench = Bench(planned, machine, observe_tables(file))
    return count_rows(file, evaluate_claims(at_any_load, bench))


def count_rows(file: ClaimFile, verdicts: Sequence[Verdict]) -> int:
    """Return how many rows can be tested under one reading, at most."""
    testable = [row for row in verdicts if row.verdict in ("", *JUDGED)]
    return max(
        sum(reading.of_claim(row.claim, row.meaning) == row.reading for row in testable)
        for reading in file.reading_list()
    )


def evaluate_claims(file: ClaimFile, bench: Bench) -> list[Verdict]:
    """Evaluate each claim under each reading that makes a difference to it.

    The verdict is '' where the claim can be tested. Readings that the run did not plan are left
    out.
    """
    rows: list[Verdict] = []
    for identity, whole in file.claims.items():
        for meaning, claim in whole.list_meanings():
            readings: dict[str, Reading] = {}
            for reading in file.reading_list():
                readings.setdefault(reading.of_claim(claim), reading)
            verdicts = [
                evaluate_claim(identity, claim, meaning, file, reading, bench)
                for reading in readings.values()
            ]
            planned = [v for v in verdicts if not is_unplanned(v)] or verdicts[:1]
            first, reasons = planned[0], {(v.verdict, v.why) for v in planned}
            alike = len(reasons) == 1 and first.verdict == NOT_TESTABLE
            rows += [first._replace(reading=meaning)] if alike else planned
    return rows


def evaluate_claim(
    identity: str, claim: Claim, meaning: str, file: ClaimFile, reading: Reading, bench: Bench
) -> Verdict:
    """Evaluate a claim under one reading; the verdict is '' where it can be tested."""
    observed, bindings = bench.observed, reading.bindings()
    bound = bindings | observed.bindings
    name = reading.of_claim(claim, meaning)
    base = Verdict(identity, claim, name, "", meaning=meaning, bindings=bound)
    counted = all(observed.has(check.quantity) for check in claim.test or claim.shown)
    if unmet := describe_needs(claim.needs, bench.machine, counted):
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
        return base._replace(verdict=name_absence(absent), why=explain_absence(absent))
    places = [comparison.at for comparison in base.comparisons]
    if forced := claim.find_forced(meaning, observed.defaults | bound, places):
        return base._replace(verdict=HOLDS if forced.result == "holds" else FAILS, why=forced.why)
    return keep_allowed(base, file, reading, bench, evaluate)


def keep_allowed(
    base: Verdict, file: ClaimFile, reading: Reading, bench: Bench, evaluate: Callable
) -> Verdict:
    """Return the verdict with the places at which the claim could hold and could fail."""
    evaluations = base.evaluations
    allowed = [allow_places(e, file, reading, bench.tables) for e in evaluations]
    failing = describe_failing(evaluations, allowed)
    if not all(allowed):
        return base._replace(verdict=NOT_TESTABLE, evaluations=(), why=failing)
    if failing:
        evaluations = tuple(
            evaluate(e.check, only=places) for e, places in zip(evaluations, allowed, strict=True)
        )
    load = find_study(file.study).load
    coverage = count_coverage(evaluations, load.parameter if load else None)
    return base._replace(evaluations=evaluations, coverage=coverage, why=failing)


def name_absence(absent: Sequence[Evaluation]) -> str:
    """Return the verdict of a claim for which nothing could be compared."""
    at_other_loads = any(why.startswith(NOT_AT_LOAD) for e in absent for why in e.places.missing)
    return NOT_AT_LOAD if at_other_loads else NOT_MEASURED


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


def is_unplanned(verdict: Verdict) -> bool:
    """Return whether the run's sweep has no point at all of what some check needs."""
    return verdict.verdict == NOT_MEASURED and any(
        set(e.places.missing) == {ABSENT} for e in verdict.evaluations
    )
