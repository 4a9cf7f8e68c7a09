"""User errors at the command line: one sentence, exit code 2, nothing written."""

import json
import os
import re
import shutil
import subprocess

import jsonschema
import pytest

from handoff.cli import answers, measuring
from handoff.cli.main import load_commands, main
from handoff.errors import BadInput
from handoff.paths import DATA, ROOT
from handoff.run.java import jdk
from handoff.run.store import provenance

from .conftest import run_all
from .test_mistakes import has, refuse

pytestmark = pytest.mark.machine

SCHEMA = json.loads((DATA / "answers.schema.json").read_text())


VERSION = "echo '    java.specification.version = {}' >&2"
OLD = "is Java {}; Handoff needs a JDK of version 17 or newer"


@pytest.mark.parametrize(
    ("line", "sentence", "advice"),
    [
        *((VERSION.format(old), OLD.format(old), True) for old in ("1.8", "16")),
        ("echo 'no memory for it' >&2; exit 1", "ended with 1 and said: no memory for it", False),
        (None, "JAVA_HOME is ", False),
    ],
)
def test_a_java_that_cannot_measure_is_refused_with_advice_where_installing_one_helps(
    tmp_path, monkeypatch, capsys, line, sentence, advice
):
    if line:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "java").write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / "bin" / "java").chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    said = refuse(["smoke"], capsys)
    assert sentence in said and ("install" in said) is advice


@pytest.mark.parametrize(
    ("find", "sentence"),
    [
        (jdk.find_jdk, r"No Java was found: install one \(Debian: apt-get install"),
        (jdk.find_maven, "Maven was not found: install it"),
    ],
)
def test_a_missing_program_is_reported_with_how_to_install_it(monkeypatch, find, sentence):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(jdk.shutil, "which", lambda name: None)
    with pytest.raises(BadInput, match=sentence):
        find()


def test_a_folder_without_the_run_or_that_is_a_file_is_refused(tmp_path, capsys, sweep_file):
    said = refuse(["quick", "tidy", "figures", "--data", str(tmp_path)], capsys)
    assert "was not measured yet" in said and list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    words = [str(sweep_file("mechanism: SEQUENTIAL")), "--data", str(tmp_path / "file")]
    assert "Not a directory" in refuse(words, capsys)


def test_a_relative_path_starts_at_the_users_folder(sweep_file, tmp_path):
    sweep_file("mechanism: PIGEON")
    result = run_all("./own.yml", "--data", "runs", cwd=tmp_path)
    assert result.returncode == 2
    assert "own.yml: studies.scaling.0.mechanism.0" in result.stderr


def test_help_has_a_line_for_every_command_and_for_no_other():
    text = run_all("--help").stdout
    usage, _, listed = re.sub(r"\[.*?\]", "", text).partition("PROFILE")
    called = re.findall(r"(?:run_all\.sh|\|) ([a-z]+)", usage)
    described = re.findall(r"^  ([a-z]+) +\w", listed, re.MULTILINE)
    commands = load_commands().keys() - {"run"}
    assert sorted(called) == sorted(described) == sorted(commands)


def test_a_dry_run_prints_points_forks_order_and_time_and_writes_nothing(tmp_path, call):
    only = ["--only", "sorts=1", "--only", "consumers=1"]
    result = call("quick", *only, "--dry-run", "--points", "--json", "--data", tmp_path / "runs")
    assert result.returncode == 0 and not (tmp_path / "runs").exists()
    lines = result.stdout.splitlines()
    assert "scaling SEQUENTIAL consumers=1 sorts=1 events=2000000: 5 forks" in result.stdout
    assert any("CPUs: producer " in line for line in lines)
    order = [line.split() for line in lines[lines.index("Order of the forks:") + 1 : -1]]
    assert [int(place) for place, *_ in order] == list(range(30))
    assert [int(block) for _, _, block, *_ in order] == sorted([*range(5)] * 6)
    first = next(line for line in lines if "points" in line)
    assert "6 points, 30 forks (0 measured), about " in first
    assert first.endswith("Nothing was measured.")
    answer = json.loads(lines[-1])
    assert (answer["exit"], answer["points"], answer["forks"], answer["found"]) == (0, 6, 30, 0)


def test_runs_are_listed_latest_first(call):
    *lines, last = call("runs", "--json").stdout.splitlines()
    listed = json.loads(last)["runs"]
    assert {"reference", "reference-warmup"} <= {row["run"] for row in listed}
    started = [run["started"] for run in listed]
    assert started == sorted(started, reverse=True)
    reference = next(row for row in listed if row["run"] == "reference")
    assert reference["found"] == reference["forks"] > 0 and reference["about"] in "".join(lines)


@pytest.mark.parametrize(
    ("stages", "words"),
    [([], "This machine is not ready (--strict): ... 1.75"), (["tidy"], "JAVA_HOME is /nowhere")],
    ids=["measuring", "reading"],
)
def test_strict_refuses_an_unready_machine_before_all_else_if_it_is_to_measure(
    monkeypatch, capsys, stages, words
):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setattr("handoff.run.host.readiness.measure_busy", lambda root: 1.75)
    assert has(refuse(["quick", *stages, "--strict"], capsys), words)


@pytest.mark.parametrize("words", [["quick"], ["extend", "reference"]])
def test_measuring_on_binder_is_refused_with_the_reason(monkeypatch, capsys, words):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setenv("BINDER_SERVICE_HOST", "10.0.0.1")
    said = refuse(words, capsys)
    assert said.startswith("This is Binder") and "./run_all.sh reference" in said


def test_commands_are_stored_without_the_names_of_folders():
    words = ["quick", "--data", "/home/me/results/", "--set", "jvm.heap=2g", "./sweeps/own.yml"]
    stored = "./run_all.sh quick --data results --set jvm.heap=2g own.yml"
    assert provenance.anonymize_command(words) == stored


def test_points_left_out_for_similar_reasons_share_a_sentence():
    one_node = [f"ONE_NODE needs room: {number} threads" for number in (3, 4)]
    assert measuring.describe_left_out([*one_node, "no: two", "no: two"]) == [
        "left out, 2 points: ONE_NODE needs room.",
        "left out, 2 points: no: two",
    ]


@pytest.mark.parametrize("command", load_commands())
def test_each_command_has_its_own_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    out = capsys.readouterr().out
    assert stop.value.code == 0 and out.startswith(f"usage: ./run_all.sh {command} ")
    assert ("--margin" in out) == (command == "compare")


def test_the_stored_schema_of_answers_is_the_generated_one():
    assert json.loads(answers.format_schema()) == SCHEMA


@pytest.mark.parametrize(
    "words",
    [
        ("runs",),
        ("nosuch",),
        ("quick", "--dry-run"),
        ("compare", "reference", "reference-sensitivity"),
        ("trace", "00000000"),
    ],
)
def test_every_answer_satisfies_the_schema(words, call):
    ended = call(*words, "--json")
    answer = json.loads(ended.stdout.splitlines()[-1])
    assert answer["exit"] == ended.returncode
    jsonschema.validate(answer, SCHEMA)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_environment_of_another_user_is_never_cleared(tmp_path, monkeypatch):
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    script = shutil.copy(ROOT / "run_all.sh", tmp_path)
    kept = tmp_path / ".venv" / "kept"
    kept.mkdir(parents=True)
    shutil.chown(kept.parent, "nobody")
    result = subprocess.run([script, "runs"], capture_output=True, text=True, check=False)
    assert result.returncode == 2 and kept.is_dir()
    assert ".venv belongs to the user nobody" in result.stderr and result.stderr.count("\n") == 1
