"""The checks of one pack: does the measurement count, and the lab's list on hidden cases."""

from functools import partial
from typing import NamedTuple

import numpy as np

from handoff.grade import sandbox
from handoff.grade.forks import describe_forks
from handoff.grade.java import check_class, check_model
from handoff.grade.plain import clean
from handoff.grade.submission import Course, Submission
from handoff.labs.check import Check
from handoff.labs.forks import is_borrowed
from handoff.labs.lab import JAVA, Answer
from handoff.labs.marks import Marker
from handoff.text import pluralize

TICKET, FORKS, TRIALS = "ticket", "forks", "trials"


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
        measured = None if reason else submission.measured
        marker = Marker(
            submission.work,
            measured,
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

    def try_java(self, submission: Submission, answer: Answer, text: str) -> tuple[float, str]:
        if answer.kind == JAVA:
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


def make_condition(name: str, wrong: str, right: str) -> Check:
    return Check(name, "", 0.0, 0.0, wrong or right, ok=not wrong)
