"""Students' notebooks, made from those with solutions: `python -m handoff.labs.teaching`."""

import re
from pathlib import Path

import nbformat

from handoff.labs.facts import PAGES, format_head, format_page, format_predict
from handoff.labs.lab import MODULES, Lab, load_lab
from handoff.paths import LABS, display_path

SOURCE = LABS / "source"
REGION = re.compile(
    r"^([ \t]*)(// )?### BEGIN SOLUTION\n.*?^[ \t]*(?:// )?### END SOLUTION",
    re.DOTALL | re.MULTILINE,
)
"""A solution; in Java its marks are comments."""

WORDS = "your answer here"
PLACE = f"# {WORDS}"


def strip_solutions(text: str) -> str:
    """Replace a cell's solutions by placeholders that Python and Java can read."""

    def replace(region: re.Match) -> str:
        if region[2]:
            return f"{region[1]}// {WORDS}"
        opens_block = text[: region.start()].rstrip().endswith(":")
        return f"{region[1]}{'...  ' if opens_block else ''}{PLACE}"

    return REGION.sub(replace, text)


def read_source(lab: Lab) -> nbformat.NotebookNode:
    return nbformat.read(SOURCE / f"{lab.name}.ipynb", as_version=4)


def extract_solutions(lab: Lab) -> list[str]:
    """Return the code cells of the notebook with solutions."""
    return [cell.source for cell in read_source(lab).cells if cell.cell_type == "code"]


def read_solutions(lab: Lab) -> dict[str, str]:
    """Return the text of each answer in the lab's notebook with solutions; {} without it."""
    if not (SOURCE / f"{lab.name}.ipynb").is_file():
        return {}
    texts = {}
    for cell in extract_solutions(lab):
        head, _, text = cell.partition("\n")
        if head.startswith("%%answer "):
            texts[head.split()[1]] = text
        elif head == 'lab.text("""':
            texts["text"] = "\n".join(text.splitlines()[1:-2])
    return texts


def format_student_notebook(lab: Lab) -> str:
    """Return the student's version of the notebook with solutions."""
    notebook = read_source(lab)
    notebook.cells[0].source = f"{format_head(lab)}\n\n{notebook.cells[0].source}"
    for cell in notebook.cells:
        predicts = cell.source.startswith("lab.predict(")
        cell.source = format_predict(lab) if predicts else strip_solutions(cell.source)
    return nbformat.writes(notebook) + "\n"


def write_all() -> list[Path]:
    texts = {}
    for lab in map(load_lab, MODULES):
        texts[PAGES / f"{lab.name}.md"] = format_page(lab)
        texts[LABS / f"{lab.name}.ipynb"] = format_student_notebook(lab)
    for target, text in texts.items():
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return list(texts)


if __name__ == "__main__":
    print("Wrote", ", ".join(display_path(path) for path in write_all()))
