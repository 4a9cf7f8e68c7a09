"""The checks of one pack: are its forks genuine, and the lab's list on hidden cases."""

import re
from datetime import datetime
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from handoff.grade import sandbox
from handoff.grade.java import Outcome, check_class, check_model
from handoff.grade.plain import clean
from handoff.grade.submission import Course, Submission
from handoff.labs.answers import JavaClass, OwnClass
from handoff.labs.check import WRONG_CODE, Check, make_condition
from handoff.labs.forks import is_borrowed
from handoff.labs.marks import Marker
from handoff.labs.work import hash_text
from handoff.paths import SHIPPED, find_run_folder
from handoff.run.accept import Rejected, accept_fork
from handoff.run.host.machine import identify_machine
from handoff.run.java import jvm
from handoff.run.store.forkfile import ForkFile
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run, read_run
from handoff.text import pluralize

TICKET, FORKS, TRIALS = "ticket", "forks", "trials"

GAP_SLACK, AROUND_SLACK = 10, 0.25
"""Factors on the limits of the shipped run's forks, because other machines start shots more slowly
and forks faster.
"""

CLOCK_SLACK_S = 2.0
"""Allowed overlap of two forks, because clocks are adjusted."""


class Grader(NamedTuple):
    """A course, and whether students' code may run without a sandbox."""

    course: Course
    trust: bool

    def check(self, submission: Submission) -> list[Check]:
        """Make all checks of a pack.

        Ticket and forks earn nothing by themselves; without them no answer about a measurement
        earns anything.
        """
        conditions = [self.check_ticket(submission), check_forks(submission)]
        reason = next((check.sentence for check in conditions if not check.passed), "")
        marker = Marker(
            submission.work,
            None if reason else submission.run or submission.trials,
            reason,
            partial(sandbox.run_code, self.trust),
            partial(self.try_java, submission),
            self.course.secret,
        )
        checks = [*conditions, *marker.mark()]
        return [check._replace(sentence=clean(check.sentence)) for check in checks]

    def check_ticket(self, submission: Submission) -> Check:
        what = "trials" if submission.lab.trials else "forks"
        known, wrong = self.course.tickets, submission.reason
        if not wrong and known is not None and submission.work.ticket not in known:
            wrong = "its ticket was not registered before class"
        return make_condition(TICKET, wrong, f"the {what} belong to this prediction")

    def try_java(self, submission: Submission, answer: JavaClass, text: str) -> Outcome:
        if isinstance(answer, OwnClass):
            return check_class(submission, text, self.trust)
        seed = [*self.course.secret.encode(), int(submission.work.ticket, 16)]
        return check_model(text, np.random.default_rng(seed), self.trust)


def check_forks(submission: Submission) -> Check:
    run = submission.run
    if submission.trials and submission.lab.trials:
        wrong = submission.lab.trials.describe_impossible(submission.trials)
        number = pluralize(len(submission.trials), "kind")
        return make_condition(TRIALS, wrong, f"{number} of test, all made")
    if run is None:
        return make_condition(FORKS, submission.reason, "")
    if is_borrowed(run):
        return make_condition(FORKS, "", "BORROWED from the shipped run: nothing was measured")
    number = pluralize(len(run.tasks()) - len(run.missing()), "fork")
    return make_condition(FORKS, describe_forks(run), f"{number}, all accepted")


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
        except (Rejected, *WRONG_CODE) as why:
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
    spans = sorted(
        (datetime.fromisoformat(fork.before.utc).timestamp(), fork.seconds) for fork in forks
    )
    for (start, seconds), (following, _) in pairwise(spans):
        if start + seconds > following + CLOCK_SLACK_S:
            return "two of its forks were under way at once"
    return ""


def fingerprint(fork: ForkFile) -> str:
    """Hash times that no two measurements share, even if they are sealed again."""
    walls = [shot.wallNs for shot in fork.evidence.shots]
    return hash_text(f"{fork.before.utc}{walls}")
