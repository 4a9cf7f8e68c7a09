"""Judging of all claims of a study in one setting, and with other choices than the judged."""

from handoff.analysis.intervals import Estimate, estimate
from handoff.claims.case import Case, Machine, evaluate_claim, is_counted, list_cases
from handoff.claims.evaluation import Comparison, merge_contrasts
from handoff.claims.model import ClaimFile
from handoff.claims.observations import Observations
from handoff.claims.verdicts import (
    NOT_MEASURED,
    NOT_TESTABLE,
    Alternative,
    Verdict,
    decide_verdict,
)

LEVEL = 0.04
"""Chance of any wrong verdict in a table, for each of the two ways to be wrong.

One part in a hundred less than what is promised, because spreads are estimated.
"""


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
    for without, with_it in zip(judged.evaluations, other.evaluations, strict=False):
        if with_it.check != other.decided_by.check:
            continue
        at_same_place = [c for c in without.comparisons if c.at == there.at]
        if at_same_place:
            return at_same_place[0]
        if len(without.comparisons) == len(with_it.comparisons):
            return without.comparisons[with_it.comparisons.index(there)]
    return None
