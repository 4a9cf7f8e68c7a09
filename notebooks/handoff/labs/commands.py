"""The command `lab`: one step of a lab, or JupyterLab.

Labs and statistics take seconds to import, so the command imports what it runs.
"""

import argparse
import os
import secrets
import shutil
import socket
import sys
from contextlib import suppress
from pathlib import Path

from handoff.cli.command import Command
from handoff.cli.notebook import kernel_environment
from handoff.errors import COMPLETE, INCOMPLETE, BadInput
from handoff.paths import LABS, LABS_WORK, NOTEBOOKS, RUNS, display_path, find_latest_run
from handoff.terminal import console

STEPS = ("open", "predict", "measure", "borrow", "check", "pack")
GLOSSARY = "GLOSSARY.md"
STEP_HELP = (
    "open (default): its notebook, in JupyterLab; in the terminal alone: predict NAME=VALUE ...,"
    " measure (or borrow shipped forks), check, pack"
)


def add_lab(parser: argparse.ArgumentParser) -> None:
    number = "the lab's number; without one, JupyterLab with the package's notebooks"
    parser.add_argument("number", nargs="?", default="", metavar="N", help=number)
    parser.add_argument("step", nargs="?", default="", metavar="STEP", help=STEP_HELP)
    parser.add_argument(
        "words", nargs="*", metavar="NAME=VALUE", help="what is predicted; without: what is asked"
    )
    course = "the course's key, as your teacher gave it; kept for the next time"
    parser.add_argument("--course", default="", metavar="KEY", help=course)
    name = "a pseudonym; your teacher knows whose it is; kept for the next time"
    parser.add_argument("--name", dest="pseudonym", default="", metavar="NAME", help=name)


def run_lab(given: argparse.Namespace) -> int:
    """Run one step of a lab; without a number, start JupyterLab."""
    if given.step and given.step not in STEPS:
        raise BadInput(f"unknown step {given.step}; choose from {', '.join(STEPS)}.")
    if given.words and given.step != "predict":
        raise BadInput(f"{given.words[0]}: only predict takes NAME=VALUE.")
    if not given.number:
        return start_jupyter()
    if not given.number.isdecimal():
        raise BadInput(f"unknown lab {given.number}: give its number, from 1 to 9.")
    return run_step(given)


def run_step(given: argparse.Namespace) -> int:
    from handoff.labs.student import StudentLab
    from handoff.labs.work import open_work

    work = open_work(int(given.number), LABS_WORK, given.course, given.pseudonym)
    if given.step in ("", "open"):
        return open_notebook(work.lab.name)
    lab = StudentLab(work)
    if given.step == "check":
        return COMPLETE if lab.check() else INCOMPLETE
    if given.step == "pack":
        lab.pack()
    elif given.step == "predict" and given.words:
        lab.predict(**dict(map(parse_word, given.words)))
    elif given.step == "predict":
        console.print(f"{lab.describe()}\n{work.lab.question} Predict, each as NAME=VALUE:")
        for asked in work.lab.predictions:
            console.print(f"  {asked.name}: {asked.question} ({asked.allowed})")
    else:
        make_run = lab.borrow if given.step == "borrow" else lab.measure
        make_run()
        for row in lab.compare().itertuples():
            line = f"{row.Index}: predicted {row.predicted}, found {row.found}"
            console.print(line)
    return COMPLETE


def parse_word(word: str) -> tuple[str, object]:
    """Split NAME=VALUE into a name and a number or word."""
    name, equals, text = word.partition("=")
    if not equals or not text:
        raise BadInput(f"{word}: write NAME=VALUE, such as queue_cores_1=1.5.")
    try:
        number = float(text)
    except ValueError:
        return name, text
    return name, int(number) if number.is_integer() else number


def open_notebook(name: str) -> int:
    """Start JupyterLab at the student's copy, which is made once and never overwritten."""
    folder = LABS_WORK / name
    copy = folder / f"{name}.ipynb"
    if not copy.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(LABS / f"{name}.ipynb", copy)
        console.print(f"Your copy: {display_path(copy)}")
    shutil.copy(LABS / GLOSSARY, folder)
    return start_jupyter(LABS_WORK, f"{name}/{name}.ipynb")


ADDRESS = "127.0.0.1"
PORTS = range(8888, 8988)


def start_jupyter(root: Path = NOTEBOOKS, page: str = "10_scaling.ipynb") -> int:
    """Replace this process by JupyterLab in `root`, reachable only on this machine, by token."""
    port = find_port()
    settings = {"ip": ADDRESS, "root_dir": root, "port": port, "port_retries": 0}
    words = ["lab", *(f"--ServerApp.{name}={value}" for name, value in settings.items())]
    # Jupyter refuses root because others could reach it; here only this machine can, by token.
    words += ["--allow-root"] if os.geteuid() == 0 else []
    token = secrets.token_hex(24)
    latest = find_latest_run(RUNS).name
    # Jupyter does not print a token that it did not create.
    print(f"Open http://{ADDRESS}:{port}/lab/tree/{page}?token={token}")
    tunnel = f"ssh -L {port}:{ADDRESS}:{port} {socket.gethostname()}"
    print(f"From another machine, first run there: {tunnel}")
    if root == NOTEBOOKS:
        print(f'The notebooks read the shipped runs; run_name = "latest" reads {latest}.')
    sys.stdout.flush()
    os.chdir(root)
    environment = kernel_environment() | {"JUPYTER_TOKEN": token}
    os.execve(sys.executable, [sys.executable, "-m", "jupyter", *words], environment)


def find_port() -> int:
    """Return the first free port; raise BadInput when all are in use."""
    for port in PORTS:
        with suppress(OSError), socket.create_server((ADDRESS, port)):
            return port
    raise BadInput(f"Ports {PORTS.start} to {PORTS.stop - 1} are all in use: end a JupyterLab.")


COMMANDS = {
    "lab": Command("a teaching lab, or JupyterLab alone; on this machine only", add_lab, run_lab),
}
