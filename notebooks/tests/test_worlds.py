"""The tables of all studies but the paper's, in worlds of which we know what is true. Few repeats:
`python -m tests.worlds` prints the longer table.
"""

from collections import Counter

import pytest

from handoff.claims.verdicts import CONTRADICTED, JUDGED, REPRODUCED

from .source_tables import list_tables
from .worlds import WORLDS, count_wrong, imagine_table, tell_truth

REPEATS = 10
CHANCE = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
"""What so few repeats may be off by."""


@pytest.mark.parametrize(("study", "machine"), list_tables())
def test_where_all_is_alike_a_table_rarely_has_a_wrong_verdict(study, machine):
    """The world that lies on the edge of most claims."""
    if not set(tell_truth(imagine_table(study, machine, "as published")).values()) & set(JUDGED):
        pytest.skip("its numbers stand at points or loads where no claim is judged")
    wrong = count_wrong(imagine_table(study, machine, "all alike"), REPEATS, forks=5)
    assert max(wrong.values()) <= 0.05 + CHANCE, wrong


def test_the_worlds_differ_in_what_is_true():
    """What a source says is true in its own world, but for what holds on another of its machines;
    false in the mirror; and undecided where all is alike, but for what speaks of likeness.
    """
    found: dict[str, Counter] = {world: Counter() for world in WORLDS}
    for study, machine in list_tables():
        for world in WORLDS:
            found[world].update(tell_truth(imagine_table(study, machine, world)).values())
    assert found["as published"][REPRODUCED] > 30 and found["as published"][CONTRADICTED] <= 2
    assert found["mirrored"][CONTRADICTED] > 30 and found["mirrored"][REPRODUCED] <= 2
    assert found["all alike"][REPRODUCED] <= 3 and found["all alike"][CONTRADICTED] <= 4
