"""`lab`: a student's copy of a lab's notebook in JupyterLab, or the same steps in a terminal."""

import shutil
from collections.abc import Sequence
from typing import Any

from handoff.cli import bundle, jupyter
from handoff.cli.lab_options import CHECK, DOCTOR, MEASURE, PACK, PREDICT
from handoff.cli.measuring import build_jar
from handoff.cli.request import LabRequest
from handoff.errors import COMPLETE, INCOMPLETE, BadInput
from handoff.paths import LABS, LABS_WORK, display_path
from handoff.run.java import jdk
from handoff.terminal import console


def run_lab(request: LabRequest) -> int:
    """One step of a lab; without a number JupyterLab alone."""
    if request.bundle:
        bundle.make_bundle()
        return COMPLETE
    if request.number is None:
        return jupyter.start_lab()
    # Tables and statistics take a second to load, which other commands need not wait for.
    from handoff.labs import doctor, student
    from handoff.labs.listing import load_lab
    from handoff.labs.work import open_work

    if request.step == DOCTOR:
        # It asks the jar what this machine is.
        build_jar(jdk.find_jdk(), wanted=True)
        for line in doctor.describe_machine():
            console.print(line, markup=False)
        return COMPLETE
    lab = load_lab(request.number)
    work = open_work(request.number, LABS_WORK, request.course, request.pseudonym)
    if request.step == PREDICT:
        return predict(student.StudentLab(work), request.words)
    if request.step in (MEASURE, CHECK, PACK):
        opened = student.StudentLab(work)
        getattr(opened, request.step)()
        if request.step == MEASURE:
            for row in opened.compare().itertuples():
                told = f"{row.Index}: predicted {row.predicted}, came out {row.found}"
                console.print(told, markup=False)
        return INCOMPLETE if request.step == CHECK and student.list_lacks(work) else COMPLETE
    return open_notebook(lab.name)


def predict(opened: Any, words: Sequence[str]) -> int:
    """Without words, what is asked for."""
    if not words:
        console.print(f"{opened.describe()}\n{opened.lab.question} Predict, each as NAME=VALUE:")
        for each in opened.lab.predictions:
            console.print(f"  {each.name}: {each.question} ({each.allowed})", markup=False)
        return COMPLETE
    opened.predict(**dict(map(parse_word, words)))
    return COMPLETE


def parse_word(word: str) -> tuple[str, object]:
    """A name and its number, or word. BadInput for what is neither."""
    name, equals, text = word.partition("=")
    if not equals or not text:
        raise BadInput(f"{word}: write NAME=VALUE, such as queue_cores_1=1.5.")
    try:
        number = float(text)
    except ValueError:
        return name, text
    return name, int(number) if number.is_integer() else number


def open_notebook(name: str) -> int:
    """Becomes JupyterLab at the student's own copy, which is made once and never overwritten."""
    folder = LABS_WORK / name
    copy = folder / f"{name}.ipynb"
    if not copy.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(LABS / f"{name}.ipynb", copy)
        console.print(f"Your copy: {display_path(copy)}")
    return jupyter.start_lab(LABS_WORK, f"{name}/{name}.ipynb")
