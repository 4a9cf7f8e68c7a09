"""CONTRIBUTING.md, followed to the letter in a copy of the tree: what it says of adding a mechanism
and a study works. The files of both are written first, so that one jar serves their commands.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from handoff.paths import ROOT, find_run_folder

pytestmark = pytest.mark.machine

BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "target", "runs", "generated", "__pycache__", "*.egg-info", ".*_cache"
)


MECHANISM, STUDY = "Adding a mechanism to a study", "Adding a study"


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A checkout without runs, with every file and edit of the page."""
    folder = tmp_path_factory.mktemp("contributor") / "handoff"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    shutil.copytree(find_run_folder("reference"), folder / "data" / "runs" / "reference")
    (folder / ".venv").symlink_to(ROOT / ".venv")
    for section in (MECHANISM, STUDY):
        write_files(folder, section)
    return folder


def find_blocks(folder: Path, section: str) -> list[tuple[str, str, str]]:
    """Language, information and content of the section's blocks of code."""
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
    """What the section's commands say."""
    (commands,) = [text for language, _, text in find_blocks(folder, section) if language == "sh"]
    return run(["bash", "-euo", "pipefail", "-c", commands], folder)


def edit(path: Path, diff: str) -> None:
    """Puts every added line behind the line that stands before it in the diff."""
    lines, at = path.read_text(encoding="utf-8").splitlines(), -1
    for line in diff.splitlines():
        if line.startswith("+"):
            at += 1
            lines.insert(at, line[1:])
        else:
            at = lines.index(line[1:])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(command: list[str], folder: Path) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
    return ended.stdout


def test_a_mechanism_is_one_file_and_one_line(copy):
    said = run_commands(copy, MECHANISM)
    assert "Wrote data/studies.json, data/sweep.schema.json" in said
    (table,) = (copy / "data" / "runs").glob("smoke-*/tidy/scaling.csv")
    assert "LINKED_BLOCKING_DEQUE" in table.read_text(encoding="utf-8")


def test_a_study_reaches_its_notebook(copy):
    said = run_commands(copy, STUDY)
    (table,) = (copy / "data" / "runs").glob("*/tidy/pingpong.csv")
    made = copy / "paper" / "generated" / table.parent.parent.name
    assert (made / "figures" / "pingpong-points.svg").is_file()
    assert (made / "notebooks" / "70_pingpong.ipynb").is_file() and "Verdicts: " in said
