"""The plan of a second look: which points get more forks, because a claim needs them."""

from collections.abc import Iterable
from typing import NamedTuple

from handoff.claims.files import load_claim_files
from handoff.claims.judgings import judge_run
from handoff.claims.verdicts import INCONCLUSIVE, Verdict, list_points
from handoff.run.store.run import Run

HOPEFUL = 2
"""A claim gets more forks if this many times the most forks would decide it.

Ratio and spread may turn out otherwise than they are now.
"""


class SecondLook(NamedTuple):
    """The plan of a second look.

    `more` has forks by a point's key, `claims` those that the forks are for, `given_up` those that
    more forks would not decide.
    """

    more: dict[str, int]
    claims: list[str]
    given_up: list[str]


def is_hopeful(verdict: Verdict, most: int) -> bool:
    """Return whether up to `most` forks per point may decide the verdict."""
    return verdict.effort.forks is not None and verdict.effort.forks <= HOPEFUL * most


def plan_second_look(run: Run) -> SecondLook:
    """Return which points get more forks, because a claim needs them to be decided.

    Only points with the forks of a first look take part: points whose threads share cores are not
    judged.
    """
    most = run.sweep.forks.most or run.sweep.forks.fitting
    undecided: list[tuple[Verdict, list[str]]] = []
    for study in load_claim_files():
        verdicts, observed = judge_run(run, study)
        undecided += [(v, list_points(v, observed)) for v in verdicts if v.verdict == INCONCLUSIVE]
    hopeful = [(verdict, points) for verdict, points in undecided if is_hopeful(verdict, most)]
    wanted = {key for _, points in hopeful for key in points}
    fitting = run.sweep.forks.fitting
    more = {p.key: most for p in run.points if p.key in wanted and p.forks == fitting}
    given_up = [verdict for verdict, _ in undecided if not is_hopeful(verdict, most)]
    return SecondLook(more, name_claims(v for v, _ in hopeful), name_claims(given_up))


def name_claims(verdicts: Iterable[Verdict]) -> list[str]:
    return list(dict.fromkeys(verdict.identity for verdict in verdicts))
