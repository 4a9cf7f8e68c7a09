"""A pack, opened: one student's work on one lab."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from handoff import archive
from handoff.errors import BadInput
from handoff.grade.course import Course
from handoff.labs.lab import Lab
from handoff.labs.listing import load_lab
from handoff.labs.pack import MOST_BYTES
from handoff.labs.work import PREDICTION, Work, check_prediction
from handoff.run.store import Run


class Submission(NamedTuple):
    """`file` is the pack's name; `run` None where the lab measures nothing."""

    file: str
    work: Work
    run: Run | None

    @property
    def lab(self) -> Lab:
        return self.work.lab


@contextmanager
def open_pack(file: Path, course: Course) -> Iterator[Submission]:
    """BadInput, with one sentence, for a pack that cannot be graded at all."""
    with TemporaryDirectory(prefix="handoff-grade-") as name:
        folder = Path(name) / "pack"
        archive.unpack_archive(file, folder, MOST_BYTES)
        work = read_work(folder, course)
        yield Submission(file.name, work, find_run(work) if work.lab.sweep else None)


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


def find_run(work: Work) -> Run | None:
    """The run of this prediction; None where the pack holds none that can be read as one."""
    try:
        return work.find_run()
    except BadInput:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
