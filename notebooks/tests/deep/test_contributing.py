"""CONTRIBUTING.md, followed to the letter in a copy of the tree: its mechanism and study work.

The files of both are written first, so that their commands share one jar.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from handoff.paths import ROOT, RUNS

pytestmark = pytest.mark.machine

BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "target", "runs", "generated", "__pycache__", "*.egg-info", ".*_cache"
)


MECHANISM, STUDY = "Adding a mechanism to a study", "Adding a study"


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """Return a checkout with the shipped runs and every file and edit of the page."""
    folder = tmp_path_factory.mktemp("contributor") / "handoff"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    (folder / "data" / "runs").mkdir()
    for archive in RUNS.glob("reference*.zip"):
        shutil.copy(archive, folder / "data" / "runs")
    (folder / ".venv").symlink_to(ROOT / ".venv")
    for section in (MECHANISM, STUDY):
        write_files(folder, section)
    return folder


def find_blocks(folder: Path, section: str) -> list[tuple[str, str, str]]:
    """Return the language, information and content of the section's code blocks."""
    page = (folder / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return BLOCK.findall(page[page.index(f"## {section}") :].split("\n## ", 1)[0])


def write_files(folder: Path, section: str) -> None:
    for language, info, content in find_blocks(folder, section):
        path = folder / info.removeprefix("file=")
        if language == "diff":
            edit(path, content)
        elif language != "sh":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")


def run_commands(folder: Path, section: str) -> str:
    """Run the section's commands and return what they print."""
    (commands,) = [text for language, _, text in find_blocks(folder, section) if language == "sh"]
    return run(["bash", "-euo", "pipefail", "-c", commands], folder)


def edit(path: Path, diff: str) -> None:
    """Insert every added line after the line that precedes it in the diff."""
    lines, at = path.read_text(encoding="utf-8").splitlines(), -1
    for line in diff.splitlines():
        if line.startswith("+"):
            at += 1
            lines.insert(at, line[1:])
        else:
            at = lines.index(line[1:])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(command: list[str], folder: Path) -> str:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    return result.stdout


@pytest.fixture(scope="module")
def mechanism(copy) -> str:
    return run_commands(copy, MECHANISM)


@pytest.fixture(scope="module")
def study(copy, mechanism) -> str:
    return run_commands(copy, STUDY)


def test_a_mechanism_is_one_file_and_one_line(copy, mechanism):
    assert "Wrote data/studies.json, data/sweep.schema.json" in mechanism
    (table,) = (copy / "data" / "runs").glob("smoke-*/tidy/scaling.csv")
    assert "LINKED_BLOCKING_DEQUE" in table.read_text(encoding="utf-8")


def test_a_study_reaches_its_notebook(copy, study):
    (table,) = (copy / "data" / "runs").glob("*/tidy/pingpong.csv")
    generated = copy / "paper" / "generated" / table.parent.parent.name
    assert (generated / "figures" / "swept-pingpong-mechanism.svg").is_file()
    assert (generated / "notebooks" / "75_pingpong.ipynb").is_file() and "Verdicts: " in study


TESTS = [f"test_{name}.py" for name in ("claims", "draw", "notebooks", "study", "sweep")]
"""Tests of every mechanism, every study and every file of a kind."""


def test_the_tests_pass_with_another_mechanism_and_another_study(copy, study):
    run([sys.executable, "-m", "pytest", "-q", *TESTS], copy / "notebooks" / "tests")


def test_the_paper_of_another_study_builds(copy, study):
    output = run(["./run_all.sh", "smoke", "paper", "--only", "pingpong"], copy)
    (pdf,) = (copy / "paper" / "generated").glob("*/pingpong.pdf")
    assert pdf.stat().st_size > 20_000 and "Paper: " in output
