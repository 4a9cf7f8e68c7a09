"""The command `lab`: one step of a lab, or JupyterLab.

Labs and statistics take seconds to import, so the command imports what it runs.
"""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

from handoff.cli.notebook import kernel_environment
from handoff.cli.request import Command
from handoff.errors import COMPLETE, BadInput
from handoff.paths import LABS, LABS_WORK, NOTEBOOKS, RUNS, display_path, find_latest_run
from handoff.text import console

STEPS = ("open", "predict", "measure", "borrow")
STEP_HELP = (
    "open (default): its notebook, in JupyterLab; in the terminal alone: predict NAME=VALUE ...,"
    " measure (or borrow shipped forks)"
)


def add_lab(parser: argparse.ArgumentParser) -> None:
    number = "the lab's number; without one, JupyterLab with the package's notebooks"
    parser.add_argument("number", nargs="?", type=int, metavar="N", help=number)
    parser.add_argument(
        "step", nargs="?", default="open", choices=STEPS, metavar="STEP", help=STEP_HELP
    )
    parser.add_argument(
        "words", nargs="*", metavar="NAME=VALUE", help="what is predicted; without: what is asked"
    )


def run_lab(given: argparse.Namespace) -> int:
    """Run one step of a lab; without a number, start JupyterLab."""
    if given.words and given.step != "predict":
        raise BadInput(f"{given.words[0]}: only predict takes NAME=VALUE.")
    if given.number is None:
        return start_jupyter()
    from handoff.labs.lab import load_lab
    from handoff.labs.student import open_lab

    name = load_lab(given.number).name
    folder = provide_notebook(name)
    if given.step == "open":
        return start_jupyter(LABS_WORK, f"{name}/{name}.ipynb")
    os.chdir(folder)
    lab = open_lab(given.number)
    if given.step == "predict":
        lab.predict(**dict(map(parse_word, given.words)))
    else:
        make_run = lab.borrow if given.step == "borrow" else lab.measure
        make_run()
        console.print(lab.compare()[["predicted", "found"]].to_string())
    return COMPLETE


def parse_word(word: str) -> tuple[str, object]:
    """Split NAME=VALUE into a name and a number or word."""
    name, _, text = word.partition("=")
    try:
        return name, json.loads(text)
    except ValueError:
        return name, text


def provide_notebook(name: str) -> Path:
    """Return the folder of the student's copy, which is made once and never overwritten."""
    folder = LABS_WORK / name
    copy = folder / f"{name}.ipynb"
    if not copy.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(LABS / "release" / name / f"{name}.ipynb", copy)
        console.print(f"Your copy: {display_path(copy)}")
    shutil.copy(LABS / "GLOSSARY.md", folder)
    return folder


def start_jupyter(root: Path = NOTEBOOKS, page: str = "10_scaling.ipynb") -> int:
    """Replace this process by JupyterLab in `root`, which prints its address with its token.

    It listens to this machine only.
    """
    words = [f"--ServerApp.root_dir={root}", f"--LabApp.default_url=/lab/tree/{page}"]
    # Jupyter refuses root because others could reach it; here only this machine can, by token.
    words += ["--allow-root"] if os.geteuid() == 0 else []
    if root == NOTEBOOKS:
        latest = find_latest_run(RUNS).name
        print(
            f'The notebooks read the shipped runs; run_name = "latest" reads {latest}.', flush=True
        )
    os.chdir(root)
    command = [sys.executable, "-m", "jupyter", "lab", "--ip=127.0.0.1", *words]
    os.execve(sys.executable, command, kernel_environment())


COMMANDS = {
    "lab": Command("a teaching lab, or JupyterLab alone; on this machine only", add_lab, run_lab),
}
