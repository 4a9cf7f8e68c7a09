"""Words and layout of every figure, with one parameter off its shipped value.

The deep tests move one parameter after another.
"""

import random

import matplotlib.pyplot as plt
import pytest

from .drawn import BASE, Drawn, draw_figures, find_false_words, list_parameters, make_run
from .overlaps import find_faults


@pytest.mark.parametrize("study", BASE)
def test_words_say_only_what_is_drawn_and_nothing_lies_on_them(study, golden, tmp_path):
    names = [name for known, name in list_parameters() if known == study]
    chance = random.Random(study)
    run = make_run(tmp_path / "run", golden, study, chance.choice(names), chance)
    check_figures(draw_figures(run, most=1))


def check_figures(figures: list[Drawn]) -> None:
    """Fail on words that the data do not bear out, and on faults of the layout; close them all."""
    assert figures
    wrong = {drawn.name: find_false_words(drawn) + find_faults(drawn.figure) for drawn in figures}
    plt.close("all")
    assert not {name: found for name, found in wrong.items() if found}
