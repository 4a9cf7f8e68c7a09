"""A teacher's course file, and a pack, opened: one student's work on one lab of the course."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from handoff import archive
from handoff.errors import BadInput, validate
from handoff.files import read_yaml
from handoff.labs.borrowed import is_genuine
from handoff.labs.forks import is_borrowed
from handoff.labs.handin import MOST_BYTES
from handoff.labs.lab import MODULES, Lab, check_prediction, load_lab
from handoff.labs.measuring import Findings, make_sweep, read_trials
from handoff.labs.work import PREDICTION, WORD, Statement, Work
from handoff.paths import display_path
from handoff.run.host.machine import count_usable_cores
from handoff.run.plan import expansion
from handoff.run.store.identity import hash_sweep
from handoff.run.store.run import Run

Word = Annotated[str, Field(pattern=f"^{WORD.pattern}$")]


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
    course: Word
    secret: Annotated[str, Field(min_length=8)]
    labs: Annotated[list[int], Field(min_length=1)] = list(MODULES)
    roster: dict[Word, Student] = {}
    worksheets: dict[int, Path] = {}
    deadlines: dict[int, datetime] = {}
    cleared: list[str] = []
    tickets: list[Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]] | None = None


def load_course(file: Path) -> Course:
    """Load a course's file; raise BadInput that names the file and the key."""
    source = display_path(file)
    if not file.is_file():
        raise BadInput(f"{source} was not found: a course's file has the keys course and secret.")
    course = validate(Course, read_yaml(file), source)
    for key in ("labs", "worksheets", "deadlines"):
        unknown = [lab for lab in getattr(course, key) if lab not in MODULES]
        if unknown:
            choices = ", ".join(map(str, MODULES))
            raise BadInput(f"{source}: {key}: unknown lab {unknown[0]}; choose from {choices}.")
    sheets = {lab: file.parent / sheet for lab, sheet in course.worksheets.items()}
    for lab, sheet in sheets.items():
        if not sheet.is_file():
            place = display_path(sheet)
            raise BadInput(f"{source}: worksheets.{lab}: {place} was not found.")
    return course.model_copy(update={"worksheets": sheets})


class Submission(NamedTuple):
    """One pack: the work, and its run or trials, or why neither can be judged."""

    work: Work
    run: Run | None = None
    trials: Findings | None = None
    reason: str = ""

    @property
    def lab(self) -> Lab:
        return self.work.lab


def open_pack(file: Path, course: Course, folder: Path) -> Submission:
    """Unpack a pack into a new folder; raise BadInput if it cannot be graded at all."""
    archive.unpack_archive(file, folder, MOST_BYTES)
    work = read_work(folder, course)
    what = "complete trials" if work.lab.trials else "run"
    absent = f"the pack has no {what} of this prediction, pseudonym and course"
    try:
        if work.lab.trials:
            return Submission(work, trials=read_trials(work))
        run = work.find_run()
    except (BadInput, OSError, ValueError, KeyError, TypeError, AttributeError):
        return Submission(work, reason=absent)
    if is_borrowed(run):
        genuine = is_genuine(work, run, folder / "due")
        reason = "" if genuine else "the borrowed forks are not those of the shipped run"
    else:
        reason = describe_plan(work, run)
    return Submission(work, None if reason else run, reason=reason)


def read_work(folder: Path, course: Course) -> Work:
    try:
        stated = Statement.model_validate_json((folder / PREDICTION).read_bytes())
    except (OSError, ValueError):
        raise BadInput(f"{PREDICTION} is missing or not readable.") from None
    if stated.lab not in course.labs:
        raise BadInput(f"it is of lab {stated.lab}, which this course does not have.")
    if stated.course != course.course:
        raise BadInput(f"it is of the course {stated.course[:40]!r}, not {course.course!r}.")
    work = Work(load_lab(stated.lab), folder, stated.course, stated.pseudonym)
    check_prediction(work.lab, stated.prediction)
    return work


def describe_plan(work: Work, run: Run) -> str:
    """Return why a run is not what the lab measures, or ''.

    This comes before all other checks, because the plan says how much work they are.
    """
    yours = run.sweep.jvm.yours if work.lab.own_class else None
    request = make_sweep(work, yours)
    if not hash_sweep(request.sweep) == hash_sweep(run.sweep) == run.identity.get("sweep"):
        return "the run is of another sweep than this lab's"
    cores = count_usable_cores(run.machine)
    unplaced = any(point.unplaced for point in run.points)
    points = expansion.expand_points(request.sweep, "the lab", cores, unplaced=unplaced)
    due = {point.key: point for point in points}
    if run.sessions != 1 or run.extensions:
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
