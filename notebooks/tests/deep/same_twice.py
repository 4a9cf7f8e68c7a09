"""An A/A test on a measured run: `python -m tests.deep.same_twice RUN`.

Forks of one point, under two names, must not differ.
"""

import sys
from typing import NamedTuple

import numpy as np

from handoff.analysis.contrast import Term, adjust_holm, estimate_contrast
from handoff.analysis.forks import compute_fork_means
from handoff.paths import find_run_folder
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy


class Twice(NamedTuple):
    """Time ratio of a point's even to its odd forks, its 95 % interval, two-sided p after Holm."""

    name: str
    ratio: float
    low: float
    high: float
    p: float


def halves(run: Run) -> list[Twice]:
    """Compare the halves of every point with at least four forks.

    Blocks are shuffled, so even and odd forks were measured under the same conditions.
    """
    forks = compute_fork_means(tidy.load_fresh(run, "scaling"))
    comparisons = []
    for (mechanism, consumers, sorts), group in forks.groupby(["mechanism", "consumers", "sorts"]):
        even, odd = (
            np.log(group.loc[group["fork"] % 2 == side, "ns_per_event"].to_numpy())
            for side in (0, 1)
        )
        if min(len(even), len(odd)) >= 2:
            ratio = estimate_contrast([Term(1.0, even), Term(-1.0, odd)])
            comparisons.append(
                (
                    f"{mechanism} {consumers} {sorts}",
                    ratio,
                    2 * min(ratio.p_above(1), ratio.p_below(1)),
                )
            )
    adjusted = adjust_holm([p for *_, p in comparisons])
    return [
        Twice(name, ratio.ratio, *ratio.interval(0.95), p)
        for (name, ratio, _), p in zip(comparisons, adjusted, strict=True)
    ]


if __name__ == "__main__":
    for twice in halves(read_run(find_run_folder(sys.argv[1]))):
        print(
            f"{twice.name:30} {twice.ratio:.3f} [{twice.low:.3f}, {twice.high:.3f}]  p"
            f" {twice.p:.2f}"
        )
