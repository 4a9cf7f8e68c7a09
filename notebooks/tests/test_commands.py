"""Commands on small sweeps of real forks: repeated, extended and failing."""

import json
import shutil

import jsonschema
import pytest

from handoff.cli import stages
from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.paths import DATA
from handoff.run import planning, runner
from handoff.run.java import jdk
from handoff.run.plan import selection
from handoff.run.store.run import read_run
from handoff.tables import tidy

from .conftest import write_sweep
from .test_pipeline import only_run

pytestmark = pytest.mark.machine


@pytest.fixture(scope="module")
def one_fork(tmp_path_factory):
    """Return a folder with a sweep of one real fork, measured, and its runs."""
    folder = tmp_path_factory.mktemp("one fork")
    sweep = write_sweep(folder, "mechanism: SEQUENTIAL")
    assert main([str(sweep), "build", "measure", "--data", str(folder / "runs")]) == 0
    return folder


@pytest.fixture
def measured(one_fork, tmp_path):
    """Copy that folder; return the sweep's file and the folder of its runs, to be changed."""
    shutil.copytree(one_fork, tmp_path, dirs_exist_ok=True)
    return tmp_path / "own.yml", tmp_path / "runs"


def test_a_fork_that_was_changed_afterwards_is_set_aside_and_measured_again(measured, call):
    sweep, runs = measured
    (path,) = (only_run(runs) / "forks").iterdir()
    path.write_text(path.read_text().replace('"userNs":', '"userNs":1'))
    ended = call(sweep, "tidy", "--data", runs)
    assert ended.returncode == 3 and "1 of 1 fork" in ended.stderr and path.exists()
    assert "was changed after it was measured" in ended.stdout
    ended = call(sweep, "measure", "--data", runs, "--json")
    text = json.loads(ended.stdout.splitlines()[-1])
    jsonschema.validate(text, json.loads((DATA / "answers.schema.json").read_text()))
    assert ended.returncode == 0 and path.exists()
    assert text["asked"] == text["found"] == 1 and text["run"] == path.parents[1].name


def test_another_sweep_is_another_run_and_says_why(measured):
    path, runs = measured
    path.write_text(path.read_text().replace("shots: 2", "shots: 3"))
    asked = selection.select_sweep(str(path), [], [])
    run = planning.prepare_run(asked, planning.LocalPlanner(jdk.find_jdk()), runs, create=True)
    assert planning.explain_new_run(run).startswith("another sweep than own-")
    assert len(list(runs.iterdir())) == 2


def test_a_run_is_extended_and_measures_nothing_twice(measured, monkeypatch, capfd):
    _, runs = measured
    monkeypatch.setattr(stages, "run_reading_stages", lambda run, request: 0)
    words = ["extend", only_run(runs).name, "--data", str(runs), "--set", "sorts=1,2"]
    assert main([*words, "--dry-run", "--json"]) == 0
    planned = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert (planned["points"], planned["forks"], planned["found"]) == (2, 3, 1)
    assert not (only_run(runs) / "plan-2.json").exists()
    assert main(words) == 0
    run = read_run(only_run(runs))
    assert len(run.tasks()) == 3 and run.missing() == []
    assert "by 1 point; 1 point is measured again, to compare with." in run.extensions[0].sentence
    assert main(words) == 0 and "Nothing to measure." in capfd.readouterr().out
    assert main([*words, "--set", "jvm.heap=300m"]) == 2
    assert "was measured with other JVM flags" in capfd.readouterr().err
    assert main(["extend", "no-such-run"]) == 2


def test_figures_are_not_drawn_from_an_older_table(measured, call):
    sweep, runs = measured
    tidy.write_tables(read_run(only_run(runs)))
    next((only_run(runs) / "forks").iterdir()).unlink()
    ended = call(sweep, "figures", "--data", runs)
    assert ended.returncode == 2 and "run the stage tidy first" in ended.stderr


def test_no_fork_is_added_to_a_run_of_another_machine(measured):
    folder = only_run(measured[1])
    next((folder / "forks").iterdir()).unlink()
    identity = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(identity | {"machine": "ffffffff"}))
    with pytest.raises(BadInput, match="measured with another machine: no fork is added"):
        next(runner.measure_run(read_run(folder)))
    assert list((folder / "forks").iterdir()) == []


def test_no_folder_of_figures_is_named_where_no_figure_was_drawn(fake_run):
    assert stages.list_drawn(fake_run())[0] == "Figures:  none"
