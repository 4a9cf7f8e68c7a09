"""The verdicts and their words."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from handoff.claims.assignments import Value
from handoff.claims.comparisons import Comparison
from handoff.claims.coverage import Coverage
from handoff.claims.evaluation import Evaluation
from handoff.claims.load import NOT_AT_LOAD
from handoff.claims.model import Claim

ALPHA = 0.05
REPRODUCED, CONTRADICTED, INCONCLUSIVE = "reproduced", "contradicted", "inconclusive"
DIRECTION = "direction reproduced, size undecided"
SMALLER, LARGER = "direction reproduced, size smaller", "direction reproduced, size larger"
NOT_TESTABLE, NOT_MEASURED = "not testable here", "not measured"
VERDICTS = (
    REPRODUCED,
    SMALLER,
    LARGER,
    DIRECTION,
    CONTRADICTED,
    INCONCLUSIVE,
    NOT_TESTABLE,
    NOT_AT_LOAD,
    NOT_MEASURED,
)
DIRECTIONS = (SMALLER, LARGER, DIRECTION)
JUDGED = (REPRODUCED, *DIRECTIONS, CONTRADICTED, INCONCLUSIVE)
"""Verdicts that rest on forks."""


class Verdict(NamedTuple):
    """A claim under one reading.

    `deciding` is the comparison that the verdict hangs on; `why` says what is lacking where there
    is none, and else which points were left out. `bindings`: what its placeholders stand for.

    `p_claimed` and `p_against` are Holm's, over the study's claims and readings that could be
    tested.
    """

    identity: str
    claim: Claim
    reading: str
    verdict: str
    why: str = ""
    bindings: Mapping[str, Value] = MappingProxyType({})
    weighed: tuple[Evaluation, ...] = ()
    shown: tuple[Evaluation, ...] = ()
    decided_by: Evaluation | None = None
    deciding: Comparison | None = None
    p_claimed: float = math.nan
    p_against: float = math.nan
    forks_needed: int | None = None
    coverage: Coverage = Coverage()
    load: str = ""

    @property
    def words(self) -> str:
        """The verdict with its coverage: 'reproduced at 1 of 11 points'."""
        return self.verdict + (self.coverage.words if self.verdict in JUDGED else "")
