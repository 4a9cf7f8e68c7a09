"""The tables of all studies but the paper's, in worlds of which we know what is true. Few repeats:
`python -m tests.worlds` prints the longer table.
"""

import pytest

from handoff.claims.verdicts import CONTRADICTED, REPRODUCED

from .worlds import count_wrong, imagine_table, list_worlds, tell_truth

REPEATS = 10
CHANCE = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
"""What so few repeats may be off by."""


@pytest.mark.parametrize(("study", "machine", "world"), list_worlds())
def test_a_studys_table_rarely_has_a_wrong_verdict(study, machine, world):
    wrong = count_wrong(imagine_table(study, machine, world), REPEATS, forks=5)
    assert max(wrong.values()) <= 0.05 + CHANCE, wrong


def test_the_worlds_differ_in_what_is_true():
    """What each source says is true in its own, false in the mirror, and undecided or false where
    all is alike.
    """
    found = {"as published": [], "all alike": [], "mirrored": []}
    for study, machine, world in list_worlds():
        found[world] += tell_truth(imagine_table(study, machine, world)).values()
    right = {world: truth.count(REPRODUCED) for world, truth in found.items()}
    false = {world: truth.count(CONTRADICTED) for world, truth in found.items()}
    assert right["as published"] > 40 and false["as published"] <= 12
    assert false["mirrored"] > right["mirrored"] and right["all alike"] < right["as published"] / 2
