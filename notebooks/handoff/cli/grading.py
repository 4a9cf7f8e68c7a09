"""`grade`: a folder of packs, in one command."""

from handoff.cli.request import GradeRequest
from handoff.errors import COMPLETE
from handoff.terminal import console
from handoff.text import pluralize


def grade_packs(request: GradeRequest) -> int:
    """Grades every pack and writes the reports; COMPLETE also where packs fail, for that is their
    result.
    """
    # Statistics and drawing take seconds to load, which other commands need not wait for.
    from handoff.grade import grading, reports, sandbox
    from handoff.grade.course import load_course

    course = load_course(request.course)
    reports.require_folder(request.folder)
    if sandbox.find_bubblewrap() is None:
        how = (
            "WITHOUT a sandbox, as --trust says"
            if request.trust
            else "not at all: bubblewrap is not there, or may not make a sandbox here"
        )
        console.print(f"Students' code runs {how}.")
    graded = grading.grade_folder(
        request.folder, course, request.trust, lambda line: console.print(line, markup=False)
    )
    refused = sum(each.lab is None for each in graded)
    told = f", {pluralize(refused, 'pack')} refused" if refused else ""
    console.print(f"{pluralize(len(graded), 'pack')} graded{told}.")
    for line in reports.write_reports(graded, request.out):
        console.print(line, markup=False)
    return COMPLETE
