"""Studies that a run did not measure: no figure, empty tables and no sentences."""

import pandas as pd
import pytest

from handoff.studies.actors import numbers as actors
from handoff.studies.executors import numbers as executors
from handoff.studies.ladder.figures import LadderFigures
from handoff.studies.latency.figures import LatencyFigures
from handoff.studies.ring import numbers as ring
from handoff.studies.scaling.figures import ScalingFigures
from handoff.tables import tidy

from .test_page import DRAWN


@pytest.mark.parametrize(
    ("figures", "name"),
    [
        *((kind, name) for kind, names in DRAWN for name in names if kind is not ScalingFigures),
        (LatencyFigures, "load"),
        (LadderFigures, "figure"),
        (LadderFigures, "away"),
    ],
)
def test_a_run_without_a_study_has_no_figure_of_it(fake_run, tmp_path, figures, name):
    other = fake_run()
    tidy.write_tables(other)
    assert getattr(figures(other, tmp_path), name)() is None


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
