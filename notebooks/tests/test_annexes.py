"""Core without its annexes."""

import os
import shutil
import subprocess
import sys

import pytest

from handoff.cli.main import ANNEXES
from handoff.paths import NOTEBOOKS, ROOT

IMPORT_ALL = """
import importlib, pkgutil
import handoff
for module in pkgutil.walk_packages(handoff.__path__, "handoff."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(handoff.__file__)
"""


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """Return the folder of a package without annexes."""
    folder = tmp_path_factory.mktemp("core") / "notebooks"
    annexes = shutil.ignore_patterns("__pycache__", *ANNEXES)
    shutil.copytree(NOTEBOOKS / "handoff", folder / "handoff", ignore=annexes)
    for name in ("data", "paper"):
        (folder.parent / name).symlink_to(ROOT / name)
    return folder


def run_python(core, *words):
    return subprocess.run(
        [sys.executable, *words],
        env=os.environ | {"PYTHONPATH": str(core)},
        capture_output=True,
        text=True,
        cwd=core,
    )


def test_every_module_of_the_core_can_be_imported_without_the_annexes(core):
    result = run_python(core, "-c", IMPORT_ALL)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == str(core / "handoff" / "__init__.py")


def test_help_lists_only_the_commands_of_the_core(core):
    result = run_python(core, "-m", "handoff", "--help")
    assert result.returncode == 0, result.stderr
    assert "compare" in result.stdout
    assert "cluster" not in result.stdout


def test_a_command_of_a_missing_annex_is_an_unknown_word(core):
    result = run_python(core, "-m", "handoff", "lab")
    assert result.returncode == 2
    assert result.stderr.startswith("unknown profile or sweep file lab; choose from ")
