"""Check that the table in CONTRIBUTING.md names functions that exist."""

import ast
import re

import pytest

from handoff.paths import NOTEBOOKS, ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| `([\w/]+\.py)` \|", PAGE, re.MULTILINE)


def test_the_path_to_a_verdict_has_at_most_twelve_functions():
    assert 10 <= len(ROWS) <= 12


@pytest.mark.parametrize(("function", "module"), ROWS)
def test_each_function_on_the_path_to_a_verdict_is_in_its_module(function, module):
    tree = ast.parse((NOTEBOOKS / "handoff" / module).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
