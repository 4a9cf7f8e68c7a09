"""Core without its annexes."""

import os
import shutil
import subprocess
import sys

import pytest

from handoff.cli.main import ANNEXES
from handoff.paths import NOTEBOOKS, ROOT


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """Return the folder of a package without annexes."""
    folder = tmp_path_factory.mktemp("core") / "notebooks"
    annexes = shutil.ignore_patterns("__pycache__", *ANNEXES)
    shutil.copytree(NOTEBOOKS / "handoff", folder / "handoff", ignore=annexes)
    for name in ("data", "paper"):
        (folder.parent / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.parametrize(
    ("word", "code", "printed"),
    [
        # Commands of the core are listed, those of the annexes are not.
        ("--help", 0, "  compare "),
        ("lab", 2, "unknown profile or sweep file lab; choose from "),
    ],
)
def test_without_annexes_the_command_line_works_and_has_no_command_of_theirs(
    core, word, code, printed
):
    ended = subprocess.run(
        [sys.executable, "-m", "handoff", word],
        env=os.environ | {"PYTHONPATH": str(core)},
        capture_output=True,
        text=True,
        cwd=core,
    )
    assert ended.returncode == code, ended.stderr
    assert printed in ended.stdout + ended.stderr and "cluster" not in ended.stdout
