"""The rates in docs/ci.md, and the spread that the gate assumes, follow from the stored forks."""

import numpy as np
import pandas as pd

from handoff.analysis.forks import compute_fork_means, select_fit
from handoff.analysis.gate import SESSION_FREEDOM, SESSION_SPREAD
from handoff.paths import DOCS, find_run_folder
from handoff.run.store.run import read_run
from handoff.tables import tidy
from tests.deep.gate_rates import format_table


def test_the_table_of_rates_is_current():
    assert "\n".join(format_table()) in (DOCS / "ci.md").read_text()


def test_the_spread_between_sessions_is_that_of_the_shipped_run():
    run = read_run(find_run_folder("reference"))
    tidy.write_tables(run)
    parts = []
    for study in tidy.list_studies(run):
        forks = select_fit(compute_fork_means(tidy.load_table(run, study)), "ns_per_event")
        groups = np.log(forks["ns_per_event"]).groupby([forks["point"], forks["session"]])
        means = groups.mean().unstack().dropna()
        of_forks = (groups.var() / groups.size()).unstack().loc[means.index].mean(axis=1)
        parts.append(means.var(axis=1) - of_forks)
    squares = pd.concat(parts)
    assert len(squares) == 151
    assert abs(np.sqrt(squares.mean()) - SESSION_SPREAD) < 0.005
    assert len(parts) * 2 == SESSION_FREEDOM
