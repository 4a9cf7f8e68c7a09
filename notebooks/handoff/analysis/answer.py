"""The three answers to whether a change makes a difference: yes, no, and not known."""

import math
from enum import StrEnum

import pandas as pd

from handoff.analysis.intervals import (
    MIN_FORKS,
    UNREASONABLE,
    Effort,
    Estimate,
    find_effort,
)
from handoff.text import pluralize

MARGIN = 0.05
"""Share by which a change must surely change a number, up or down."""


class Answer(StrEnum):
    """Whether a change makes a difference of more than a margin."""

    CHANGES = "changes"
    SAME = "does not change"
    UNKNOWN = "not known"


def find_answer(low: float | None, high: float | None, margin: float = MARGIN) -> Answer:
    """Return the answer of a ratio's interval; without one it is not known."""
    if low is None or high is None or pd.isna(low) or pd.isna(high):
        return Answer.UNKNOWN
    if low > 1 + margin or high < 1 - margin:
        return Answer.CHANGES
    inside = 1 - margin <= low and high <= 1 + margin
    return Answer.SAME if inside else Answer.UNKNOWN


def describe_need(made: Estimate, confidence: float, margin: float = MARGIN) -> str:
    """Return what would answer if value and spread stay, such as 'about 12 forks per point'."""
    if not made.errors:
        enough = made.forks >= MIN_FORKS
        return "a session with both points" if enough else f"at least {MIN_FORKS} forks per point"
    nearest = min((1 - margin, 1 + margin), key=lambda bound: abs(made.log - math.log(bound)))
    effort = find_effort(made, nearest, confidence)
    return describe_effort(effort._replace(forks=max(effort.forks, MIN_FORKS)), made)


def describe_effort(effort: Effort, made: Estimate) -> str:
    """Return 'about 66 forks per point' or 'about 8 sessions', whichever takes fewer forks."""
    if effort == UNREASONABLE:
        return f"no reasonable number of {'forks' if made.sessions == 1 else 'forks or sessions'}"
    if effort.forks <= effort.sessions * made.forks / made.sessions:
        return f"about {pluralize(int(effort.forks), 'fork')} per point"
    return f"about {pluralize(int(effort.sessions), 'session')}"
