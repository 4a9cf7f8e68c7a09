"""Judging of all claims of a study, under all readings, on one run."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from handoff.analysis.contrast import adjust_holm
from handoff.claims.coverage import allow_places, count_coverage, describe_failing
from handoff.claims.evaluation import Evaluation, PValues, evaluate_check
from handoff.claims.load import NOT_AT_LOAD, LoadGate
from handoff.claims.model import SOCKET_CORES, Claim, ClaimFile, Needs, Reading
from handoff.claims.observations import ABSENT, Observations
from handoff.claims.readers import observe_tables
from handoff.claims.verdicts import (
    ALPHA,
    NOT_MEASURED,
    NOT_TESTABLE,
    Verdict,
    combine_checks,
    decide_verdict,
)
from handoff.registry import find_study

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
    """What the claims of one study are judged on.

    These are our forks, this machine, and the source's own numbers by machine.
    """

    observed: Observations
    machine: Machine
    tables: Mapping[str, Observations] = MappingProxyType({})


def judge_claims(
    file: ClaimFile,
    observed: Observations | None,
    machine: Machine,
    why_not: str = "",
    looks: int = 1,
) -> list[Verdict]:
    """Return all verdicts of one study.

    `why_not` says why nothing at all can be judged, as in a rehearsal. `looks` is how often the
    run's claims are judged.
    """
    if why_not or observed is None or observed.rows.empty:
        why = why_not or "this run has no forks of it"
        return [
            Verdict(identity, claim, "", NOT_MEASURED, why)
            for identity, claim in file.claims.items()
        ]
    verdicts = evaluate_claims(file, Bench(observed, machine, observe_tables(file)))
    return decide_together(verdicts, looks)


def evaluate_claims(file: ClaimFile, bench: Bench) -> list[Verdict]:
    """Evaluate each claim under each reading that makes a difference to it.

    The verdict is '' where the claim can be tested. Readings that the run did not plan are left
    out.
    """
    rows: list[Verdict] = []
    for identity, claim in file.claims.items():
        readings = {reading.of_claim(claim): reading for reading in reversed(file.reading_list())}
        verdicts = [
            evaluate_claim(identity, claim, file, readings[name], bench)
            for name in reversed(readings)
        ]
        planned = [v for v in verdicts if not is_unplanned(v)] or verdicts[:1]
        first, reasons = planned[0], {(v.verdict, v.why) for v in planned}
        alike = len(reasons) == 1 and first.verdict == NOT_TESTABLE
        rows += [first._replace(reading="")] if alike else planned
    return rows


def decide_together(rows: list[Verdict], looks: int = 1) -> list[Verdict]:
    """Decide the verdicts of all claims that can be tested.

    One Holm adjustment covers all claims and readings of a study's table. Where they are judged at
    several looks, each look has its part of the level.
    """
    level = ALPHA / looks
    testable = [row for row in rows if not row.verdict]
    claimed = adjust_holm([max(e.p.claimed for e in v.evaluations) for v in testable])
    directions = adjust_holm([max(e.p.direction for e in v.evaluations) for v in testable])
    against, sizes = (
        adjust_holm([combine_checks(kind, v.evaluations) for v in testable])
        for kind in ("against", "size")
    )
    alpha = level / max(1, len(testable))
    adjusted = map(PValues, claimed, directions, against, sizes)
    decided = iter(
        [decide_verdict(v, p, alpha, level) for v, p in zip(testable, adjusted, strict=True)]
    )
    return [row if row.verdict else next(decided) for row in rows]


def evaluate_claim(
    identity: str, claim: Claim, file: ClaimFile, reading: Reading, bench: Bench
) -> Verdict:
    """Evaluate a claim under one reading; the verdict is '' where it can be tested."""
    observed, bindings = bench.observed, reading.bindings()
    bound = bindings | observed.bindings
    base = Verdict(identity, claim, reading.of_claim(claim), "", bindings=bound)
    counted = bool(claim.needs.counters) and all(
        observed.has(check.quantity) for check in claim.test or claim.shown
    )
    unmet = describe_needs(claim.needs, bench.machine, counted)
    if unmet:
        return base._replace(verdict=NOT_TESTABLE, why=unmet)
    gate = LoadGate(file.study, file.load, observed, bindings) if file.load else None
    evaluate = partial(
        evaluate_check, observed=observed, bindings=bindings, shared=claim.shared, load=gate
    )
    evaluations = tuple(evaluate(check) for check in claim.test)
    base = base._replace(
        shown=tuple(evaluate(check) for check in claim.shown),
        load=gate.describe(claim.values()) if gate else "",
    )
    if not claim.test:
        return base._replace(verdict=NOT_TESTABLE, why=EXPLAINS)
    empty = tuple(e for e in evaluations if math.isnan(e.p.claimed))
    if empty:
        return base._replace(verdict=name_absence(empty), evaluations=empty)
    allowed = [allow_places(e, file, reading, bench.tables) for e in evaluations]
    failing = describe_failing(evaluations, allowed)
    if not all(allowed):
        return base._replace(verdict=NOT_TESTABLE, why=failing)
    if failing:
        evaluations = tuple(
            evaluate(e.check, only=places) for e, places in zip(evaluations, allowed, strict=True)
        )
    load = find_study(file.study).load
    coverage = count_coverage(claim, evaluations, bound, load.parameter if load else None)
    return base._replace(evaluations=evaluations, coverage=coverage, why=failing)


def name_absence(empty: Sequence[Evaluation]) -> str:
    """Return the verdict of a claim for which nothing could be compared."""
    reasons = {why for e in empty for why in e.missing}
    at_other_loads = any(why.startswith(NOT_AT_LOAD) for why in reasons)
    return NOT_AT_LOAD if at_other_loads else NOT_MEASURED


def describe_needs(needs: Needs, machine: Machine, counted: bool = False) -> str:
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
        why = f" ({machine.missing})" if machine.missing else ""
        parts.append(f"hardware counters of {needs.counters}{why}")
    parts += [needs.extra] if needs.extra else []
    return f"needs {'; '.join(parts)}" if parts else ""


def is_unplanned(verdict: Verdict) -> bool:
    """Return whether the run's sweep has no point at all of what some check needs."""
    return verdict.verdict == NOT_MEASURED and any(
        set(e.missing) == {ABSENT} for e in verdict.evaluations
    )
