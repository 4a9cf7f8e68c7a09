"""The tree of a contributor who followed CONTRIBUTING.md passes its tests and makes its PDF."""

import sys

from .test_contributing import MECHANISM, STUDY, copy, run, run_commands

__all__ = ["copy"]

CHECKED = [
    "test_claims.py",
    "test_draw.py",
    "test_notebooks.py",
    "test_registry.py",
    "test_sweep.py",
]
"""Tests of every mechanism, every study and every file of a kind."""


def test_everything_works_with_another_mechanism_and_another_study(copy):
    run_commands(copy, MECHANISM)
    run_commands(copy, STUDY)
    run([sys.executable, "-m", "pytest", "-q", *CHECKED], copy / "notebooks" / "tests")
    output = run(["./run_all.sh", "smoke", "paper", "--only", "pingpong"], copy)
    (pdf,) = (copy / "paper" / "generated").glob("*/pingpong.pdf")
    assert pdf.stat().st_size > 20_000 and "Paper: " in output
