"""Real measurements of one mechanism under two names, which must not differ."""

import numpy as np

from handoff.analysis.forks import compute_fork_means
from handoff.analysis.intervals import Term, estimate
from handoff.paths import SWEEPS
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy

from ..conftest import run_all

LEAST = 2
"""Forks of each half."""

ERROR = 0.01
"""Chance that any interval misses 1 where nothing differs, all of them together."""


def halves(run: Run) -> dict[str, tuple[float, float]]:
    """Return the interval of every point's time ratio, its even to its odd forks.

    Blocks are shuffled, so even and odd forks were measured under the same conditions.
    """
    tidy.write_tables(run)
    forks = compute_fork_means(tidy.load_table(run, "scaling"))
    forks["log"], forks["odd"] = np.log(forks["ns_per_event"]), forks["fork"] % 2 == 1
    pairs = {
        " ".join(map(str, point)): (group.loc[~group["odd"], "log"], group.loc[group["odd"], "log"])
        for point, group in forks.groupby(["mechanism", "consumers", "sorts"])
    }
    pairs = {point: pair for point, pair in pairs.items() if min(map(len, pair)) >= LEAST}
    confidence = 1 - ERROR / max(1, len(pairs))
    return {
        point: estimate([Term(1.0, even), Term(-1.0, odd)]).interval(confidence, LEAST)
        for point, (even, odd) in pairs.items()
    }


def test_a_mechanism_does_not_differ_from_itself(tmp_path):
    result = run_all(SWEEPS / "examples" / "same_twice.yml", "build", "measure", "--data", tmp_path)
    assert result.returncode == 0, result.stderr
    (folder,) = tmp_path.glob("*/plan.json")
    comparisons = halves(read_run(folder.parent))
    assert len(comparisons) == 4
    assert all(low <= 1 <= high for low, high in comparisons.values()), comparisons
