"""What the model says of each claim, to stand beside the verdicts, none of which it changes."""

from collections.abc import Mapping
from functools import cache

import pandas as pd

from handoff.claims.load import MATCHED_LOAD
from handoff.modelled.claims import CANNOT_SAY, judge_claims
from handoff.modelled.gate import load_near
from handoff.modelled.predictions import load_table

Sayings = Mapping[tuple[str, str], str]
"""By claim and reading; reading '' of a claim that is judged once for all."""


@cache
def judge_kept() -> pd.DataFrame:
    """The paper's claims by the kept predictions: `judge_claims`, which takes seconds, once."""
    return judge_claims(load_table(), load_near())


@cache
def load_sayings() -> Sayings:
    """Of the paper's claims, as far as they have a test."""
    judged = judge_kept()
    found = {(row.claim, row.reading): shorten(row.says_here) for row in judged.itertuples()}
    for claim, own in judged.groupby("claim", sort=False):
        said = set(own["says_here"])
        found[str(claim), ""] = shorten(said.pop() if len(said) == 1 else CANNOT_SAY)
    return found


def find_saying(claim: str, reading: str) -> str:
    """'' of a claim without a test. A reading at another load here is about the same load there:
    the model's is the source's own.
    """
    words = reading.removesuffix(MATCHED_LOAD).removesuffix(", ")
    return load_sayings().get((claim, words), "")


def shorten(said: str) -> str:
    """For a cell whose head names the model."""
    return said.removeprefix("the model ")
