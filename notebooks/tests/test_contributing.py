"""The checkout: sizes of modules, functions that CONTRIBUTING.md names, deep tests, citation."""

import ast
import json
import re
import tomllib
from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from handoff.paths import NOTEBOOKS, ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| `([\w/]+\.py)` \|", PAGE, re.MULTILINE)


def test_the_path_to_a_verdict_has_at_most_twelve_functions():
    assert 10 <= len(ROWS) <= 12


@pytest.mark.parametrize(("function", "file"), ROWS)
def test_each_function_on_the_path_to_a_verdict_is_in_its_file(function, file):
    nodes = ast.parse((NOTEBOOKS / "handoff" / file).read_text("utf-8")).body
    assert function in {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


MOST_LINES, MOST_MODULES = 250, 20


def test_modules_and_folders_keep_to_their_sizes():
    modules = [file for file in (NOTEBOOKS / "handoff").rglob("*.py") if file.stem != "__init__"]
    folders = Counter(file.parent for file in modules)
    assert [f"{d}: {n} modules" for d, n in folders.items() if n > MOST_MODULES] == []
    lines = {str(file): len(file.read_text(encoding="utf-8").splitlines()) for file in modules}
    assert {name: number for name, number in lines.items() if number > MOST_LINES} == {}


HERE = Path(__file__).parent
FILES = sorted(path for part in ("deep", "labs/deep") for path in (HERE / part).glob("[!_]*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_deep_file_can_be_imported(path):
    # A file that needs a browser skips itself where there is none.
    with suppress(pytest.skip.Exception):
        import_module(".".join(["tests", *path.relative_to(HERE).with_suffix("").parts]))


CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
ZENODO = json.loads((ROOT / ".zenodo.json").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_all_citations_name_the_same_version_title_date_and_licence():
    assert CITATION["version"] == ZENODO["version"] == PROJECT["version"]
    assert CITATION["title"] == ZENODO["title"]
    assert CITATION["date-released"] == ZENODO["publication_date"]
    assert CITATION["license"].lower() == ZENODO["license"]


def test_the_latest_release_of_the_changelog_has_the_version_and_date_of_the_citation():
    changes = (ROOT / "CHANGELOG.md").read_text()
    version, date = re.findall(r"^## (\d\S*) - (\S+)$", changes, re.MULTILINE)[0]
    assert (version, date) == (CITATION["version"], CITATION["date-released"])


def test_the_paper_that_is_reproduced_is_referenced_and_is_not_what_one_cites():
    (paper,) = CITATION["references"]
    assert "identifiers" not in CITATION and "doi" not in CITATION
    (related,) = ZENODO["related_identifiers"]
    assert related["relation"] == "references"
    assert "doi" not in ZENODO and paper["doi"] == related["identifier"]
