"""A teacher's course file, and a pack, opened: one student's work on one lab of the course."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from handoff import archive
from handoff.errors import BadInput, describe_validation_error
from handoff.files import read_yaml
from handoff.labs.borrowed import is_genuine
from handoff.labs.forks import is_borrowed
from handoff.labs.handin import MOST_BYTES
from handoff.labs.lab import MODULES, Lab, check_prediction, load_lab
from handoff.labs.measuring import Findings, make_sweep, read_trials
from handoff.labs.work import PREDICTION, WORD, Work
from handoff.paths import display_path
from handoff.run.host.machine import count_usable_cores
from handoff.run.plan import expansion
from handoff.run.store.identity import hash_sweep
from handoff.run.store.run import Run


class Student(BaseModel):
    """A student of the roster: who is behind a pseudonym."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(min_length=1)]
    email: str = ""


class Course(BaseModel):
    """A course: the key that students give, the secret that seeds hidden cases, and its labs.

    `roster` maps pseudonyms to students. `worksheets` names Moodle's grading worksheet of a lab,
    `deadlines` the time until which its packs are on time. `tickets` lists those that students
    registered before class, if the order matters. `cleared` lists pseudonyms or files that get
    their points although another pack shares forks with theirs.
    """

    model_config = ConfigDict(extra="forbid")
    course: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$")]
    secret: Annotated[str, Field(min_length=8)]
    labs: Annotated[list[int], Field(min_length=1)] = list(MODULES)
    roster: dict[Annotated[str, Field(pattern=WORD.pattern + "$")], Student] = {}
    worksheets: dict[int, Path] = {}
    deadlines: dict[int, datetime] = {}
    cleared: list[str] = []
    tickets: list[Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]] | None = None


def load_course(file: Path) -> Course:
    """Load a course's file; raise BadInput that names the file and the key."""
    source = display_path(file)
    if not file.is_file():
        raise BadInput(f"{source} was not found: a course's file has the keys course and secret.")
    try:
        course = Course.model_validate(read_yaml(file))
    except ValidationError as error:
        raise BadInput(describe_validation_error(source, error, list_keys)) from None
    except (yaml.YAMLError, ValueError) as error:
        raise BadInput(f"{source}: not readable as YAML: {' '.join(str(error).split())}.") from None
    for key in ("labs", "worksheets", "deadlines"):
        unknown = [lab for lab in getattr(course, key) if lab not in MODULES]
        if unknown:
            choices = ", ".join(map(str, MODULES))
            raise BadInput(f"{source}: {key}: unknown lab {unknown[0]}; choose from {choices}.")
    sheets = {lab: file.parent / sheet for lab, sheet in course.worksheets.items()}
    missing = [lab for lab, sheet in sheets.items() if not sheet.is_file()]
    if missing:
        sheet = display_path(sheets[missing[0]])
        raise BadInput(f"{source}: worksheets.{missing[0]}: {sheet} was not found.")
    return course.model_copy(update={"worksheets": sheets})


def list_keys(place: tuple) -> list[str]:
    return list((Student if place[:1] == ("roster",) else Course).model_fields)


class Submission(NamedTuple):
    """One pack: its file name, the work, and the run or trials, or why neither can be judged."""

    file: str
    work: Work
    run: Run | None
    reason: str = ""
    trials: Findings | None = None

    @property
    def lab(self) -> Lab:
        return self.work.lab

    @property
    def measured(self) -> Run | Findings | None:
        """Return the run or trials to recompute numbers from; None if forks are missing."""
        return self.trials if self.run is None or self.run.missing() else self.run


def open_pack(file: Path, course: Course, folder: Path) -> Submission:
    """Unpack a pack into a new folder; raise BadInput if it cannot be graded at all."""
    archive.unpack_archive(file, folder, MOST_BYTES)
    work = read_work(folder, course)
    if work.lab.trials:
        trials = find_trials(work)
        return Submission(file.name, work, None, "" if trials else NO_TRIALS, trials)
    run = find_run(work)
    if run and is_borrowed(run):
        genuine = is_genuine(work, run, folder / "due")
        return Submission(file.name, work, run if genuine else None, "" if genuine else NOT_SHIPPED)
    reason = describe_plan(work, run) if run else NO_RUN
    return Submission(file.name, work, None if reason else run, reason)


NO_TRIALS = "the pack has no complete trials of this prediction, pseudonym and course"
NOT_SHIPPED = "the borrowed forks are not those of the shipped run"
NO_RUN = "the pack has no run of this prediction, pseudonym and course"


def describe_plan(work: Work, run: Run) -> str:
    """Return why a run is not what the lab measures, or ''.

    This comes before all other checks, because the plan says how much work they are.
    """
    yours = run.sweep.jvm.yours if work.lab.own_class else None
    request = make_sweep(work.lab, work.require(), work.ticket, yours)
    if not hash_sweep(request.sweep) == hash_sweep(run.sweep) == run.identity.get("sweep"):
        return "the run is of another sweep than this lab's"
    cores = count_usable_cores(run.machine)
    due = {p.key: p for p in expansion.expand_points(request.sweep, "the lab", cores)}
    if run.sessions != 1 or run.extensions or run.identity.get("more"):
        return "the run was planned for more than this lab asks for"
    if [point.key for point in run.points] != list(due):
        return "its plan is of other points than this lab's"
    forks = request.sweep.forks
    for point in run.points:
        wanted = forks.oversubscribed if point.oversubscribed else forks.fitting
        planned, lab = ((p.shots, p.warmup, p.warmup_limit) for p in (point, due[point.key]))
        if (planned, point.forks) != (lab, wanted):
            return f"its plan gives {point} {point.forks} forks of {point.shots} shots"
    return ""


def read_work(folder: Path, course: Course) -> Work:
    try:
        content = json.loads((folder / PREDICTION).read_text(encoding="utf-8"))
        number, key = int(content["lab"]), str(content["course"])
        pseudonym, prediction = str(content["pseudonym"]), dict(content["prediction"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{PREDICTION} is missing or not readable.") from None
    if number not in course.labs:
        raise BadInput(f"it is of lab {number}, which this course does not have.")
    if key != course.course:
        raise BadInput(f"it is of the course {key[:40]!r}, not {course.course!r}.")
    work = Work(load_lab(number), folder, key, pseudonym)
    check_prediction(work.lab, prediction)
    return work


def find_trials(work: Work) -> Findings | None:
    try:
        return read_trials(work)
    except BadInput:
        return None


def find_run(work: Work) -> Run | None:
    """Return the run of this prediction; None if the pack holds none that can be read."""
    try:
        return work.find_run()
    except BadInput:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
