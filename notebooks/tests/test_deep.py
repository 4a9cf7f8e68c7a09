"""What deep tests and their tools import exists: only `--deep` runs them."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(path for part in ("deep", "labs/deep") for path in (HERE / part).glob("*.py"))
OURS = ("handoff", "tests")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_deep_test_imports_of_ours_exists(path):
    folders = ["tests", *path.parent.relative_to(HERE).parts]
    missing = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            package = folders[: len(folders) + 1 - node.level] if node.level else []
            module = ".".join([*package, *filter(None, [node.module])])
            if module.partition(".")[0] in OURS:
                missing += [
                    f"{module}.{a.name}" for a in node.names if not provides(module, a.name)
                ]
    assert missing == []


def provides(module: str, name: str) -> bool:
    """Return whether a module has the name, or its package a module of that name."""
    try:
        return hasattr(import_module(module), name) or bool(import_module(f"{module}.{name}"))
    except ModuleNotFoundError as error:
        # A module of another package, such as a browser's, may be missing here.
        return (error.name or "").partition(".")[0] not in OURS
