"""The course of the nine labs: run nbgrader's commands in this folder (TEACHING.md)."""

from pathlib import Path

from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    IncludeHeaderFooter,
    LockCells,
    SaveCells,
)

COURSE = Path(__file__).parent
JAVA_SECONDS, SECONDS = 400, 60
JAVA_CELLS = ('lab.check("model"', 'lab.check("exchange"')
WORDS = "YOUR CODE HERE"


class ClearSolutionsByCell(ClearSolutions):
    """Leaves a placeholder that fits the cell: Java's, a function's, or one line."""

    def _replace_solution_region(self, cell, language):
        self.code_stub = {language: choose_stub(cell.source)}
        return super()._replace_solution_region(cell, language)


def choose_stub(source):
    """Return what replaces the solution of a cell; a prediction has its template already."""
    if "lab.predict(" in source:
        return ""
    if source.startswith("%%writefile") and ".java" in source.partition("\n")[0]:
        return f"// {WORDS}"
    indented = "\n    ### BEGIN SOLUTION" in source
    return f"# {WORDS}\nraise NotImplementedError()" if indented else f"# {WORDS}"


def choose_seconds(cell):
    """Return the time limit of a cell; trying a Java class takes longest."""
    return JAVA_SECONDS if any(call in cell.source for call in JAVA_CELLS) else SECONDS


c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "handoff"
c.CourseDirectory.root = str(COURSE)
c.CourseDirectory.ignore = [
    *(".ipynb_checkpoints", "*.pyc*", "__pycache__", "feedback"),
    *("runs", "prediction.json", "trials.json", "GLOSSARY.md"),
]
c.IncludeHeaderFooter.header = str(COURSE / "source" / "header.ipynb")
c.GenerateAssignment.preprocessors = [
    *(IncludeHeaderFooter, LockCells, ClearSolutionsByCell, ClearOutput, CheckCellMetadata),
    *(ComputeChecksums, SaveCells, ClearHiddenTests, ClearMarkScheme),
    *(ComputeChecksums, CheckCellMetadata),
]
c.Execute.timeout_func = choose_seconds
c.ClearSolutions.text_stub = "YOUR ANSWER HERE"
# Moodle: "Ada Lovelace_4711_assignsubmission_file_/run.zip", where 4711 is the participant.
# Canvas: "lovelaceada_LATE_4711_98765_01_hand_over-1.ipynb", where 4711 is the student.
c.FileNameCollectorPlugin.named_regexp = (
    r".*/[^/]+?_(?:LATE_)?(?P<student_id>\d+)_(?:assignsubmission_file_/?|\d+_)"
    r"(?P<file_id>[^/]+?)(?:-\d+)?(?:\.ipynb|\.zip)$"
)
c.FileNameCollectorPlugin.valid_ext = [".ipynb", ".zip"]
