"""Words and layout of every figure, with one parameter after another off its shipped value."""

import random

import pytest

from tests.drawn import draw_figures, list_parameters, make_run
from tests.test_drawn import check_figures


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("study", "parameter"), list_parameters())
def test_words_and_layout_hold_for_any_parameter(study, parameter, seed, golden, tmp_path):
    chance = random.Random(f"{study} {parameter} {seed}")
    check_figures(draw_figures(make_run(tmp_path / "run", golden, study, parameter, chance)))
