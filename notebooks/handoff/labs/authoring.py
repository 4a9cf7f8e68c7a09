"""Students' notebooks, made from those with solutions: `python -m handoff.labs.authoring`."""

import re
from pathlib import Path

import nbformat

from handoff.paths import LABS, display_path

SOURCE = LABS / "source"
REGION = re.compile(
    r"^([ \t]*)(// )?### BEGIN SOLUTION\n.*?^[ \t]*(?:// )?### END SOLUTION",
    re.DOTALL | re.MULTILINE,
)
"""In Java the marks stand behind a comment's slashes."""

WORDS = "your answer here"
PLACE = f"# {WORDS}"


def strip_solutions(text: str) -> str:
    """A cell without what stands between BEGIN SOLUTION and END SOLUTION; what remains can be read
    by Python, or by Java.
    """

    def replace(found: re.Match) -> str:
        if found[2]:
            return f"{found[1]}// {WORDS}"
        opens_block = text[: found.start()].rstrip().endswith(":")
        return f"{found[1]}{'...  ' if opens_block else ''}{PLACE}"

    return REGION.sub(replace, text)


def extract_solutions(file: Path) -> list[str]:
    """The code cells of a source, as they are."""
    return [c.source for c in nbformat.read(file, as_version=4).cells if c.cell_type == "code"]


def format_student_notebook(file: Path) -> str:
    """The student's version of one source, as it is kept in the repository."""
    notebook = nbformat.read(file, as_version=4)
    for cell in notebook.cells:
        cell.source = strip_solutions(cell.source)
    return nbformat.writes(notebook) + "\n"


def write_notebooks() -> list[Path]:
    """All of them."""
    written = []
    for file in sorted(SOURCE.glob("*.ipynb")):
        target = LABS / file.name
        target.write_text(format_student_notebook(file), encoding="utf-8")
        written.append(target)
    return written


if __name__ == "__main__":
    print("Wrote", ", ".join(display_path(path) for path in write_notebooks()))
