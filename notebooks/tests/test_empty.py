"""Studies of which no fork is at the baseline: empty tables and no sentences."""

import pandas as pd
import pytest

from handoff.studies.actors import numbers as actors
from handoff.studies.executors import numbers as executors
from handoff.studies.ring import numbers as ring


@pytest.mark.parametrize(
    "tabulate",
    [
        executors.ONE_FACTOR.pairs,
        executors.ONE_FACTOR.in_words,
        ring.tabulate_ratios,
        actors.tabulate_ratios,
        actors.tabulate_habits,
        actors.describe_migration,
        actors.tabulate_rivals,
        actors.describe_soft_affinity,
    ],
)
def test_without_forks_tables_are_empty_and_nothing_is_said(tabulate):
    assert len(tabulate(pd.DataFrame())) == 0
