"""Confirmation: what became of the verdicts that came before the rules."""

import pandas as pd
import pytest

from handoff.claims import verdicts
from handoff.report import confirmation


@pytest.mark.parametrize(
    ("earlier", "now", "outcome"),
    [
        (verdicts.REPRODUCED, verdicts.REPRODUCED, confirmation.STAYED),
        (verdicts.INCONCLUSIVE, verdicts.INCONCLUSIVE, confirmation.STAYED),
        (verdicts.REPRODUCED, verdicts.INCONCLUSIVE, confirmation.LOST),
        (verdicts.INCONCLUSIVE, verdicts.CONTRADICTED, confirmation.DECIDED),
        (verdicts.INCONCLUSIVE, verdicts.UNDECIDED, confirmation.DECIDED),
        (verdicts.UNDECIDED, verdicts.INCONCLUSIVE, confirmation.LOST),
        (verdicts.UNDECIDED, verdicts.LARGER, confirmation.OTHER_SIZE),
        (verdicts.REPRODUCED, verdicts.CONTRADICTED, confirmation.REVERSED),
        (verdicts.CONTRADICTED, verdicts.LARGER, confirmation.REVERSED),
        (verdicts.DIRECTION, verdicts.LARGER, confirmation.OTHER_SIZE),
        (verdicts.REPRODUCED, verdicts.NOT_MEASURED, confirmation.UNJUDGED),
        (verdicts.REPRODUCED, float("nan"), confirmation.UNJUDGED),
    ],
)
def test_an_outcome_has_a_name(earlier, now, outcome):
    assert confirmation.name_outcome(earlier, now) == outcome


def test_the_earlier_run_itself_would_stay_as_it_was():
    earlier = pd.read_csv(confirmation.EARLIER).fillna({"reading": ""})
    page = confirmation.describe_confirmation(earlier)
    assert "Of 30 judged rows of the earlier run: 30 stayed." in page
    both = "4.16 [3.71 to 4.65], reproduced at 1 of 11 points"
    assert f"| P1 sort of today | {both} | {both} | stayed |" in page


def test_a_row_that_this_run_does_not_judge_is_listed_without_its_side():
    earlier = pd.read_csv(confirmation.EARLIER).fillna({"reading": ""})
    page = confirmation.describe_confirmation(earlier[earlier["claim"] != "P1"])
    assert "29 stayed, 1 not judged now." in page
    assert "| P1 sort of today | 4.16 [3.71 to 4.65], reproduced at 1 of 11 points |  |" in page


def test_the_page_says_what_the_rules_changed_and_when_one_changed_later():
    page = confirmation.describe_confirmation(pd.read_csv(confirmation.EARLIER))
    assert "- P8 before: it tested a size, and found it larger." in page
    assert "Two rules on what a session is changed on 2026-11-26" in page
