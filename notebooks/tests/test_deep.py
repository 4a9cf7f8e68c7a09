"""Deep tests and their tools import what the package has: `--deep` alone runs them."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(path for part in ("deep", "labs/deep") for path in (HERE / part).glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_deep_test_imports_of_the_package_exists(path):
    missing = [
        f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handoff.")
        for alias in node.names
        if not hasattr(import_module(node.module), alias.name)
    ]
    assert missing == []
