"""Checks that the forks of a pack are genuine: accepted again, unique, one at a time."""

import hashlib
import re
from datetime import datetime
from functools import cache
from itertools import pairwise

from handoff.paths import SHIPPED, find_run_folder
from handoff.run.accept import Rejected, accept_fork
from handoff.run.host.machine import identify_machine
from handoff.run.java import jvm
from handoff.run.store.forkfile import ForkFile
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run, read_run
from handoff.text import pluralize

GAP_SLACK, AROUND_SLACK = 10, 0.25
"""Factors on the limits of the shipped run's forks, because other machines start shots more slowly
and forks faster.
"""

CLOCK_SLACK_S = 2.0
"""Allowed overlap of two forks, because clocks are adjusted."""


def describe_forks(run: Run) -> str:
    """Return why the forks of a run cannot all be genuine, or ''."""
    if identify_machine(run.machine)["id"] != run.identity["machine"]:
        return "machine.json was edited: it is not the machine that the forks name"
    corrupt: list[str] = []
    forks = list(read_forks(run, corrupt))
    if corrupt:
        return corrupt[0]
    if missing := run.missing():
        return f"{pluralize(len(missing), 'fork')} missing of {len(run.tasks())}"
    most_gap, least_around = compute_limits()
    for point, fork in forks:
        try:
            # '17.0.15+6', '25+36-LTS'
            feature = int(re.split(r"\D", fork.evidence.jvm.version)[0])
            flags = jvm.plan_flags(run.sweep.jvm, point, feature)
            accept_fork(point, [fork.jmh], fork.evidence, flags)
        except (Rejected, KeyError, TypeError, ValueError, LookupError) as why:
            return f"fork {fork.fork} of {point} is not accepted: {why}"
        gap, around = compute_invariants(fork)
        if gap > GAP_SLACK * most_gap or around < AROUND_SLACK * least_around:
            return f"the times of fork {fork.fork} of {point} do not belong together"
    return describe_overlap([fork for _, fork in forks])


def compute_invariants(fork: ForkFile) -> tuple[float, float]:
    """Return how much longer JMH's time of a shot is at most, and the fork's time outside shots.

    In seconds. The first is small and the second is not in every genuine fork.
    """
    scores = fork.jmh["primaryMetric"]["rawData"][0]
    walls = [shot.wallNs for shot in fork.evidence.shots]
    warm = sum(fork.evidence.warmUp.wallNs) if fork.evidence.warmUp else 0
    gap = max(score - wall for wall, score in zip(walls, scores, strict=True))
    return gap / 1e9, fork.seconds - (sum(walls) + warm) / 1e9


@cache
def compute_limits() -> tuple[float, float]:
    """Return the largest of the first, and the smallest of the second, in the shipped run."""
    run = read_run(find_run_folder(SHIPPED))
    gaps, arounds = zip(*(compute_invariants(fork) for _, fork in read_forks(run, [])), strict=True)
    return max(gaps), min(arounds)


def describe_overlap(forks: list[ForkFile]) -> str:
    """Return that two forks overlap in time, which one machine never measures, or ''."""
    spans = sorted((to_seconds(fork.before.utc), fork.seconds, fork.fork) for fork in forks)
    for (start, seconds, _), (following, _, _) in pairwise(spans):
        if start + seconds > following + CLOCK_SLACK_S:
            return "two of its forks were under way at once"
    return ""


def to_seconds(utc: str) -> float:
    return datetime.fromisoformat(utc).timestamp()


def fingerprint(fork: ForkFile) -> str:
    """Hash times that no two measurements share, even if they are sealed again."""
    walls = [shot.wallNs for shot in fork.evidence.shots]
    return hashlib.sha256(f"{fork.before.utc}{walls}".encode()).hexdigest()
