"""The whole pipeline on this machine, with real JVMs, also repeated, interrupted and failing."""

import json
import shutil
import signal
import subprocess
from pathlib import Path

import jsonschema
import nbformat
import pandas as pd
import pytest

from handoff.analysis.warm_up import has_settled
from handoff.catalog import load_catalog
from handoff.claims.files import load_claim_files
from handoff.cli import stages
from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.paths import DATA, ROOT
from handoff.registry import find_primary, find_study
from handoff.run import planning, runner
from handoff.run.java import jar, jdk
from handoff.run.java.command import share_classes
from handoff.run.plan import selection
from handoff.run.plan.sweep import Jvm
from handoff.run.store.run import read_run

from .conftest import run_all, write_sweep
from .test_process import eventually, left

pytestmark = pytest.mark.machine


def only_run(runs):
    (folder,) = [path.parent for path in runs.glob("*/plan.json")]
    return folder


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    """Run one real smoke sweep, in a folder with a space and Cyrillic letters in its name."""
    runs = tmp_path_factory.mktemp("прогоны и данные")
    ended = run_all("smoke", "--data", runs)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended, only_run(runs)


@pytest.fixture(scope="module")
def one_fork(tmp_path_factory):
    """Return a folder with a sweep of one real fork, measured and tidied, and its runs."""
    folder = tmp_path_factory.mktemp("one fork")
    sweep = write_sweep(folder, "mechanism: SEQUENTIAL")
    ended = run_all(sweep, "build", "measure", "tidy", "--data", folder / "runs")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


@pytest.fixture
def measured(one_fork, tmp_path):
    """Copy that folder; return the sweep's file and the folder of its runs, to be changed."""
    shutil.copytree(one_fork, tmp_path, dirs_exist_ok=True)
    return tmp_path / "own.yml", tmp_path / "runs"


def test_a_fork_that_was_changed_afterwards_is_set_aside_and_measured_again(measured):
    sweep, runs = measured
    (path,) = (only_run(runs) / "forks").iterdir()
    path.write_text(path.read_text().replace('"userNs":', '"userNs":1'))
    ended = run_all(sweep, "tidy", "--data", runs)
    assert (
        ended.returncode == 3
        and "1 of 1 fork" in ended.stderr
        and "was changed after it was measured" in ended.stdout
        and path.exists()
    )
    ended = run_all(sweep, "measure", "tidy", "--data", runs, "--json")
    text = json.loads(ended.stdout.splitlines()[-1])
    jsonschema.validate(text, json.loads((DATA / "answers.schema.json").read_text()))
    assert (
        ended.returncode == 0
        and path.exists()
        and text["asked"] == text["found"] == 1
        and text["run"] == path.parents[1].name
    )


def test_forks_take_their_classes_from_an_archive(smoke):
    java = jdk.find_jdk()
    flags = [*share_classes(java, Jvm()), "-Xlog:class+load"]
    told = jar.run_jar(java, flags, ["topology"]).stdout
    assert "handoff.machine.Topology source: shared objects file" in told
    fork = next((smoke[1] / "forks").iterdir()).read_text()
    assert "-XX:SharedArchiveFile=classes-" in fork and str(ROOT) not in fork


def test_every_point_asked_for_is_measured(smoke):
    points = pd.read_csv(smoke[1] / "tidy" / "points.csv")
    assert (points["found"] == points["asked"]).all() and points["asked"].sum() == len(
        list((smoke[1] / "forks").iterdir())
    )
    shots = pd.concat(
        [pd.read_csv(smoke[1] / "tidy" / f"{study}.csv") for study in points["study"].unique()]
    )
    planned = {point.key: point.shots for point in read_run(smoke[1]).points}
    assert len(shots) == (points["point"].map(planned) * points["asked"]).sum()
    told = shots.drop_duplicates(["point", "fork"])["settled"].notna()
    # Both ways to warm up were measured.
    assert told.any() and not told.all()
    assert sorted(shots["order_index"].unique()) == list(range(points["asked"].sum()))


def test_every_study_has_figures(smoke):
    ended, folder = smoke
    assert str(folder / "generated" / "figures") in ended.stdout
    assert "left" not in ended.stderr
    names = {path.stem for path in (folder / "generated" / "figures").iterdir()}
    assert names >= {f"figure-{n}" for n in range(3, 9)}
    for study in load_catalog():
        drawn = [name for name in names if name == study or name.startswith(f"{study}-")]
        assert drawn, study
        assert [name for name in names if name.startswith(f"swept-{study}")], study


def test_the_numbers_of_sources_are_drawn_next_to_their_claims(smoke):
    names = {path.stem for path in (smoke[1] / "generated" / "figures").glob("claims-*")}
    # The paper has no numbers, and hops have no source.
    sources = set(load_catalog()) - {find_primary().name, "hops"}
    assert names >= {f"claims-{study}" for study in load_claim_files() if study in sources}


def test_a_rehearsal_ends_with_a_paper_that_judges_nothing(smoke):
    ended, folder = smoke
    assert f"Paper:    {folder / 'generated' / 'handoff.pdf'}" in ended.stdout
    assert (folder / "generated" / "handoff.pdf").read_bytes().startswith(b"%PDF")
    table = pd.read_csv(folder / "generated" / "verdicts.csv")
    assert len(table) == sum(len(file.claims) for file in load_claim_files().values()) and set(
        table["verdict"]
    ) == {"not measured"}
    made = json.loads((folder / "generated" / "numbers.json").read_text())
    assert made["run"]["verdicts"] is False and made["points"]["found"] == made["points"]["asked"]


def test_a_second_call_measures_nothing(smoke):
    folder = smoke[1]
    before = {path.name: path.stat().st_mtime_ns for path in (folder / "forks").iterdir()}
    ended = run_all("smoke", "measure", "--data", folder.parent)
    assert ended.returncode == 0 and "Nothing to measure" in ended.stdout
    assert {path.name: path.stat().st_mtime_ns for path in (folder / "forks").iterdir()} == before


def test_executed_notebooks_name_no_user_and_no_home(smoke):
    executed = sorted((smoke[1] / "generated" / "notebooks").glob("*.ipynb"))
    wanted = {"machine", "measure", "tidy", "sweep", "claims"}
    wanted |= {word for study in load_catalog() for word in find_study(study).list_notebooks()}
    assert {path.stem.partition("_")[2] for path in executed} == wanted
    for path in executed:
        outputs = [cell.get("outputs", []) for cell in nbformat.read(path, as_version=4).cells]
        assert f"{Path.home()}/" not in json.dumps(outputs)
        assert all(output["output_type"] != "error" for cell in outputs for output in cell)


def test_fork_files_name_no_folder(smoke):
    for path in (smoke[1] / "forks").iterdir():
        assert "/tmp" not in path.read_text() and "tmpdir" not in path.read_text()


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
    told = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert (told["points"], told["raised"], told["forks"]) == (1, 0, 4)
    assert not (only_run(runs) / "plan-2.json").exists()
    assert main(words) == 0
    run = read_run(only_run(runs))
    assert len(run.tasks()) == 5 and run.missing() == []
    # One fork of before is too few for an interval.
    assert run.extensions[0].same is None and "No usable anchor" in run.extensions[0].sentence
    assert main(words) == 0 and "Nothing to measure." in capfd.readouterr().out
    assert main([*words, "--set", "jvm.heap=300m"]) == 2
    assert "was measured with other JVM flags" in capfd.readouterr().err
    assert main(["extend", "no-such-run"]) == 2


@pytest.mark.parametrize(
    "profile", ["smoke", "quick", "paper", "load", "sensitivity", "warmup", "latency"]
)
def test_the_jar_plans_every_shipped_sweep_on_this_machine(smoke, profile):
    points = planning.plan_points(selection.select_sweep(profile, [], []), jdk.find_jdk())
    assert all(point.threads or point.unavailable for point in points)
    assert {point.params["placement"] for point in points if point.forks} >= {"COMPACT"}


def test_figures_are_not_drawn_from_an_older_table(measured):
    sweep, runs = measured
    next((only_run(runs) / "forks").iterdir()).unlink()
    ended = run_all(sweep, "figures", "--data", runs)
    assert ended.returncode == 2 and "run the stage tidy first" in ended.stderr


def test_no_fork_is_added_to_a_run_of_another_machine(measured):
    folder = only_run(measured[1])
    next((folder / "forks").iterdir()).unlink()
    identity = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(identity | {"machine": "ffffffff"}))
    with pytest.raises(BadInput, match="measured with another machine: no fork is added"):
        next(runner.measure_run(read_run(folder)))
    assert list((folder / "forks").iterdir()) == []


def test_forks_that_fail_are_reported_kept_apart_and_missing(sweep_file, tmp_path):
    # A ring of 16 million events does not fit into this heap.
    entry = "mechanism: DISRUPTOR_STRIPED, capacity: 16777216"
    sweep = sweep_file(entry, top="verdicts: false\njvm: {heap: 64m}")
    ended = run_all(sweep, "build", "measure", "tidy", "--data", tmp_path / "runs")
    assert ended.returncode == 3 and "1 of 1 forks are missing: 1 failed, see" in ended.stderr
    folder = only_run(tmp_path / "runs")
    assert len(list((folder / "forks").iterdir())) == 0
    (reason,) = [path.read_text().splitlines()[0] for path in (folder / "failed").iterdir()]
    assert reason.startswith("the JVM ended with exit code 1: ") and "OutOfMemoryError" in reason


def test_an_interrupt_costs_the_fork_under_way_and_leaves_nothing_running(sweep_file, tmp_path):
    sweep, there = interrupt_sweep(sweep_file, tmp_path / "runs", signal.SIGINT, 130)
    assert run_all(sweep, "measure", "--data", tmp_path / "runs").returncode == 0
    after = list_times(tmp_path / "runs")
    assert len(after) == 3 and there.items() <= after.items()


def interrupt_sweep(sweep_file, runs, number, code):
    """Interrupt a sweep of three forks after the first; return its file and its forks."""
    entry = "mechanism: SEQUENTIAL, sorts: [15, 300, 301]"
    sweep = sweep_file(entry, top="jvm: {heap: 277m}")
    command = [ROOT / "run_all.sh", sweep, "measure", "--data", runs]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert eventually(lambda: list(runs.glob("*/forks/*.json")), 120)
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == code and "continues from here" in err
    assert left("-Xmx277m") == []
    there = list_times(runs)
    assert 1 <= len(there) < 3 and all(name.endswith(".json") for name in there)
    return sweep, there


def list_times(runs):
    return {path.name: path.stat().st_mtime_ns for path in only_run(runs).glob("forks/*")}


def test_the_jars_rule_for_the_end_of_a_warm_up_is_that_of_the_notebooks(smoke):
    told = [
        json.loads(path.read_text())["evidence"]["warmUp"]
        for path in (smoke[1] / "forks").iterdir()
    ]
    warm_ups = [found for found in told if found]
    assert {has_settled(w["wallNs"], w["compilerNs"]) == w["settled"] for w in warm_ups} == {True}
    # It ends at the first shot at which it may.
    assert all(
        not has_settled(w["wallNs"][:-1], w["compilerNs"][:-1])
        and (w["settled"] or sum(w["wallNs"]) >= w["limitSeconds"] * 1e9)
        for w in warm_ups
    )
