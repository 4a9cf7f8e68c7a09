"""Notebooks, claims, papers and pages of random small sweeps, with made-up forks."""

import functools
import json
import random
import re

import pandas as pd
import pytest
import yaml
from bs4 import BeautifulSoup

from handoff.analysis.baseline import list_values
from handoff.analysis.effects import tabulate_effects
from handoff.analysis.forks import compute_fork_means, select_fit
from handoff.analysis.swept import find_swept
from handoff.catalog import load_catalog
from handoff.cli.stages import list_reading_notebooks
from handoff.files import write_json
from handoff.report import numbers, papers
from handoff.report.swept import load_swept
from handoff.run import extension, planning
from handoff.run.plan.pairs import find_pairs
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweep import validate_sweep
from handoff.run.store.run import read_run
from handoff.studies.actors import numbers as actors
from handoff.studies.executors import numbers as executors
from handoff.studies.ring import numbers as ring
from handoff.study import find_study
from handoff.tables import tidy
from handoff.web import document

from .any_sweep import add_missing, execute_cells, make_run, make_sweep_run


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


@pytest.mark.parametrize(
    ("study", "seed"),
    [("scaling", "extended"), ("executors", "extended 4"), ("actors", "extended 3")],
)
def test_an_extension_measures_again_what_its_effects_are_paired_with(
    study, seed, golden, java, tmp_path
):
    run = make_run(tmp_path / "run", golden, study, seed, java)
    add_missing(run, golden)
    tidy.write_tables(run)
    forks = compute_fork_means(tidy.load_table(run, study, every_arm=True))
    compared = 0
    for name, value in {item for point in run.points for item in point.params.items()}:
        added = [point for point in run.points if point.params[name] == value]
        kept = [point for point in run.points if point.params[name] != value]
        again = extension.choose_baseline(run._replace(points=kept), added)
        # In the plan after an extension, what was added is last.
        places = {point.key: place for place, point in enumerate((*kept, *added))}
        planned = forks.sort_values("point", key=lambda keys, places=places: keys.map(places))
        values = list_values(select_fit(planned, "ns_per_event"), study)
        pairs = find_pairs(values)
        swept = find_swept(find_study(study), planned, run.sweep.arms)
        assert tabulate_effects(swept, "ns_per_event")["pairs"].sum() == len(pairs)
        new = {point.key for point in added}
        # Claims compare mechanisms with each other, not only with the base.
        ends = [{pair.before, pair.after} for pair in find_pairs(values, rivals=True)]
        partners = [pair - new for pair in ends if pair & new]
        assert {point.key for point in again} == set().union(*partners)
        compared += len(again)
    assert compared


def extend_sorts(tmp_path, golden, java, monkeypatch, first, added):
    """Extend a run of these sorts by one more; return the effects on its time."""
    entry = {"mechanism": "ARRAY_BLOCKING_QUEUE", "shots": 2, "sorts": first}
    sweep = {"about": "made up", "forks": {"fitting": 5}, "studies": {"scaling": [entry]}}
    run = make_sweep_run(tmp_path / "run", golden, sweep, "1x6", random.Random(4), java)
    add_missing(run, golden)
    monkeypatch.setattr(planning, "require_same_setup", lambda *_: None)
    root = tmp_path / "machine"
    plan = functools.partial(planning.plan_points, root=root)
    monkeypatch.setattr(planning, "plan_points", plan)
    entry["sorts"] = [*first, added]
    asked = SweepRequest("own", "a test", json.dumps(sweep), validate_sweep(sweep, "a test"))
    run = extension.extend_run(run, asked, extension.plan_addition(run, asked, java))
    assert len(run.missing()) == 10
    add_missing(run, golden)
    tidy.write_tables(run)
    return tabulate_effects(load_swept(run, "scaling"), "ns_per_event")


@pytest.mark.parametrize(("first", "added"), [([300, 15], 60), ([15, 300], 1)])
def test_a_value_that_is_added_to_a_run_gets_an_interval(
    first, added, golden, java, tmp_path, monkeypatch
):
    table = extend_sorts(tmp_path, golden, java, monkeypatch, first, added)
    assert table["from"].tolist() == [first[0]] * 2 and set(table["to"]) == {first[1], added}
    assert table["low"].notna().all()


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
