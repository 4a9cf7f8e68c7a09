"""Notebooks, claims, papers and pages of random small sweeps, with made-up forks."""

import json
import re

import pandas as pd
import pytest
import yaml
from bs4 import BeautifulSoup

from handoff.catalog import load_catalog
from handoff.cli.stages import list_reading_notebooks
from handoff.files import write_json
from handoff.report import numbers, papers
from handoff.run.store.run import read_run
from handoff.studies.actors import numbers as actors
from handoff.studies.executors import numbers as executors
from handoff.studies.ring import numbers as ring
from handoff.web import document

from .any_sweep import execute_cells, make_run


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("study", sorted(load_catalog().keys() - {"scaling"}))
def test_everything_is_made_from_a_random_small_sweep(study, golden, java, tmp_path):
    make_everything(make_run(tmp_path / "run", golden, study, "0", java))


def make_everything(run):
    execute_cells("02_tidy", run)
    for name in list_reading_notebooks(run):
        execute_cells(name, run)
    numbers.update_figures(run)
    pdfs, pages = papers.build_pdfs(run), document.build_pages(run)
    assert all(pdf.read_bytes().startswith(b"%PDF") for pdf in pdfs) and pdfs
    for page in pages:
        said = BeautifulSoup(page.read_text(), "html.parser").get_text()
        assert not re.findall(r".{20}\w [,;] .{20}", said), f"{page}: a word is missing"


@pytest.mark.parametrize(
    "tabulate",
    [
        executors.ONE_FACTOR.pairs,
        executors.ONE_FACTOR.in_words,
        executors.compute_ratios_to_pool,
        ring.compute_ratios_to_one,
        actors.tabulate_ratios,
        actors.describe_migration,
        actors.compare_rivals,
        actors.list_sentences,
    ],
)
def test_without_forks_tables_are_empty_and_nothing_is_said(tabulate):
    assert len(tabulate(pd.DataFrame())) == 0


HOSTILE = "\x1b[31m\x00\u202e <b>bold</b> #panic() *star* [red]text[/red] $x$ | `code`"
SHOWN = "\ufffd[31m\ufffd\ufffd <b>bold</b> #panic() *star* [red]text[/red] $x$ | `code`"


@pytest.mark.filterwarnings("error")
def test_a_strangers_words_are_shown_as_text_everywhere(golden, java, tmp_path, call):
    run = make_run(tmp_path / "run", golden, "scaling", "0", java)
    content = json.loads((run.folder / "machine.json").read_text())
    write_json(run.folder / "machine.json", content | {"cpu": HOSTILE, "kernel": HOSTILE})
    sweep = yaml.safe_load((run.folder / "sweep.yml").read_text())
    (run.folder / "sweep.yml").write_text(yaml.safe_dump(sweep | {"about": HOSTILE}))
    make_everything(read_run(run.folder))
    page = BeautifulSoup((run.folder / "generated" / "handoff.html").read_text(), "html.parser")
    assert " ".join(SHOWN.split()) in " ".join(page.get_text().split())
    assert page.find("b", string="bold") is None
    listed = call("runs", "--data", tmp_path).stdout.splitlines()[-1]
    assert listed.count(SHOWN) == 2 and "\x1b" not in listed
