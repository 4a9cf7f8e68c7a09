"""The tree of a contributor who followed CONTRIBUTING.md: its tests pass, and its study reaches the
PDF.
"""

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
"""Tests that look at every mechanism, every study and every file of its kind."""


def test_it_holds_with_a_mechanism_and_a_study_more(copy):
    run_commands(copy, MECHANISM)
    run_commands(copy, STUDY)
    run([sys.executable, "-m", "pytest", "-q", *CHECKED], copy / "notebooks" / "tests")
    said = run(["./run_all.sh", "smoke", "paper", "--only", "pingpong"], copy)
    (pdf,) = (copy / "paper" / "generated").glob("*/handoff.pdf")
    assert pdf.stat().st_size > 20_000 and "Paper: " in said
