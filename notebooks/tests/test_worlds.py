"""Verdict tables of all studies but the paper's, in worlds whose truth is known.

There are few repeats; the deep test takes more.
"""

from collections import Counter

import pytest

from handoff.claims.verdicts import CONTRADICTED, DIRECTIONS, JUDGED, REPRODUCED

from .worlds import WORLDS, count_wrong, find_truth, imagine_table, list_tables

REPEATS = 10
CHANCE = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
"""Three standard errors of a share of 5 % with these repeats."""


@pytest.mark.parametrize(("study", "machine"), list_tables())
def test_where_all_is_alike_a_table_rarely_has_a_wrong_verdict(study, machine):
    """Most claims have their edge in this world."""
    if not set(find_truth(imagine_table(study, machine, "as published")).values()) & set(JUDGED):
        pytest.skip("no claim is judged at its points or loads")
    wrong = count_wrong(imagine_table(study, machine, "all alike"), REPEATS, forks=5)
    assert max(wrong.values()) <= 0.05 + CHANCE, wrong


def test_the_worlds_differ_in_what_is_true():
    """A source's claims hold in its own world, fail in the mirror, and are open where all is alike.

    Exceptions are claims that hold on another of its machines, and claims of sameness.
    """
    truths: dict[str, Counter] = {world: Counter() for world in WORLDS}
    # Where a load is unknown, a direction is all that can be reproduced.
    same = dict.fromkeys(DIRECTIONS, REPRODUCED)
    for study, machine in list_tables():
        for world in WORLDS:
            found = find_truth(imagine_table(study, machine, world)).values()
            truths[world].update(same.get(verdict, verdict) for verdict in found)
    assert truths["as published"][REPRODUCED] > 25 and truths["as published"][CONTRADICTED] <= 2
    assert truths["mirrored"][CONTRADICTED] > 25 and truths["mirrored"][REPRODUCED] <= 2
    assert truths["all alike"][REPRODUCED] <= 3 and truths["all alike"][CONTRADICTED] <= 4
