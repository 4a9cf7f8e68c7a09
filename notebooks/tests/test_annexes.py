"""The core without its annexes."""

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
    """The folder of a package without annexes."""
    folder = tmp_path_factory.mktemp("core") / "notebooks"
    annexes = shutil.ignore_patterns("__pycache__", "grade", *ANNEXES)
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


def test_every_module_of_the_core_can_be_imported_without_annexes(core):
    ended = run_python(core, "-c", IMPORT_ALL)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == str(core / "handoff" / "__init__.py")


def test_help_lists_the_commands_of_the_core_alone(core):
    ended = run_python(core, "-m", "handoff", "--help")
    assert ended.returncode == 0, ended.stderr
    assert "compare" in ended.stdout
    assert "cluster" not in ended.stdout


def test_a_command_of_an_annex_is_an_unknown_word_without_it(core):
    ended = run_python(core, "-m", "handoff", "lab")
    assert ended.returncode == 2
    assert ended.stderr.startswith("unknown profile or sweep file lab; choose from ")
