"""The command `grade`, which grades a folder of packs."""

import argparse

from handoff.cli.command import Command, resolve_path
from handoff.errors import COMPLETE
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

    Packs that fail are a result: the exit code is COMPLETE.
    """
    from handoff.grade import grading, reports, sandbox
    from handoff.grade.submission import load_course

    course = load_course(given.course)
    reports.require_folder(given.folder)
    if sandbox.find_bubblewrap() is None:
        how = (
            "WITHOUT a sandbox, as --trust says"
            if given.trust
            else "not at all: bubblewrap is not there, or may not make a sandbox here"
        )
        console.print(f"Students' code runs {how}.")
    graded = grading.grade_folder(
        given.folder, course, given.trust, lambda line: console.print(line, markup=False)
    )
    refused = sum(pack.lab is None for pack in graded)
    addition = f", {pluralize(refused, 'pack')} refused" if refused else ""
    console.print(f"{pluralize(len(graded), 'pack')} graded{addition}.")
    for line in reports.write_reports(graded, given.out or given.folder / "graded"):
        console.print(line, markup=False)
    return COMPLETE


COMMANDS = {
    "grade": Command("grade a folder of students' packs", add_grade, run_grade),
}
