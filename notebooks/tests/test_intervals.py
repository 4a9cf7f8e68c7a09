"""The rule for intervals: by hand, against independent computations, and in simulation."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from handoff.analysis.forks import LEAST_SPREAD, Variation, measure_level
from handoff.analysis.intervals import Error, Estimate, Term, estimate, find_effort
from handoff.analysis.sessions import MeanSquare, SessionMeans, SessionSpread, describe_sessions
from handoff.claims.case import explain_absence
from handoff.claims.check import Check
from handoff.claims.evaluation import Comparison, Evaluation
from handoff.claims.model import Claim, Needs
from handoff.claims.verdicts import (
    CONTRADICTED,
    INCONCLUSIVE,
    REPRODUCED,
    SMALLER,
    UNDECIDED,
    Verdict,
    decide_verdict,
)

RANKS = [CONTRADICTED, INCONCLUSIVE, SMALLER, UNDECIDED, REPRODUCED]
"""Verdicts of a claim of more, in the order in which a growing estimate passes them."""


def cell(weight, *sessions, mechanism="", study=None):
    """Return a point's term from the logarithms of each session's forks."""
    labels = np.repeat(np.arange(len(sessions)) + 1, [len(logs) for logs in sessions])
    logs = np.concatenate([np.asarray(logs, float) for logs in sessions])
    return Term(weight, logs, 0.0, labels, mechanism, study)


def contrast(above, below, study=None):
    """Return the ratio of a point of mechanism a and one of b, from their sessions."""
    top = cell(1, *above, mechanism="a", study=study)
    return estimate([top, cell(-1, *below, mechanism="b", study=study)])


def test_one_session_is_welchs_t_interval():
    random = np.random.default_rng(1)
    a, b = random.normal(0.3, 0.1, 7), random.normal(0, 0.02, 5)
    low, high = estimate([Term(1.0, a), Term(-1.0, b)]).interval()
    expected = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert (math.log(low), math.log(high)) == pytest.approx((expected.low, expected.high))


def test_forks_that_agree_too_well_have_the_floor_as_their_variance():
    made = estimate([Term(1.0, np.zeros(5), floor=0.05)])
    assert made.errors == ((pytest.approx(0.05 / 5), 4, None),)


def test_an_effect_of_a_session_on_both_sides_cancels():
    """Three sessions, of which the second is slower by e^5: the ratios are e^1.0, e^1.1, e^0.9."""
    made = contrast([[1.0] * 2, [6.1] * 2, [0.9] * 2], [[0.0] * 2, [5.0] * 2, [0.0] * 2])
    assert made.log == pytest.approx(1.0) and made.forks == 6
    assert made.errors[0] == (pytest.approx(0.01 / 3), 2, pytest.approx(0.01 / 3))


def table_of(random, mechanisms, sessions, shared=0.0, single=0.0):
    """Return the session means of points, given the points of each mechanism."""
    common = random.normal(0, 1, sessions)
    for mechanism, points in mechanisms.items():
        together = random.normal(0, shared, sessions)
        for _ in range(points):
            yield mechanism, common + together + random.normal(0, single, sessions)


def study_of(rows):
    """Return the means of points with one fork per session, whose sessions count from 1."""
    return SessionMeans((m, means, np.arange(len(means)) + 1) for m, means in rows)


def residual_squares(values, *factors):
    """Return the sum of squares that a fit of factors, with a column per level, leaves."""
    design = np.hstack([np.equal.outer(f, np.unique(f)).astype(float) for f in factors])
    fitted, *_ = np.linalg.lstsq(design, values, rcond=None)
    return ((values - design @ fitted) ** 2).sum()


@pytest.mark.parametrize("mechanisms", [{"a": 4, "b": 4, "c": 4}, {"a": 1, "b": 5, "c": 3}])
def test_mean_squares_are_those_of_an_analysis_of_variance(mechanisms):
    """An independent computation: by how much each factor lowers the sum of squares of a fit."""
    rows = list(table_of(np.random.default_rng(2), mechanisms, 3, 0.1, 0.05))
    values = np.concatenate([means for _, means in rows])
    points, sessions = np.repeat(np.arange(len(rows)), 3), np.tile(np.arange(3), len(rows))
    pairs = np.array([f"{name} {session}" for name, _ in rows for session in range(3)])
    plain = residual_squares(values, points, sessions)
    full = residual_squares(values, points, sessions, pairs)
    spread = study_of(rows).measure_spread([1, 2, 3])
    free = (len(mechanisms) - 1) * 2, (len(rows) - len(mechanisms)) * 2
    assert (spread.mechanisms.freedom, spread.rest.freedom) == free
    assert spread.rest.value == pytest.approx(full / free[1])
    if len(set(mechanisms.values())) == 1:
        assert spread.mechanisms.value == pytest.approx((plain - full) / free[0])


def test_the_pooled_variance_is_the_formulas():
    """Two mechanisms of four and six points; one point of each, or two of one, are compared."""
    spread = SessionSpread(MeanSquare(0.04, 2), MeanSquare(0.01, 16), {"a": 4, "b": 6})
    k = 2 / (1 / 4 + 1 / 6)
    between, rest = 2 / k, 2 - 2 / k
    parts = between * spread.mechanisms.bound, rest * spread.rest.bound
    variance, freedom = spread.bound_variance([("a", 1.0), ("b", -1.0)])
    assert variance == pytest.approx(sum(parts))
    assert freedom == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 16))
    alike = spread.bound_variance([("a", 1.0), ("a", -1.0)])
    assert alike == (pytest.approx(2 * spread.rest.bound), 16)


def test_what_the_points_do_not_show_is_unknown():
    spread = SessionSpread(MeanSquare(0.01, 2), MeanSquare(0.0, 0), {"a": 1, "b": 1})
    assert spread.bound_variance([("a", 1.0), ("b", -1.0)]) is not None
    assert spread.bound_variance([("a", 1.0), ("c", -1.0)]) is None


def test_what_the_own_sessions_show_counts_where_it_is_larger():
    calm, wild = (
        contrast(
            [[1.0] * 2, [1.1] * 2, [0.9] * 2],
            [[0.0] * 2] * 3,
            study_of(table_of(np.random.default_rng(4), {"a": 5, "b": 5}, 3, 0.0, single)),
        )
        for single in (1e-3, 1.0)
    )
    assert calm.errors[0][:2] == (pytest.approx(0.01 / 3), 2)
    assert wild.errors[0].variance > 0.25 and wild.errors[0].freedom > 2


def test_the_error_with_the_wider_interval_counts_not_the_larger_variance():
    few, many = Error(0.01, 2.0), Error(0.02, 100.0)
    made = Estimate(0.0, (few, many), 15, 3)
    for confidence, counts in ((0.5, many), (0.99, few)):
        alone = made._replace(errors=(counts,))
        assert made.interval(confidence) == alone.interval(confidence)


def test_a_session_with_one_fork_shows_nothing_of_how_forks_vary():
    study = study_of(table_of(np.random.default_rng(4), {"a": 6, "b": 6}, 2, 0.0, 0.05))
    sides = [[1.0] * 4, [1.1]], [[0.0] * 4, [0.0] * 4]
    (error,) = contrast(*sides, study).errors
    assert error.between == error.variance, "no number of forks is known to help"


def test_two_sessions_have_an_interval_from_the_studys_other_points():
    """A third session that has one point so far takes nothing from it."""
    rows = list(table_of(np.random.default_rng(4), {"a": 6, "b": 6}, 3, 0.0, 0.05))
    whole = study_of((name, means[:2]) for name, means in rows)
    started = study_of((m, means if n == 3 else means[:2]) for n, (m, means) in enumerate(rows))
    sides = [[1.0] * 3, [1.1] * 3], [[0.0] * 3, [0.0] * 3]
    made = contrast(*sides, whole)
    assert made.sessions == 2 and made.interval() is not None
    assert contrast(*sides, started) == made
    assert contrast(*sides).interval() is None


def test_a_level_has_an_interval_per_session_below_three_and_one_from_then_on():
    forks = [0.0, 0.1, 0.2]
    two = estimate([cell(1, forks, [x + 1 for x in forks])])
    assert two.log == pytest.approx(0.6) and len(two.apart) == 2
    low, high = two.interval()
    assert low < math.exp(0.1) and high > math.exp(1.1)
    three = estimate([cell(1, forks, [x + 1 for x in forks], [x + 2 for x in forks])])
    ((variance, freedom, between),) = three.errors
    assert (variance, freedom) == (pytest.approx(1 / 3), 2)
    assert variance - between == pytest.approx(0.01 / 3 / 3), "what more forks would shrink"


def test_without_five_forks_or_a_session_in_common_there_is_no_interval():
    assert estimate([Term(1.0, np.arange(4.0))]).interval() is None
    assert estimate([Term(1.0, np.arange(5.0))]).interval() is not None
    top, bottom = cell(1, [1.0] * 5), cell(-1, [0.0] * 5)
    assert estimate([top, bottom._replace(sessions=bottom.sessions + 1)]).interval() is None


VALUES = st.lists(st.floats(-3, 3), min_size=6, max_size=30)
EVERY_TIME = settings(derandomize=True, deadline=None, database=None)


@EVERY_TIME
@given(VALUES, st.integers(1, 3), st.integers(), st.floats(-5, 5))
def test_the_order_of_forks_the_names_of_sessions_and_the_unit_make_no_difference(
    values, sessions, seed, unit
):
    top = np.array(values)
    labels = np.arange(len(top)) % sessions
    mixed = np.random.default_rng(abs(seed)).permutation(len(top))
    plain = [Term(1.0, top, 0.01, labels), Term(-1.0, top**2, 0.01, labels)]
    # Merging renames sessions and appends forks: the last session comes first.
    renamed = (sessions - labels)[mixed]
    turned = [t._replace(logs=t.logs[mixed] + unit, sessions=renamed) for t in plain]
    before, after = estimate(plain), estimate(turned)
    assert after.log == pytest.approx(before.log, abs=1e-9)
    assert after[2:4] == before[2:4]
    pairs = zip(after.errors, before.errors, strict=True)
    assert all(one[:2] == pytest.approx(other[:2], abs=1e-9) for one, other in pairs)


def leave_undecided(made, **claimed):
    """Return a claim about one ratio, evaluated but without a verdict."""
    check = Check.model_validate({"of": {"mechanism": "A"}, "to": {"mechanism": "B"}} | claimed)
    claim = Claim(says="", place="", needs=Needs(cores=1), test=[check])
    evaluation = Evaluation(check, [Comparison({}, made, ())], [{}], frozenset({0}), {})
    return Verdict("P1", claim, (), "", evaluations=(evaluation,))


@EVERY_TIME
@given(VALUES, st.floats(0, 2), st.sampled_from([{"above": 1}, {"above": 1.5}, {"below": 0.8}]))
def test_a_larger_estimate_never_turns_a_verdict_the_other_way(values, more, claimed):
    """Ranks: from contradicted over undecided to reproduced; for a claim of less, reversed."""

    def rank(shift):
        bare = leave_undecided(estimate([Term(1.0, np.array(values) + shift, 0.01)]), **claimed)
        return RANKS.index(decide_verdict(bare, 0.02).verdict)

    before, after = rank(0.0), rank(more)
    assert after >= before if "above" in claimed else after <= before


def test_what_would_decide_is_told_in_forks_only_where_they_help():
    # All of the error is between sessions: no number of forks helps, some sessions do.
    effort = find_effort(Estimate(0.05, (Error(0.0016, 4.0, 0.0016),), 15, 3), 1.0, 0.95)
    assert effort.forks == math.inf and 3 < effort.sessions < 50


@pytest.mark.parametrize("sessions", [(), (Error(1e-5, 20.0, 1e-5),)])
def test_the_forks_that_would_decide_do_and_half_of_them_do_not(sessions):
    """All of the error is between forks, or nearly all: that of the sessions remains."""
    alone = Estimate(0.03, (*sessions, Error(0.0004, 8.0)), 5, 1 + len(sessions))
    effort = find_effort(alone, 1.0, 0.95)
    assert 5 < effort.forks < 100
    for more, decided in ((effort.forks, True), (effort.forks // 2, False)):
        forks = Error(0.0004 * 5 / more, 8.0 * more / 5)
        later = alone._replace(errors=(*sessions, forks), forks=more)
        assert (later.interval()[0] >= 1.0) is decided


@pytest.mark.parametrize(
    ("forks", "reason"),
    [(4, "fewer than 5 forks"), (10, "measured in 2 sessions, which do not show how much")],
)
def test_what_was_measured_and_has_no_interval_says_why(forks, reason):
    bare = Estimate(0.1, (), forks, 2)
    assert explain_absence(leave_undecided(bare, above=1).evaluations).startswith(reason)


def make_forks(logs, sessions=1, oversubscribed=False):
    """Return a point's forks, spread evenly over sessions, with the variation that they show."""
    forks = pd.DataFrame({"ns_per_event": np.exp(logs), "session": np.arange(len(logs)) % sessions})
    forks = forks.assign(point="a", mechanism="a", oversubscribed=oversubscribed)
    return forks.assign(variation=Variation(forks, ["mechanism"]))


def test_differences_between_sessions_are_in_no_variance_floor():
    """Forks of a session agree to 1 %; the sessions differ by a factor of e."""
    logs = np.random.default_rng(5).normal(0, 0.01, 10) + np.arange(10) % 2
    floors, _ = make_forks(logs, sessions=2)["variation"].iloc[0].of("ns_per_event")
    assert floors == {"a": LEAST_SPREAD**2}


@pytest.mark.parametrize(
    ("sessions", "shared", "bars"), [(1, False, 1), (2, False, 2), (3, False, 1), (1, True, 0)]
)
def test_a_point_on_cores_of_its_own_has_bars(sessions, shared, bars):
    logs = np.random.default_rng(9).normal(0, 0.1, 12)
    assert len(measure_level(make_forks(logs, sessions, shared)).bars) == bars


@pytest.mark.parametrize(
    ("sessions", "words"),
    [(1, "is not in the intervals."), (2, "levels have one per session."), (3, "and levels.")],
)
def test_the_sentence_says_what_the_interval_covers(sessions, words):
    assert describe_sessions(sessions).endswith(words)
