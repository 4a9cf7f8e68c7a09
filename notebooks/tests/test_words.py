"""Words of a verdict: its size and its sessions."""

from types import SimpleNamespace

import pytest

from handoff.claims.check import Check
from handoff.claims.comparisons import Comparison, Places
from handoff.claims.evaluation import Decision, Evaluation
from handoff.claims.verdicts import LARGER, REPRODUCED, SMALLER, Verdict, name_size

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
    places = Places([], frozenset(), {})
    evaluation = Evaluation(make_check(above=1), [compare(sessions=sessions)], places)
    assert Verdict("P1", None, "", REPRODUCED, evaluations=(evaluation,)).words == words
