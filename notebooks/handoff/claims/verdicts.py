"""Verdicts: every claim of a study, under every reading of it, on one run."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from handoff.analysis.contrast import adjust_holm
from handoff.claims.evaluation import Comparison, Evaluation, count_needed, evaluate_check
from handoff.claims.model import Claim, ClaimFile, Needs, Reading, Value
from handoff.claims.observations import ABSENT, Observations
from handoff.claims.power import find_forks_needed
from handoff.text import pluralize

ALPHA = 0.05
REPRODUCED, DIRECTION, CONTRADICTED = "reproduced", "direction reproduced", "contradicted"
INCONCLUSIVE, NOT_TESTABLE, NOT_MEASURED = "inconclusive", "not testable here", "not measured"
VERDICTS = (REPRODUCED, DIRECTION, CONTRADICTED, INCONCLUSIVE, NOT_TESTABLE, NOT_MEASURED)


class Machine(NamedTuple):
    """What a claim's needs are held against; `nodes` None where the kernel does not tell."""

    cores: int
    nodes: int | None


class Verdict(NamedTuple):
    """A claim under one reading.

    `deciding` is the comparison that the verdict hangs on, `why` what is lacking where there is
    none.

    `p_claimed` and `p_against` are Holm's, over the study's claims that could be tested.
    """

    identity: str
    claim: Claim
    reading: str
    verdict: str
    why: str = ""
    bindings: Mapping[str, Value] = MappingProxyType({})
    weighed: tuple[Evaluation, ...] = ()
    shown: tuple[Evaluation, ...] = ()
    decided_by: Evaluation | None = None
    deciding: Comparison | None = None
    p_claimed: float = math.nan
    p_against: float = math.nan
    forks_needed: int | None = None


def judge_claims(
    file: ClaimFile, observed: Observations | None, machine: Machine, why_not: str = ""
) -> list[Verdict]:
    """All verdicts of one study.

    `why_not` says why nothing at all can be judged: the study is not built, not in the run, a
    rehearsal.
    """
    if why_not or observed is None or observed.rows.empty:
        why = why_not or "this run has no forks of it"
        return [
            Verdict(identity, claim, "", NOT_MEASURED, why)
            for identity, claim in file.claims.items()
        ]
    families = [judge_reading(file, reading, observed, machine) for reading in file.reading_list()]
    return merge_readings(file, families)


def judge_reading(
    file: ClaimFile, reading: Reading, observed: Observations, machine: Machine
) -> dict[str, Verdict]:
    """The study's claims under one reading; those that can be tested share one Holm adjustment."""
    found = {
        identity: evaluate_test(identity, claim, reading, observed, machine)
        for identity, claim in file.claims.items()
    }
    testable = {identity: verdict for identity, verdict in found.items() if not verdict.verdict}
    claimed = adjust_holm([max(w.p_claimed for w in v.weighed) for v in testable.values()])
    directions = adjust_holm([max(w.p_direction for w in v.weighed) for v in testable.values()])
    against = adjust_holm(
        [min(1.0, len(v.weighed) * min(w.p_against for w in v.weighed)) for v in testable.values()]
    )
    alpha = ALPHA / max(1, len(testable))
    adjusted = zip(claimed, directions, against, strict=True)
    for (identity, verdict), (sure, direction, contrary) in zip(
        testable.items(), adjusted, strict=True
    ):
        found[identity] = decide_verdict(verdict, sure, direction, contrary, alpha)
    return found


def evaluate_test(
    identity: str, claim: Claim, reading: Reading, observed: Observations, machine: Machine
) -> Verdict:
    """The claim weighed; with an empty verdict if it can be tested."""
    name = reading.of_claim(claim)
    counted_here = bool(claim.needs.profiler and claim.test) and all(
        observed.has(check.quantity) for check in claim.test
    )
    lacking = describe_needs(claim.needs, machine, counted_here)
    if lacking:
        return Verdict(identity, claim, name, NOT_TESTABLE, lacking)
    bindings = reading.bindings()
    possible = [check for check in claim.test if machine.cores >= (check.cores or 0)]
    weighed = tuple(evaluate_check(check, observed, bindings, claim.shared) for check in possible)
    shown = tuple(evaluate_check(check, observed, bindings, claim.shared) for check in claim.shown)
    empty = tuple(w for w in weighed if math.isnan(w.p_claimed))
    if empty:
        return Verdict(identity, claim, name, NOT_MEASURED, "", bindings, empty, shown)
    return Verdict(identity, claim, name, "", "", bindings, weighed, shown)


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
    parts += [lack for lack in ("" if counted_here else needs.profiler, needs.besides) if lack]
    return f"needs {'; '.join(parts)}" if parts else ""


def decide_verdict(
    verdict: Verdict, p_claimed: float, p_direction: float, p_against: float, alpha: float
) -> Verdict:
    """The verdict from adjusted p values, and the comparison that it hangs on: the weakest for it,
    the strongest against it.
    """
    judged = verdict._replace(p_claimed=p_claimed, p_against=p_against)
    if p_against < ALPHA:
        w, c = min(
            ((w, c) for w in verdict.weighed for c in w.comparisons),
            key=lambda pair: pair[0].direction.p_outside(pair[1].found),
        )
        return judged._replace(verdict=CONTRADICTED, decided_by=w, deciding=c)
    w = max(verdict.weighed, key=lambda weighed: weighed.p_claimed)
    c = sorted(w.comparisons, key=lambda each: w.claimed.p_inside(each.found))[
        count_needed(w.check, len(w.comparisons)) - 1
    ]
    judged = judged._replace(decided_by=w, deciding=c)
    if p_claimed < ALPHA:
        return judged._replace(verdict=REPRODUCED)
    # Sameness and levels have no direction beside what is claimed.
    if p_direction < ALPHA and any(
        weighed.direction != weighed.claimed for weighed in verdict.weighed
    ):
        return judged._replace(verdict=DIRECTION)
    return judged._replace(
        verdict=INCONCLUSIVE, forks_needed=find_forks_needed(verdict.weighed, alpha)
    )


def merge_readings(file: ClaimFile, families: list[dict[str, Verdict]]) -> list[Verdict]:
    """One verdict a claim and reading that makes a difference to it; readings that the run did not
    plan are left out.
    """
    rows: list[Verdict] = []
    for identity in file.claims:
        by_reading: dict[str, Verdict] = {}
        for found in (judged[identity] for judged in families):
            # The same test in two families: the more cautious of both counts.
            both = [v for v in (by_reading.get(found.reading), found) if v]
            by_reading[found.reading] = max(
                both, key=lambda v: (v.verdict == INCONCLUSIVE, v.p_claimed)
            )
        chosen = list(by_reading.values())
        there = [v for v in chosen if not is_unplanned(v)] or chosen[:1]
        alike = len({(v.verdict, v.why) for v in there}) == 1 and there[0].verdict == NOT_TESTABLE
        rows += [there[0]._replace(reading="")] if alike else there
    return rows


def is_unplanned(verdict: Verdict) -> bool:
    """Whether the run's sweep holds nothing at all of what some check needs."""
    return verdict.verdict == NOT_MEASURED and any(
        set(w.lacking) == {ABSENT} for w in verdict.weighed
    )
