"""A pack, opened: one student's work on one lab."""

import json
from pathlib import Path
from typing import NamedTuple

from handoff import archive
from handoff.errors import BadInput
from handoff.grade.course import Course
from handoff.labs.lab import Lab
from handoff.labs.listing import load_lab
from handoff.labs.pack import MOST_BYTES
from handoff.labs.sweeps import make_sweep
from handoff.labs.trials import Found, read_trials
from handoff.labs.work import PREDICTION, Work, check_prediction
from handoff.run.host.machine import count_usable_cores
from handoff.run.plan import expansion
from handoff.run.store.identity import hash_sweep
from handoff.run.store.run import Run


class Submission(NamedTuple):
    """`file` is the pack's name; `run`, or in a lab that tries instead `trials`, None where there
    is none that can be judged, for the reason `lacking`.
    """

    file: str
    work: Work
    run: Run | None
    lacking: str = ""
    trials: Found | None = None

    @property
    def lab(self) -> Lab:
        return self.work.lab

    @property
    def measured(self) -> Run | Found | None:
        """What numbers are recomputed from; None where it is not whole."""
        return self.trials if self.run is None or self.run.missing() else self.run


def open_pack(file: Path, course: Course, folder: Path) -> Submission:
    """Unpacked into a folder that must not exist. BadInput, with one sentence, for a pack that
    cannot be graded at all.
    """
    archive.unpack_archive(file, folder, MOST_BYTES)
    work = read_work(folder, course)
    if work.lab.trials:
        found = find_trials(work)
        return Submission(file.name, work, None, "" if found else NO_TRIALS, found)
    run = find_run(work)
    lacking = describe_plan(work, run) if run else NO_RUN
    return Submission(file.name, work, None if lacking else run, lacking)


NO_TRIALS = "there are no whole trials of this prediction, pseudonym and course in the pack"
NO_RUN = "there is no run of this prediction, pseudonym and course in the pack"


def describe_plan(work: Work, run: Run) -> str:
    """Why a run is not what the lab measures; '' if it is. Nothing else of it is looked at before:
    its files say how much work that is.
    """
    yours = run.sweep.jvm.yours if work.lab.own_class else None
    asked = make_sweep(work.lab, work.require(), work.ticket, yours)
    if not hash_sweep(asked.sweep) == hash_sweep(run.sweep) == run.identity.get("sweep"):
        return "the run is of another sweep than this lab's"
    cores = count_usable_cores(run.machine)
    due = {p.key: p for p in expansion.expand_points(asked.sweep, "the lab", cores)}
    if run.sessions != 1 or run.extensions or run.identity.get("more"):
        return "the run was planned for more than this lab asks for"
    if [point.key for point in run.points] != list(due):
        return "its plan is of other points than this lab's"
    forks = asked.sweep.forks
    for point in run.points:
        wanted = forks.oversubscribed if point.oversubscribed else forks.fitting
        own, lab = ((p.shots, p.warmup, p.warmup_limit) for p in (point, due[point.key]))
        if (own, point.forks) != (lab, wanted):
            return f"its plan gives {point} {point.forks} forks of {point.shots} shots"
    return ""


def read_work(folder: Path, course: Course) -> Work:
    try:
        content = json.loads((folder / PREDICTION).read_text(encoding="utf-8"))
        number, own = int(content["lab"]), str(content["course"])
        pseudonym, prediction = str(content["pseudonym"]), dict(content["prediction"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{PREDICTION} is missing or not whole.") from None
    if number not in course.labs:
        raise BadInput(f"it is of lab {number}, which this course does not have.")
    if own != course.course:
        raise BadInput(f"it is of the course {own[:40]!r}, not {course.course!r}.")
    work = Work(load_lab(number), folder, own, pseudonym)
    check_prediction(work.lab, prediction)
    return work


def find_trials(work: Work) -> Found | None:
    try:
        return read_trials(work)
    except BadInput:
        return None


def find_run(work: Work) -> Run | None:
    """The run of this prediction; None where the pack holds none that can be read as one."""
    try:
        return work.find_run()
    except BadInput:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
