"""Ratios of levels that share no session, such as those of two runs."""

from collections.abc import Iterable

import numpy as np

from handoff.analysis.intervals import Error, Estimate, Term
from handoff.analysis.sessions import combine_variances

SESSION_SPREAD, SESSION_FREEDOM = 0.07, 18
"""Spread of one point's level between sessions, in logarithms, and what is known of it.

It is the root mean square, less what forks vary, over the 151 points of the shipped run that fit
the cores, in nine studies and three sessions. What a comparison's own sessions show is pooled with
it.
"""


def estimate_apart(terms: Iterable[Term]) -> Estimate:
    """Return the ratio of two levels that share no session.

    The variance of a level has the forks' part and the sessions' part. The latter is pooled from
    SESSION_SPREAD and from what the sides' own sessions show.
    """
    log = shares = 0.0
    squares = SESSION_FREEDOM * SESSION_SPREAD**2
    freedom = float(SESSION_FREEDOM)
    forks = []
    variances = []
    for term in terms:
        parts = [term.within(session) for session in term.labels()]
        means = np.array([part.logs.mean() for part in parts])
        log += term.weight * float(means.mean())
        squares += float(((means - means.mean()) ** 2).sum())
        freedom += len(parts) - 1
        shares += 1 / len(parts)
        forks.append(len(term.logs))
        for part in parts:
            if len(part.logs) > 1:
                variances.append((part.variance / len(parts) ** 2, len(part.logs) - 1))
    between = squares / freedom * shares
    error = Error(*combine_variances([*variances, (between, freedom)]), between)
    return Estimate(log, (error,), min(forks))
