"""The tables of all studies but the paper's, in worlds whose truth is known.

The repeats are few: `python -m tests.worlds` prints the longer table.
"""

from collections import Counter

import pytest

from handoff.claims.verdicts import CONTRADICTED, JUDGED, REPRODUCED

from .source_tables import list_tables
from .worlds import WORLDS, count_wrong, find_truth, imagine_table

REPEATS = 10
CHANCE = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
"""Three standard errors of a share of 5 % with these repeats."""


@pytest.mark.parametrize(("study", "machine"), list_tables())
def test_where_all_is_alike_a_table_rarely_has_a_wrong_verdict(study, machine):
    """The world that lies on the edge of most claims."""
    if not set(find_truth(imagine_table(study, machine, "as published")).values()) & set(JUDGED):
        pytest.skip("its numbers stand at points or loads where no claim is judged")
    wrong = count_wrong(imagine_table(study, machine, "all alike"), REPEATS, forks=5)
    assert max(wrong.values()) <= 0.05 + CHANCE, wrong


def test_the_worlds_differ_in_what_is_true():
    """A source's claims hold in its own world, fail in the mirror, and are open where all is alike.

    Exceptions are claims that hold on another of its machines, and claims of sameness.
    """
    found: dict[str, Counter] = {world: Counter() for world in WORLDS}
    for study, machine in list_tables():
        for world in WORLDS:
            found[world].update(find_truth(imagine_table(study, machine, world)).values())
    assert found["as published"][REPRODUCED] > 30 and found["as published"][CONTRADICTED] <= 2
    assert found["mirrored"][CONTRADICTED] > 30 and found["mirrored"][REPRODUCED] <= 2
    assert found["all alike"][REPRODUCED] <= 3 and found["all alike"][CONTRADICTED] <= 4
