"""What counts as slower, on made-up forks, and every way to judge nothing."""

import numpy as np
import pytest

from handoff.analysis import slowdown
from handoff.analysis.intervals import Term
from handoff.analysis.sessions import SessionMeans
from handoff.errors import COMPLETE, INCOMPLETE, REGRESSION, UNJUDGED

FLOOR = 0.06**2


def side(factor=1.0, forks=5, spread=0.05, seed=1, sessions=None, study=None):
    random = np.random.default_rng(seed)
    logs = (np.log(100 * factor) if factor else -np.inf) + spread * random.normal(size=forks)
    labels = None if sessions is None else np.array(sessions)
    return Term(1.0, logs, FLOOR, labels, "QUEUE", study)


def pair(factor=1.0, point="p", flaw="", **options):
    return slowdown.Pair(point, side(**options), side(factor, seed=2, **options), flaw)


def judge(*pairs, missing=0, **options):
    """Return the word of each point and the exit code."""
    outcomes = slowdown.judge_pairs(pairs, **options)
    return [outcome.word for outcome in outcomes], slowdown.find_code(outcomes, missing)


def test_equal_sides_pass_and_a_doubling_is_slower():
    assert judge(pair(), pair(2.0)) == ([slowdown.NOT_SLOWER, slowdown.SLOWER], REGRESSION)
    assert judge(pair(), pair(0.5)) == ([slowdown.NOT_SLOWER] * 2, COMPLETE)


SESSIONS_APART = slowdown.Pair("p", side(sessions=[1] * 5), side(3.0, seed=2, sessions=[2] * 5))

WAYS = {
    "no point at all": [],
    "a point that is only before": [slowdown.Pair("p", side(), None)],
    "a point that is only after": [slowdown.Pair("p", None, side())],
    "a point without forks": [slowdown.Pair("p", side(forks=0), side())],
    "three forks": [pair(3.0, forks=3)],
    "four forks on one side": [slowdown.Pair("p", side(), side(3.0, forks=4))],
    "threads share cores": [pair(3.0, flaw="threads share cores")],
    "a value that is not positive": [slowdown.Pair("p", side(), side(0.0))],
    "sides without a session in common": [SESSIONS_APART],
    "forks that scatter": [pair(spread=1.0)],
    "one point of many": [*(pair(point=str(n)) for n in range(9)), pair(forks=2)],
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_passes_without_being_judged(way):
    words, code = judge(*WAYS[way], missing=1)
    assert code == UNJUDGED and slowdown.SLOWER not in words
    said = "\n".join(slowdown.describe_outcomes(slowdown.judge_pairs(WAYS[way])))
    assert "NOT JUDGED" in said


def test_missing_forks_are_incomplete_only_where_all_else_passes():
    assert judge(pair(), missing=1)[1] == INCOMPLETE
    assert judge(pair(2.0), missing=1)[1] == REGRESSION
    assert judge(pair(2.0), pair(forks=3))[1] == REGRESSION


def test_a_point_says_which_slowdown_it_would_have_shown():
    (made,) = slowdown.judge_pairs([pair(1.0)])
    for factor, word in ((0.98, slowdown.NOT_SLOWER), (1.02, slowdown.SLOWER)):
        shifted = pair(factor * made.visible / made.ratio)
        (again,) = slowdown.judge_pairs([shifted])
        assert again.word == word and again.visible == pytest.approx(made.visible)
    assert judge(pair(), detect=(made.visible - 1) / 2) == ([slowdown.NOT_JUDGED], UNJUDGED)


def test_sides_that_were_measured_apart_see_less_than_arms_of_one_block():
    (together,), (apart,) = (slowdown.judge_pairs([pair()], together=t) for t in (True, False))
    assert apart.visible > together.visible * 1.1
    more = pair(forks=15, sessions=[1] * 5 + [2] * 5 + [3] * 5)
    (thrice,) = slowdown.judge_pairs([more], together=False)
    assert together.visible < thrice.visible < apart.visible


def test_sessions_that_differ_widen_the_interval_of_runs_measured_apart():
    labels = np.repeat([1, 2, 3], 5)
    hours = np.repeat([-0.3, 0.0, 0.3], 5)
    calm = slowdown.Pair(
        "p", side(forks=15, sessions=labels), side(forks=15, sessions=labels, seed=2)
    )
    wild = slowdown.Pair("p", *(s._replace(logs=s.logs + hours) for s in (calm.before, calm.after)))
    made = [slowdown.judge_pairs([p], together=False)[0] for p in (calm, wild)]
    assert made[1].visible > 1.1 * made[0].visible
    # Measured together, what a session does to both sides cancels.
    means = SessionMeans(
        (name, logs + hours, labels)
        for name, logs in (("A", calm.before.logs), ("B", calm.after.logs), ("B", calm.after.logs))
    )
    both = slowdown.Pair("p", *(s._replace(study=means) for s in (wild.before, wild.after)))
    assert slowdown.judge_pairs([both])[0].visible < made[0].visible


def test_of_comparisons_without_a_difference_at_most_one_in_twenty_is_slower():
    alarms = 0
    for trial in range(200):
        pairs = [
            slowdown.Pair(str(p), side(seed=50 * trial + p), side(seed=10**6 + 50 * trial + p))
            for p in range(8)
        ]
        alarms += judge(*pairs, margin=0.0)[1] == REGRESSION
    assert alarms <= 200 * 0.05 + 3 * (200 * 0.05 * 0.95) ** 0.5
