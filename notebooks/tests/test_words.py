"""Words of a verdict: its size, its sessions, and the points and loads that were judged."""

import math
from types import SimpleNamespace

import pytest

from handoff.claims import coverage
from handoff.claims.check import Check
from handoff.claims.comparisons import Comparison, expand_selection
from handoff.claims.coverage import Coverage, count_coverage
from handoff.claims.evaluation import Decision, Evaluation
from handoff.claims.verdicts import LARGER, REPRODUCED, SMALLER, Verdict, name_size

CONSUMERS = {"consumers": [1, 2]}
ALONG = {"sorts": [1, 15], **CONSUMERS}
"""Sorts and consumers of places 0 to 3: (1, 1), (1, 2), (15, 1), (15, 2)."""


def cover(along: dict, *judged: set[int], load: str | None = "sorts") -> Coverage:
    """Return the coverage of a claim that has one check per set of judged places."""
    check = Check.model_validate({"of": {"mechanism": "A"}, "along": along, "above": 1})
    tried = list(expand_selection(check.along, {}))
    evaluations = [Evaluation(check, [], tried, frozenset(some), {}) for some in judged]
    return count_coverage(evaluations, load)


@pytest.mark.parametrize(
    ("judged", "words"),
    [
        ({0, 1, 2, 3}, ""),
        ({0, 2}, " at 2 of 4 points"),
        ({2, 3}, " at 2 of 4 points, 1 of 2 loads"),
        ({0}, " at 1 of 4 points, 1 of 2 loads"),
    ],
)
def test_points_and_loads_are_counted_separately(judged, words):
    assert cover(ALONG, judged).words == words


def test_loads_are_not_counted_for_a_claim_about_one_load():
    assert cover(CONSUMERS, {0}).words == " at 1 of 2 points"
    assert cover(ALONG, {2, 3}, load=None).words == " at 2 of 4 points"


def test_a_check_that_this_machine_cannot_make_leaves_its_points_unjudged():
    assert cover(CONSUMERS, set()) == Coverage(0, 2)


def test_a_point_is_judged_only_where_all_of_its_checks_are():
    assert cover(CONSUMERS, {0, 1}, {0}, load=None) == Coverage(1, 2)


@pytest.mark.parametrize(("hold", "allowed"), [("each", {0}), ("mean", set())])
def test_only_a_check_of_each_place_is_examined_place_by_place(monkeypatch, hold, allowed):
    check = Check.model_validate({"of": {}, "along": CONSUMERS, "above": 1, "hold": hold})
    judged = Evaluation(check, [], [], frozenset({0, 1}), {})
    monkeypatch.setattr(coverage, "can_pass", lambda *given: given[-1] == {0})
    assert coverage.allow_places(judged, None, None, {}) == allowed


@pytest.mark.parametrize(
    ("bound", "direction"), [({"above": 1.5}, (1.0, math.inf)), ({"below": 0.5}, (0.0, 1.0))]
)
def test_the_direction_of_a_trend_is_a_side_of_one(bound, direction):
    check = Check.model_validate({"of": {"mechanism": "A"}, "hold": "trend", **bound})
    assert check.direction == direction


ABOVE, BELOW = {"above": 1.25, "below": 2.0}, {"above": 0.5, "below": 0.8}


def make_check(**bounds):
    return Check.model_validate({"of": {"mechanism": "A"}, "to": {"mechanism": "B"}, **bounds})


def compare(**estimate):
    return Comparison({}, SimpleNamespace(**estimate), ())


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
