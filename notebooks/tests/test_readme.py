"""docs/verdicts.md, README's pictures and its results are those of the shipped runs."""

import re
import shutil

import pandas as pd
import pytest

from handoff.catalog import load_catalog
from handoff.claims import verdict_table
from handoff.paths import DATA, ROOT, RUNS, TRACES
from handoff.report import verdict_page
from handoff.tables import trace
from handoff.text import format_value


def test_the_page_of_verdicts_and_the_pictures_are_current(tmp_path, monkeypatch):
    # Judged from copies, because other tests read the shipped runs at the same time.
    (tmp_path / "runs").mkdir()
    for run in RUNS.glob("reference*.zip"):
        shutil.copy(run, tmp_path / "runs")
    monkeypatch.setattr(verdict_page, "RUNS", tmp_path / "runs")
    shipped = {path.name: path.read_bytes() for path in verdict_page.PICTURES.glob("*.svg")}
    page = verdict_page.PAGE.read_text()
    monkeypatch.setattr(verdict_page, "PAGE", tmp_path / "verdicts.md")
    monkeypatch.setattr(verdict_page, "PICTURES", tmp_path / "pictures")
    paths = verdict_page.write_page()
    assert paths[0].read_text() == page, "out of date; run ./run_all.sh verdicts"
    assert {path.name: path.read_bytes() for path in paths[1:]} == shipped


def test_the_ids_below_readmes_pictures_lead_to_forks_in_a_fresh_clone(tmp_path, monkeypatch):
    monkeypatch.setattr(trace, "GENERATED", tmp_path)
    shipped = {path.stem for path in TRACES.iterdir()}
    records = [trace.find_trace(identity, tmp_path) for identity in shipped]
    assert {record["what"] for record in records} == set(verdict_page.SHOWN)
    assert all(record["forks"] and record["folder"] == "reference" for record in records)


@pytest.mark.parametrize("claim", ["P1", "P3", "P8", "P13", "P5"])
def test_the_results_in_readme_are_those_of_the_shipped_run(reference, claim):
    table = verdict_table.build_verdict_table(reference, ["scaling"])
    row = table[table["claim"] == claim].iloc[0]
    (line,) = re.findall(rf"^- {claim}, .*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert f"**{row['words']}**" in line
    numbers = re.findall(r"\d\.\d\d", line)
    assert numbers in ([], [] if pd.isna(row["ours"]) else [format_value(row["ours"])])


@pytest.mark.parametrize("study", load_catalog())
def test_every_parameter_of_a_study_is_in_its_table(study):
    text = (DATA / "README.md").read_text()
    (section,) = re.findall(rf"^## Parameters of `{study}`.*?(?=^## )", text, re.MULTILINE | re.S)
    names = [p.name for p in load_catalog()[study].parameters]
    assert [name for name in names if f"`{name}`" not in section] == []
