"""Metadata for citing and collecting: citation files, table schemas and descriptions of runs."""

import json
import re
import shutil
import tomllib

import pytest
import yaml

from handoff import paths
from handoff.run.store.run import read_run
from handoff.tables import crate

SHIPPED = sorted(
    folder.name
    for folder in paths.list_run_folders(paths.RUNS)
    if folder.name.startswith(paths.SHIPPED)
)
CITATION = yaml.safe_load((paths.ROOT / "CITATION.cff").read_text())
ZENODO = json.loads((paths.ROOT / ".zenodo.json").read_text())
CODEMETA = json.loads((paths.ROOT / "codemeta.json").read_text())
PROJECT = tomllib.loads((paths.ROOT / "pyproject.toml").read_text())["project"]


def test_all_citations_name_the_same_version_title_date_and_licence():
    versions = {metadata["version"] for metadata in (CITATION, ZENODO, CODEMETA)}
    assert versions == {PROJECT["version"]}
    assert CITATION["title"] == ZENODO["title"]
    assert CITATION["date-released"] == ZENODO["publication_date"] == CODEMETA["dateModified"]
    assert CITATION["license"].lower() == ZENODO["license"]
    assert CODEMETA["license"].endswith(CITATION["license"])


def test_the_latest_release_of_the_changelog_has_the_version_and_date_of_the_citation():
    changes = (paths.ROOT / "CHANGELOG.md").read_text()
    version, date = re.findall(r"^## (\d\S*) - (\S+)$", changes, re.MULTILINE)[0]
    assert (version, date) == (CITATION["version"], CITATION["date-released"])


def test_the_paper_that_is_reproduced_is_referenced_and_is_not_what_one_cites():
    (paper,) = CITATION["references"]
    assert "identifiers" not in CITATION and "doi" not in CITATION
    (related,) = ZENODO["related_identifiers"]
    assert related["relation"] == "references"
    assert "doi" not in ZENODO and "identifier" not in CODEMETA
    assert {paper["doi"]} == {related["identifier"], CODEMETA["referencePublication"]["identifier"]}
    assert crate.PAPER.endswith(paper["doi"])


def test_the_citation_in_readme_is_that_of_the_file():
    readme = (paths.ROOT / "README.md").read_text()
    (entry,) = re.findall(r"```bibtex\n(.*?)```", readme, re.DOTALL)
    assert CITATION["title"] in entry and f"{{{CITATION['version']}}}" in entry
    assert f"{{{CITATION['date-released'][:4]}}}" in entry and "doi" not in entry


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_run_describes_itself(name):
    run = read_run(paths.find_run_folder(name))
    kept = json.loads((run.folder / crate.FILE).read_text())
    assert kept == crate.describe_run(run)
    names = {entity["@id"] for entity in kept["@graph"]}
    (root,) = [entity for entity in kept["@graph"] if entity["@id"] == "./"]
    assert root["license"] == {"@id": crate.LICENCE}
    for part in root["hasPart"]:
        assert part["@id"] in names
        assert part["@id"] == "tidy/" or (run.folder / part["@id"]).exists()


def test_a_users_run_names_no_licence_and_a_killed_start_is_a_failed_action(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(paths.find_run_folder("reference-warmup"), folder)
    # Older runs have their starts in a folder of another name.
    (folder / "starts").rename(folder / "sessions")
    (file,) = (folder / "sessions").glob("*.json")
    first_start = json.loads(file.read_text())
    (folder / "starts").mkdir()
    (folder / "starts" / "002.json").write_text(json.dumps(first_start | {"ended": None}))
    run = read_run(folder)
    crate.write_crate(run)
    first = (folder / crate.FILE).read_bytes()
    crate.write_crate(run)
    assert (folder / crate.FILE).read_bytes() == first
    graph = {entity["@id"]: entity for entity in json.loads(first)["@graph"]}
    assert graph["./"]["license"] == {"@id": "#licence"} and crate.LICENCE not in graph
    states = [graph[name]["actionStatus"] for name in ("#session-001", "#start-002")]
    assert states == [crate.COMPLETED, crate.FAILED] and "endTime" not in graph["#start-002"]
