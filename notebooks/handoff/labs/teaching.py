"""Preparation of a class: students' notebooks, a check of laptops, a bundle for offline rooms.

`python -m handoff.labs.teaching` makes students' notebooks from those with solutions.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import nbformat

from handoff.errors import BadInput, Failure
from handoff.labs.facts import PAGES, format_head, format_page, format_predict
from handoff.labs.lab import MODULES, Lab, load_lab
from handoff.paths import JAVA_BENCH, LABS, LABS_WORK, ROOT, display_path
from handoff.run.host import machine, readiness
from handoff.run.host.process import ask_git
from handoff.run.java import jar, jdk
from handoff.run.plan.settings import Forks
from handoff.run.plan.sweep import Sweep
from handoff.terminal import console

SOURCE = LABS / "source"
REGION = re.compile(
    r"^([ \t]*)(// )?### BEGIN SOLUTION\n.*?^[ \t]*(?:// )?### END SOLUTION",
    re.DOTALL | re.MULTILINE,
)
"""A solution; in Java its marks are comments."""

WORDS = "your answer here"
PLACE = f"# {WORDS}"

PAIR_CORES, PAPER_CORES = 2, 12
BUNDLE = "handoff-bundle"


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


def describe_machine(java: jdk.Jdk) -> list[str]:
    """Return sentences on what this machine is, what it can judge, and what is in the way."""
    here = machine.describe_machine(jar.query_topology(java))
    cores = machine.count_usable_cores(here)
    lines = [machine.summarize_machine(here) + ".", describe_cores(cores)]
    if here["topology"].get("quota"):
        lines.append("A CPU quota: labs measure nothing here; shipped forks can be read.")
    if here["topology"]["virtual"]:
        lines.append(
            "A virtual machine: its host may move or stop its CPUs; take more forks, and"
            " expect wider intervals."
        )
    sweep = Sweep(about="a lab", forks=Forks(fitting=1), studies={})
    findings = readiness.list_findings(sweep)
    return lines + [f"Not ready: {item.sentence}" for item in findings if item.ready is False]


def describe_cores(cores: int) -> str:
    if cores < PAIR_CORES:
        return "1 core: both threads would share it, so no lab has anything to compare."
    if cores < PAPER_CORES:
        return f"{cores} cores: enough for every lab; the paper's claims on 11 consumers take 12."
    return f"{cores} cores: enough for every lab, and for every number of consumers of the paper."


def make_bundle() -> Path:
    """Write an archive of this checkout with its Python and Maven packages to labs-work/."""
    LABS_WORK.mkdir(exist_ok=True)
    file = LABS_WORK / f"{BUNDLE}.tar.gz"
    with tempfile.TemporaryDirectory(prefix="handoff-bundle-", dir=LABS_WORK) as name:
        folder = Path(name) / BUNDLE
        folder.mkdir()
        copy_checkout(folder)
        console.print("Python packages ...")
        download_wheels(folder / jdk.WHEELS)
        console.print("Maven packages ...")
        download_maven_packages(folder / jdk.MAVEN_PACKAGES)
        console.print("Packing ...")
        packed = Path(name) / file.name
        with tarfile.open(packed, "w:gz", compresslevel=1) as archive:
            archive.add(folder, BUNDLE)
        packed.replace(file)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    console.print(
        f"{display_path(file)}, {file.stat().st_size / 2**20:.0f} MiB: for Linux machines like this"
        f" one with Python {version}, a JDK and Maven. There: tar xzf {file.name}, cd {BUNDLE},"
        " ./run_all.sh lab 1."
    )
    return file


HIDDEN = (
    "notebooks/labs/source",
    "notebooks/labs/wrong",
    "notebooks/labs/facts",
    "notebooks/labs/teacher",
    "notebooks/labs/TEACHING.md",
    "notebooks/tests",
    "java-bench/src/test",
)
"""What a student's bundle leaves out: solutions, wrong solutions, the teacher's pages and tests."""


def copy_checkout(folder: Path) -> None:
    """Copy the committed files but those in HIDDEN; raise BadInput outside a git checkout."""
    packed = ask_git("archive", "HEAD", ".", *(f":!{path}" for path in HIDDEN))
    if packed is None:
        raise BadInput("A bundle is made from a git checkout; this folder is not one.")
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)


def download_wheels(folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--require-hashes", "-r", str(ROOT / "requirements.lock"), "-d", str(folder)]
    if subprocess.run(command).returncode != 0:
        raise Failure("The Python packages of requirements.lock could not be had.")


def download_maven_packages(folder: Path) -> None:
    """Build the bundle's own jar with a repository of its own, which then holds what it needs."""
    bench = folder.parent / JAVA_BENCH.name
    command = [jdk.find_maven(), "-q", "-B", "-f", str(bench / "pom.xml"), "-DskipTests"]
    command += [f"-Dmaven.repo.local={folder}", "clean", "package"]
    environment = jar.make_maven_environment(jdk.find_jdk())
    if subprocess.run(command, env=environment).returncode != 0:
        raise Failure("The Maven packages could not be downloaded.")


if __name__ == "__main__":
    print("Wrote", ", ".join(display_path(path) for path in write_all()))
