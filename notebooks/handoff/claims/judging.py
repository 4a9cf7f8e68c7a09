"""Every claim of a study, under every reading of it, on one run."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from handoff.analysis.contrast import adjust_holm
from handoff.claims.coverage import allow_places, count_coverage, describe_failing
from handoff.claims.decision import combine_checks, decide_verdict
from handoff.claims.evaluation import Evaluation, PValues, evaluate_check
from handoff.claims.load import NOT_AT_LOAD, LoadGate
from handoff.claims.model import Claim, ClaimFile, Needs, Reading
from handoff.claims.observations import ABSENT, Observations
from handoff.claims.readers import observe_tables
from handoff.claims.verdicts import ALPHA, NOT_MEASURED, NOT_TESTABLE, Verdict
from handoff.registry import find_study
from handoff.text import pluralize


class Machine(NamedTuple):
    """What a claim's needs are held against; `nodes` and `sockets` None where the kernel does not
    tell.
    """

    cores: int
    nodes: int | None
    sockets: int | None = None


class Bench(NamedTuple):
    """What the claims of one study are judged on: our forks, this machine, and the source's own
    numbers by machine.
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
    """All verdicts of one study.

    `why_not` says why nothing at all can be judged: the study is not built, not in the run, a
    rehearsal. `looks`: how often the run's claims are judged.
    """
    if why_not or observed is None or observed.rows.empty:
        why = why_not or "this run has no forks of it"
        return [
            Verdict(identity, claim, "", NOT_MEASURED, why)
            for identity, claim in file.claims.items()
        ]
    rows = weigh_claims(file, Bench(observed, machine, observe_tables(file)))
    return decide_together(rows, looks)


def weigh_claims(file: ClaimFile, bench: Bench) -> list[Verdict]:
    """One a claim and reading that makes a difference to it, without a verdict where it can be
    tested; readings that the run did not plan are left out.
    """
    rows: list[Verdict] = []
    for identity, claim in file.claims.items():
        readings = {reading.of_claim(claim): reading for reading in reversed(file.reading_list())}
        found = [
            evaluate_test(identity, claim, file, readings[name], bench)
            for name in reversed(readings)
        ]
        there = [v for v in found if not is_unplanned(v)] or found[:1]
        alike = len({(v.verdict, v.why) for v in there}) == 1 and there[0].verdict == NOT_TESTABLE
        rows += [there[0]._replace(reading="")] if alike else there
    return rows


def decide_together(rows: list[Verdict], looks: int = 1) -> list[Verdict]:
    """Verdicts of what can be tested: one Holm adjustment for all that a study's table prints, its
    claims and their readings. Where they are judged at several looks, each may err by its part.
    """
    level = ALPHA / looks
    testable = [row for row in rows if not row.verdict]
    claimed = adjust_holm([max(w.p.claimed for w in v.weighed) for v in testable])
    directions = adjust_holm([max(w.p.direction for w in v.weighed) for v in testable])
    against, sizes = (
        adjust_holm([combine_checks(kind, v.weighed) for v in testable])
        for kind in ("against", "size")
    )
    alpha = level / max(1, len(testable))
    adjusted = map(PValues, claimed, directions, against, sizes)
    decided = iter(
        [decide_verdict(v, p, alpha, level) for v, p in zip(testable, adjusted, strict=True)]
    )
    return [row if row.verdict else next(decided) for row in rows]


def evaluate_test(
    identity: str, claim: Claim, file: ClaimFile, reading: Reading, bench: Bench
) -> Verdict:
    """The claim weighed; with an empty verdict if it can be tested."""
    observed, machine = bench.observed, bench.machine
    counted_here = bool(claim.needs.profiler and claim.test) and all(
        observed.has(check.quantity) for check in claim.test
    )
    bindings = reading.bindings()
    bound = bindings | observed.own
    base = Verdict(identity, claim, reading.of_claim(claim), "", bindings=bound)
    lacking = describe_needs(claim.needs, machine, counted_here)
    if lacking:
        return base._replace(verdict=NOT_TESTABLE, why=lacking)
    gate = LoadGate(file.study, file.load, observed, bindings) if file.load else None
    evaluate = partial(
        evaluate_check, observed=observed, bindings=bindings, shared=claim.shared, load=gate
    )
    possible = [check for check in claim.test if machine.cores >= (check.cores or 0)]
    weighed = tuple(evaluate(check) for check in possible)
    base = base._replace(
        shown=tuple(evaluate(check) for check in claim.shown),
        load=gate.describe(claim.values()) if gate else "",
    )
    empty = tuple(w for w in weighed if math.isnan(w.p.claimed))
    if empty:
        return base._replace(verdict=name_lack(empty), weighed=empty)
    allowed = [allow_places(w, file, reading, bench.tables) for w in weighed]
    failing = describe_failing(weighed, allowed)
    if not all(allowed):
        return base._replace(verdict=NOT_TESTABLE, why=failing)
    if failing:
        weighed = tuple(
            evaluate(w.check, only=those) for w, those in zip(weighed, allowed, strict=True)
        )
    load = find_study(file.study).load
    coverage = count_coverage(claim, weighed, bound, load.parameter if load else None)
    return base._replace(weighed=weighed, coverage=coverage, why=failing)


def name_lack(empty: Sequence[Evaluation]) -> str:
    """What to call it that nothing could be compared."""
    reasons = {why for w in empty for why in w.lacking}
    at_other_loads = any(why.startswith(NOT_AT_LOAD) for why in reasons)
    return NOT_AT_LOAD if at_other_loads else NOT_MEASURED


def describe_needs(needs: Needs, machine: Machine, counted_here: bool = False) -> str:
    """What this machine or run lacks for the claim's test; '' when nothing.

    `counted_here`: what a profiler would count is in the run.
    """
    parts = []
    if machine.cores < needs.cores:
        parts.append(f"{needs.cores} cores, here {machine.cores}")
    if needs.nodes > (machine.nodes or 1):
        here = "the kernel does not tell" if machine.nodes is None else f"here {machine.nodes}"
        parts.append(f"{pluralize(needs.nodes, 'NUMA node')}, {here}")
    elif needs.nodes > 1 and machine.sockets not in (None, machine.nodes):
        parts.append(
            f"{needs.nodes} NUMA nodes of a socket each, here {machine.nodes} on"
            f" {pluralize(machine.sockets, 'socket')}"
        )
    parts += [lack for lack in ("" if counted_here else needs.profiler, needs.besides) if lack]
    return f"needs {'; '.join(parts)}" if parts else ""


def is_unplanned(verdict: Verdict) -> bool:
    """Whether the run's sweep holds nothing at all of what some check needs."""
    return verdict.verdict == NOT_MEASURED and any(
        set(w.lacking) == {ABSENT} for w in verdict.weighed
    )
