"""What others need to cite and collect what is here: citation files that agree, a schema for every
table, and what each run's folder is.
"""

import json
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


def test_all_citations_name_the_same_version_title_date_licence_and_paper():
    assert {each["version"] for each in (CITATION, ZENODO, CODEMETA, PROJECT)} == {
        PROJECT["version"]
    }
    assert CITATION["title"] == ZENODO["title"]
    assert CITATION["date-released"] == ZENODO["publication_date"] == CODEMETA["dateModified"]
    assert CITATION["license"].lower() == ZENODO["license"]
    assert CODEMETA["license"].endswith(CITATION["license"])
    (paper,) = [each["value"] for each in CITATION["identifiers"] if each["type"] == "doi"]
    (related,) = ZENODO["related_identifiers"]
    assert {paper} == {related["identifier"], CODEMETA["referencePublication"]["identifier"]}
    assert crate.PAPER.endswith(paper)


def test_every_table_that_is_shipped_has_a_schema():
    """All but a matrix, which has no columns with names."""
    tables = list(paths.PUBLISHED.glob("*.csv"))
    tables += [
        table for name in SHIPPED for table in (paths.find_run_folder(name) / "tidy").glob("*.csv")
    ]
    assert len(tables) > 20
    for table in tables:
        package = json.loads((table.parent / "datapackage.json").read_text())
        assert table.name in {resource["path"] for resource in package["resources"]}, table


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_run_says_what_it_is(name):
    run = read_run(paths.find_run_folder(name))
    kept = json.loads((run.folder / crate.FILE).read_text())
    assert kept == crate.describe_run(run)
    told = {each["@id"] for each in kept["@graph"]}
    (root,) = [each for each in kept["@graph"] if each["@id"] == "./"]
    assert root["license"] == {"@id": crate.LICENCE}
    for part in root["hasPart"]:
        assert part["@id"] in told
        assert part["@id"] == "tidy/" or (run.folder / part["@id"]).exists()


def test_the_licence_of_a_run_of_ones_own_is_not_ours_to_say_and_a_killed_start_failed(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(paths.find_run_folder("reference-warmup"), folder)
    (file,) = (folder / "sessions").glob("*.json")
    first_start = json.loads(file.read_text())
    (folder / "starts").mkdir()
    (folder / "starts" / "002.json").write_text(json.dumps(first_start | {"ended": None}))
    run = read_run(folder)
    crate.write_crate(run)
    first = (folder / crate.FILE).read_bytes()
    crate.write_crate(run)
    assert (folder / crate.FILE).read_bytes() == first
    graph = {each["@id"]: each for each in json.loads(first)["@graph"]}
    assert graph["./"]["license"] == {"@id": "#licence"} and crate.LICENCE not in graph
    states = [graph[name]["actionStatus"] for name in ("#session-001", "#start-002")]
    assert states == [crate.COMPLETED, crate.FAILED] and "endTime" not in graph["#start-002"]
