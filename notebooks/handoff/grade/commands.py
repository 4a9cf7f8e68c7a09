"""The command `grade`, which grades a folder of packs."""

import argparse
import tempfile

from handoff.cli.command import Command, resolve_path
from handoff.errors import COMPLETE, INCOMPLETE, BadInput
from handoff.paths import display_path
from handoff.terminal import console
from handoff.text import pluralize


def add_grade(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=resolve_path, metavar="FOLDER", help="holds the packs")
    course = "the course's file: its key and the teacher's secret"
    parser.add_argument(
        "--course", type=resolve_path, required=True, metavar="FILE.yml", help=course
    )
    trust = "run students' code without a sandbox: it can then do all that you can"
    parser.add_argument("--trust", action="store_true", help=trust)
    out = "where the reports go (default: FOLDER/graded)"
    parser.add_argument("--out", type=resolve_path, metavar="DIR", help=out)


def run_grade(given: argparse.Namespace) -> int:
    """Grade every pack and write the reports.

    Packs that fail are a result; the exit code is INCOMPLETE if a check could not be made.
    """
    from handoff.grade import grading, marksheet, reports, sandbox
    from handoff.grade.submission import load_course

    course = load_course(given.course)
    # Before an hour of grading, not after.
    for sheet in course.worksheets.values():
        marksheet.read_worksheet(sheet)
    if not given.folder.is_dir():
        source = display_path(given.folder)
        raise BadInput(f"{source} is not a folder; give the one with the packs.")
    out = given.out or given.folder / "graded"
    out.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=out).close()
    program, reason = sandbox.find_bubblewrap()
    if program is None:
        how = "WITHOUT a sandbox, because of --trust" if given.trust else "NOT AT ALL"
        console.print(f"Students' code runs {how}: {reason}")
    graded = grading.grade_folder(given.folder, course, given.trust)
    refused = sum(pack.lab is None and not pack.open_checks for pack in graded)
    addition = f", {pluralize(refused, 'pack')} refused" if refused else ""
    console.print(f"{pluralize(len(graded), 'pack')} graded{addition}.")
    unchecked = reports.list_unchecked(graded)
    for line in (*reports.write_reports(graded, course, out), *unchecked):
        console.print(line)
    return INCOMPLETE if unchecked else COMPLETE


COMMANDS = {
    "grade": Command("grade a folder of students' packs", add_grade, run_grade),
}
