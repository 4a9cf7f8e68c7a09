"""Notebooks, claims, papers and pages of random small sweeps, with made-up forks."""

import pytest

from handoff.catalog import load_catalog
from handoff.cli.drawing import list_reading_notebooks
from handoff.report import numbers, papers
from handoff.web import document

from .any_sweep import execute_cells, make_run

SEEDS = 2
"""Sweeps of each study in the ordinary suite; the deep test takes more."""


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("study", load_catalog())
def test_everything_is_made_from_a_random_small_sweep(study, seed, golden, java, tmp_path):
    make_everything(make_run(tmp_path / "run", golden, study, str(seed), java))


def make_everything(run):
    execute_cells("02_tidy", run)
    for name in list_reading_notebooks(run):
        execute_cells(name, run)
    numbers.update_figures(run)
    pdfs, pages = papers.build_pdfs(run), document.build_pages(run)
    assert all(pdf.read_bytes().startswith(b"%PDF") for pdf in pdfs) and pdfs
    assert all(page.stat().st_size for page in pages) and pages
