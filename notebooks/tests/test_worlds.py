"""Verdict tables of all studies but the paper's, in worlds whose truth is known.

There are few repeats; the deep test takes more.
"""

import pytest

from handoff.claims.verdicts import JUDGED

from .worlds import count_wrong, find_truth, imagine_table, list_tables

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
