"""Metadata for citing and collecting: citation files."""

import json
import re
import tomllib

import yaml

from handoff import paths

CITATION = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text())
ZENODO = json.loads((paths.ROOT / ".zenodo.json").read_text())
PROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text())["project"]


def test_all_citations_name_the_same_version_title_date_and_licence():
    assert CITATION["version"] == ZENODO["version"] == PROJECT["version"]
    assert CITATION["title"] == ZENODO["title"]
    assert CITATION["date-released"] == ZENODO["publication_date"]
    assert CITATION["license"].lower() == ZENODO["license"]


def test_the_latest_release_of_the_changelog_has_the_version_and_date_of_the_citation():
    changes = (paths.ROOT / "CHANGELOG.md").read_text()
    version, date = re.findall(r"^## (\d\S*) - (\S+)$", changes, re.MULTILINE)[0]
    assert (version, date) == (CITATION["version"], CITATION["date-released"])


def test_the_paper_that_is_reproduced_is_referenced_and_is_not_what_one_cites():
    (paper,) = CITATION["references"]
    assert "identifiers" not in CITATION and "doi" not in CITATION
    (related,) = ZENODO["related_identifiers"]
    assert related["relation"] == "references"
    assert "doi" not in ZENODO and paper["doi"] == related["identifier"]
