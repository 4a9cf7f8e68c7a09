"""Words of a verdict: its size, its sessions, and the points and loads that were judged."""

import math
from types import SimpleNamespace

import pytest

from handoff.claims.check import Check
from handoff.claims.evaluation import Comparison, Decision, Evaluation, expand_selection
from handoff.claims.verdicts import LARGER, REPRODUCED, SMALLER, Verdict, count_coverage, name_size


def make_check(**changed):
    return Check.model_validate({"of": {"mechanism": "A"}, "to": {"mechanism": "B"}} | changed)


CONSUMERS = {"consumers": [1, 2]}
ALONG = {"sorts": [1, 15], **CONSUMERS}
"""Sorts and consumers of places 0 to 3: (1, 1), (1, 2), (15, 1), (15, 2)."""


@pytest.mark.parametrize(
    ("along", "judged", "load", "words"),
    [
        (ALONG, [{0, 1, 2, 3}], "sorts", ""),
        (ALONG, [{0, 2}], "sorts", " at 2 of 4 points"),
        (ALONG, [{0}], "sorts", " at 1 of 4 points, 1 of 2 loads"),
        # A claim about one load, and one without a load.
        (CONSUMERS, [{0}], "sorts", " at 1 of 2 points"),
        (ALONG, [{2, 3}], None, " at 2 of 4 points"),
        # A point is judged only where all of its checks are.
        (CONSUMERS, [{0, 1}, {0}], None, " at 1 of 2 points"),
    ],
)
def test_points_and_loads_are_counted_separately(along, judged, load, words):
    check = make_check(along=along, above=1)
    tried = list(expand_selection(check.along, {}))
    evaluations = [Evaluation(check, [], tried, frozenset(some), {}) for some in judged]
    assert count_coverage(evaluations, load).words == words


@pytest.mark.parametrize(
    ("bound", "direction"), [({"above": 1.5}, (1.0, math.inf)), ({"below": 0.5}, (0.0, 1.0))]
)
def test_the_direction_of_a_trend_is_a_side_of_one(bound, direction):
    assert make_check(to=None, hold="trend", **bound).direction == direction


ABOVE, BELOW = {"above": 1.25, "below": 2.0}, {"above": 0.5, "below": 0.8}


def compare(**estimate):
    return Comparison({}, SimpleNamespace(**estimate), ())


@pytest.mark.parametrize(
    ("hold", "needed", "contrary"), [("each", 4, 1), ("most", 3, 2), ("some", 1, 4)]
)
def test_most_of_four_are_three(hold, needed, contrary):
    made = Evaluation(make_check(above=1, hold=hold), [None] * 4, [], frozenset(), {})
    assert (made.needed, made.contrary) == (needed, contrary)


@pytest.mark.parametrize(
    ("claimed", "ratio", "size"),
    [(ABOVE, 3.0, LARGER), (ABOVE, 1.1, SMALLER), (BELOW, 0.3, LARGER), (BELOW, 0.9, SMALLER)],
)
def test_an_effect_is_larger_than_claimed_if_it_is_farther_from_one(claimed, ratio, size):
    check = make_check(**claimed)
    decision = Decision(check, compare(ratio=ratio), check.claimed, (ratio, ratio), 0.95)
    assert name_size(decision) == size


@pytest.mark.parametrize(
    ("sessions", "words"), [(1, "reproduced, in one session"), (3, "reproduced")]
)
def test_a_verdict_of_one_session_says_so(sessions, words):
    compared = [compare(sessions=sessions)]
    evaluation = Evaluation(make_check(above=1), compared, [], frozenset(), {})
    assert Verdict("P1", None, (), REPRODUCED, evaluations=(evaluation,)).words == words
