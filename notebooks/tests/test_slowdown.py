"""What counts as slower, on made-up forks, and every way to judge nothing."""

import numpy as np
import pytest

from handoff.analysis.comparison import NOT_SLOWER, SLOWER, find_code, tabulate_outcomes
from handoff.analysis.intervals import Term, estimate
from handoff.analysis.sessions import SessionMeans
from handoff.analysis.unpaired import estimate_apart
from handoff.errors import COMPLETE, INCOMPLETE, REGRESSION, UNJUDGED
from handoff.report.compared import describe_outcomes


def side(factor=1.0, forks=5, spread=0.05, seed=1, sessions=None, study=None):
    random = np.random.default_rng(seed)
    logs = np.log(100 * factor) + spread * random.normal(size=forks)
    labels = None if sessions is None else np.array(sessions)
    return Term(1.0, logs, 0.06**2, labels, "QUEUE", study)


def compare(before, after, flaw="", combine=estimate):
    """Return a point with after ÷ before, as `compare_point` does."""
    return {"why": flaw}, combine([after, before._replace(weight=-1.0)])


def pair(factor=1.0, flaw="", combine=estimate, **options):
    return compare(side(**options), side(factor, seed=2, **options), flaw, combine)


def find_visible(made):
    return tabulate_outcomes([made])["visible"].iloc[0]


def judge(*made, missing=0, **options):
    """Return the outcome of each point and the exit code."""
    rows = tabulate_outcomes(made, **options)
    return rows["outcome"].tolist(), find_code(rows, missing)


def test_equal_sides_pass_and_a_doubling_is_slower():
    assert judge(pair(), pair(2.0)) == ([NOT_SLOWER, SLOWER], REGRESSION)
    assert judge(pair(), pair(0.5)) == ([NOT_SLOWER] * 2, COMPLETE)


WAYS = {
    "no point at all": [],
    "a point that one side does not have": [({"why": "not measured after"}, None)],
    "a flaw": [pair(3.0, flaw="threads share cores")],
    "sides without a session in common": [
        compare(side(sessions=[1] * 5), side(3.0, seed=2, sessions=[2] * 5))
    ],
    "forks that scatter": [pair(spread=1.0)],
    "one point of many": [*(pair() for _ in range(9)), pair(forks=2)],
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_passes_without_being_judged(way):
    words, code = judge(*WAYS[way], missing=1)
    assert code == UNJUDGED and SLOWER not in words
    assert "NOT JUDGED" in "\n".join(describe_outcomes(tabulate_outcomes(WAYS[way])))


def test_missing_forks_are_incomplete_only_where_all_else_passes():
    assert judge(pair(), missing=1)[1] == INCOMPLETE
    assert judge(pair(2.0), missing=1)[1] == REGRESSION
    assert judge(pair(2.0), pair(forks=3))[1] == REGRESSION


def test_a_point_says_which_slowdown_it_would_have_shown():
    made = tabulate_outcomes([pair(1.0)]).iloc[0]
    for factor, outcome in ((0.98, NOT_SLOWER), (1.02, SLOWER)):
        again = tabulate_outcomes([pair(factor * made["visible"] / made["ratio"])]).iloc[0]
        assert again["outcome"] == outcome and again["visible"] == pytest.approx(made["visible"])


def test_sides_that_were_measured_apart_see_less_than_arms_of_one_block():
    together, apart = (find_visible(pair(combine=c)) for c in (estimate, estimate_apart))
    assert apart > together * 1.1
    sessions = [1] * 5 + [2] * 5 + [3] * 5
    thrice = find_visible(pair(forks=15, sessions=sessions, combine=estimate_apart))
    assert together < thrice < apart


def test_sessions_that_differ_widen_the_interval_of_runs_measured_apart():
    labels, hours = np.repeat([1, 2, 3], 5), np.repeat([-0.3, 0.0, 0.3], 5)
    calm = [side(forks=15, sessions=labels, seed=seed) for seed in (1, 2)]
    wild = [term._replace(logs=term.logs + hours) for term in calm]
    narrow, wide = (find_visible(compare(*s, combine=estimate_apart)) for s in (calm, wild))
    assert wide > 1.1 * narrow
    # Measured together, what a session does to both sides cancels.
    means = SessionMeans((name, wild[n].logs, labels) for name, n in (("A", 0), ("B", 1), ("B", 1)))
    assert find_visible(compare(*(term._replace(study=means) for term in wild))) < narrow


def test_of_comparisons_without_a_difference_at_most_one_in_twenty_is_slower():
    alarms = 0
    for trial in range(200):
        made = [
            compare(side(seed=50 * trial + p), side(seed=10**6 + 50 * trial + p)) for p in range(8)
        ]
        alarms += judge(*made, margin=0.0)[1] == REGRESSION
    assert alarms <= 200 * 0.05 + 3 * (200 * 0.05 * 0.95) ** 0.5
