"""A second look: which points get more forks, because a claim needs them to be decided."""

from collections.abc import Iterable
from typing import NamedTuple

from handoff.claims import evidence
from handoff.claims.verdict_table import judge_run, load_claim_files
from handoff.claims.verdicts import INCONCLUSIVE, Verdict
from handoff.run.store.run import Run

HOPEFUL = 2
"""A claim gets more forks where, with ratio and spread as seen, so many times the most would decide
it: both may turn out otherwise.
"""


class SecondLook(NamedTuple):
    """`more`: forks by a point's key; `claims` that they are for, and those `given_up`, which more
    forks would not decide.
    """

    more: dict[str, int]
    claims: list[str]
    given_up: list[str]


def is_hopeful(verdict: Verdict, most: int) -> bool:
    """Whether forks up to `most` a point may decide it."""
    return verdict.forks_needed is not None and verdict.forks_needed <= HOPEFUL * most


def plan_second_look(run: Run) -> SecondLook:
    """From the run's tables. Only points with the forks of a first look take part: those whose
    threads share cores are not judged.
    """
    most = run.sweep.forks.most or run.sweep.forks.fitting
    undecided: list[tuple[Verdict, list[str]]] = []
    for study in load_claim_files():
        judged, found = judge_run(run, study)
        undecided += [
            (verdict, evidence.list_points(verdict, found))
            for verdict in judged
            if verdict.verdict == INCONCLUSIVE
        ]
    hopeful = [(verdict, points) for verdict, points in undecided if is_hopeful(verdict, most)]
    wanted = {key for _, points in hopeful for key in points}
    fitting = run.sweep.forks.fitting
    more = {p.key: most for p in run.points if p.key in wanted and p.forks == fitting}
    given_up = [verdict for verdict, _ in undecided if not is_hopeful(verdict, most)]
    return SecondLook(more, name_claims(v for v, _ in hopeful), name_claims(given_up))


def name_claims(verdicts: Iterable[Verdict]) -> list[str]:
    return list(dict.fromkeys(verdict.identity for verdict in verdicts))
