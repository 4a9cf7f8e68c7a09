"""An A/A test on a measured run: `python -m tests.deep.same_twice RUN`.

Forks of one point, under two names, must not differ.
"""

import sys
from typing import NamedTuple

import numpy as np

from handoff.analysis.forks import compute_fork_means
from handoff.analysis.intervals import Term, estimate
from handoff.paths import find_run_folder
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy

LEAST = 2
"""Forks of each half."""

ERROR = 0.01
"""Chance that any interval misses 1 where nothing differs, all of them together."""


class Twice(NamedTuple):
    """Time ratio of a point's even to its odd forks, with its interval."""

    name: str
    ratio: float
    low: float
    high: float


def halves(run: Run) -> list[Twice]:
    """Compare the halves of every point with at least four forks.

    Blocks are shuffled, so even and odd forks were measured under the same conditions.
    """
    tidy.write_tables(run)
    forks = compute_fork_means(tidy.load_table(run, "scaling"))
    made = {}
    for (mechanism, consumers, sorts), group in forks.groupby(["mechanism", "consumers", "sorts"]):
        even, odd = (
            np.log(group.loc[group["fork"] % 2 == side, "ns_per_event"].to_numpy())
            for side in (0, 1)
        )
        if min(len(even), len(odd)) >= LEAST:
            ratio = estimate([Term(1.0, even), Term(-1.0, odd)])
            made[f"{mechanism} {consumers} {sorts}"] = ratio
    confidence = 1 - ERROR / max(1, len(made))
    return [
        Twice(name, ratio.ratio, *ratio.interval(confidence, LEAST)) for name, ratio in made.items()
    ]


if __name__ == "__main__":
    for twice in halves(read_run(find_run_folder(sys.argv[1]))):
        print(f"{twice.name:30} {twice.ratio:.3f} [{twice.low:.3f}, {twice.high:.3f}]")
