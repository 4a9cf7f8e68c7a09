"""User errors at the command line: one sentence, exit code 2, nothing written."""

import json
import os
import shutil
import stat
import subprocess
import threading
import time

import jsonschema
import pytest

from handoff.cli import answers, preparing
from handoff.cli.main import load_commands, main
from handoff.errors import BadInput
from handoff.paths import DATA, ROOT
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.store import provenance

from .conftest import run_all

pytestmark = pytest.mark.machine


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ["nosuch"],
            (
                "unknown profile or sweep file nosuch; choose from reference, actors,"
                " cliff, contenders, decisions, full, hops, jdks, ladder, latency, load, paper"
            ),
        ),
        (["./nosuch.yml"], "unknown profile or sweep file ./nosuch.yml"),
        (["smoke", "mesure"], "unknown stage 'mesure'; choose from build, measure, tidy, figures"),
    ],
)
def test_unknown_words_are_refused(words, expected, tmp_path, capsys):
    assert main([*words, "--data", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and expected in err
    assert list(tmp_path.iterdir()) == []


def test_an_invalid_sweep_is_refused_before_java_is_looked_for(sweep_file, capsys, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    assert main([str(sweep_file("consumers: two"))]) == 2
    assert "consumers.0" in capsys.readouterr().err


def test_a_value_that_the_jar_refuses_stops_before_anything_is_written(sweep_file, tmp_path):
    sweep = sweep_file("mechanism: DISRUPTOR_STRIPED, capacity: 1000")
    result = run_all(sweep, "--data", tmp_path / "runs")
    assert result.returncode == 2 and "a power of two, such as 512 or 1024" in result.stderr
    assert result.stderr.count("\n") == 1 and not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("-XX:TieredStopAtLevl=1", "Unrecognized VM option 'TieredStopAtLevl=1'"),
        ("-XX:+NoSuchFlag", "Unrecognized VM option 'NoSuchFlag'"),
        ("-Xnonsense", "Unrecognized option: -Xnonsense"),
        ("-XX:MaxInlineLevel=many", "Improperly specified VM option 'MaxInlineLevel=many'"),
        ("--dry-run", "Java does not run with these flags"),
    ],
)
def test_a_flag_that_java_rejects_is_refused_with_javas_message(
    sweep_file, tmp_path, capsys, flag, why
):
    sweep = sweep_file("mechanism: SEQUENTIAL", f"jvm: {{flags: ['{flag}']}}")
    assert main([str(sweep), "--data", str(tmp_path / "runs")]) == 2
    err = capsys.readouterr().err
    assert "jvm.flags: Java does not run with these flags" in err and why in err
    assert not (tmp_path / "runs").exists()


def fake_java(folder, version):
    folder.mkdir(parents=True)
    java = folder / "java"
    java.write_text(f"#!/bin/sh\necho '    java.specification.version = {version}' >&2\n")
    java.chmod(java.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize("version", ["1.8", "11", "16"])
def test_a_jdk_that_is_too_old_is_refused(tmp_path, monkeypatch, capsys, version):
    fake_java(tmp_path / "old" / "bin", version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    assert main(["smoke"]) == 2
    err = capsys.readouterr().err
    assert (
        f"is Java {version}; Handoff needs a JDK of version 17 or newer" in err
        and err.count("\n") == 1
    )


def test_a_java_that_does_not_start_is_quoted_without_advice_to_install_one(
    tmp_path, monkeypatch, capsys
):
    fake_java(tmp_path / "bin", "17")
    (tmp_path / "bin" / "java").write_text("#!/bin/sh\necho 'no memory for it' >&2\nexit 1\n")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert main(["smoke"]) == 2
    err = capsys.readouterr().err
    assert "does not start: it ended with 1 and said: no memory for it" in err
    assert "install" not in err and err.count("\n") == 1


def test_a_java_home_without_java_is_refused(monkeypatch, capsys):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    assert main(["smoke"]) == 2
    assert "JAVA_HOME is /nowhere" in capsys.readouterr().err


def test_a_missing_jdk_is_reported_with_how_to_install_it(monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(jdk.shutil, "which", lambda name: None)
    with pytest.raises(BadInput, match=r"No Java was found: install one \(Debian: apt-get install"):
        jdk.find_jdk()


def test_a_missing_maven_is_reported_with_how_to_install_it(monkeypatch):
    monkeypatch.setattr(jdk.shutil, "which", lambda name: None)
    with pytest.raises(BadInput, match="Maven was not found: install it"):
        jdk.find_maven()


def test_reading_an_unmeasured_run_creates_no_empty_run(tmp_path):
    result = run_all("quick", "tidy", "figures", "--data", tmp_path)
    assert (
        result.returncode == 2
        and "was not measured yet" in result.stderr
        and list(tmp_path.iterdir()) == []
    )


def test_a_data_folder_that_is_a_file_is_refused(sweep_file, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main([str(sweep_file("mechanism: SEQUENTIAL")), "--data", str(tmp_path / "file")]) == 2
    assert "Not a directory" in capsys.readouterr().err


def test_a_relative_path_starts_at_the_users_folder(sweep_file, monkeypatch, tmp_path):
    sweep_file("mechanism: PIGEON")
    result = run_all("./own.yml", "--data", "runs", cwd=tmp_path)
    assert (
        result.returncode == 2
        and "own.yml: studies.scaling.0: mechanism.0"
        in result.stderr.replace("0.mechanism", "0: mechanism")
    )


def test_help_lists_the_exit_codes_and_every_command():
    result = run_all("--help")
    assert (
        result.returncode == 0
        and "EXIT CODES" in result.stdout
        and all(command in result.stdout for command in load_commands() if command != "run")
    )


def test_a_dry_run_prints_points_forks_order_and_time_and_writes_nothing(tmp_path):
    result = run_all(
        "quick",
        "--only",
        "sorts=1",
        "--only",
        "consumers=1",
        "--dry-run",
        "--points",
        "--json",
        "--data",
        tmp_path / "runs",
    )
    assert result.returncode == 0 and not (tmp_path / "runs").exists()
    lines = result.stdout.splitlines()
    assert "scaling SEQUENTIAL consumers=1 sorts=1 events=2000000: 5 forks" in result.stdout
    order = [line.split() for line in lines[lines.index("Order of the forks:") + 1 : -1]]
    assert [int(place) for place, *_ in order] == list(range(20)) and [
        int(block) for _, _, block, *_ in order
    ] == sorted([*range(5)] * 4)
    first = next(line for line in lines if "points" in line)
    assert "4 points, 20 forks (0 measured), about " in first
    assert first.endswith("Nothing was measured.")
    answer = json.loads(lines[-1])
    assert (answer["exit"], answer["points"], answer["forks"], answer["found"]) == (0, 4, 20, 0)


def test_runs_are_listed_latest_first(capsys):
    assert main(["runs", "--json"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    listed = json.loads(last)["runs"]
    assert {"reference", "reference-warmup"} <= {row["run"] for row in listed}
    assert [run["started"] for run in listed] == sorted(
        (run["started"] for run in listed), reverse=True
    )
    reference = next(row for row in listed if row["run"] == "reference")
    assert reference["found"] == reference["forks"] > 0 and reference["about"] in "".join(lines)


def test_a_folder_without_runs_is_reported(capsys, tmp_path):
    assert main(["runs", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("No run in ")


def test_a_waiting_command_names_the_other_one_and_then_continues(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(lock, "FILE", tmp_path / "lock")
    monkeypatch.setenv(lock.WAIT, "1")
    held, order = threading.Event(), []

    def other():
        with lock.hold_lock("another sweep"):
            held.set()
            time.sleep(1)
            order.append("other")

    thread = threading.Thread(target=other)
    thread.start()
    held.wait()
    with lock.hold_lock("mine", patience_s=0.1):
        order.append("mine")
    thread.join()
    assert order == ["other", "mine"]
    out = capsys.readouterr().out
    assert out.startswith("Waiting for process ") and "another sweep" in out
    monkeypatch.delenv(lock.WAIT)


def test_strict_refuses_an_unready_machine_before_anything_else(monkeypatch, capsys):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setattr("handoff.run.host.readiness.measure_busy", lambda root: 1.75)
    assert main(["quick", "--strict"]) == 2
    err = capsys.readouterr().err
    assert (
        err.startswith("This machine is not ready (--strict): ")
        and "1.75" in err
        and err.count("\n") == 1
    )


def test_measuring_on_binder_is_refused_with_the_reason(monkeypatch, capsys):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setenv("BINDER_SERVICE_HOST", "10.0.0.1")
    assert main(["quick"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("This is Binder") and "./run_all.sh reference" in err


def test_the_last_line_of_a_refusal_is_json_on_request(capsys):
    assert main(["nosuch", "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[-1]) == {"exit": 2, "error": err.strip()}


def test_the_schema_is_printed(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Sweep"


def test_commands_are_stored_without_the_names_of_folders():
    words = ["quick", "--data", "/home/me/results/", "--set", "jvm.heap=2g", "./sweeps/own.yml"]
    assert (
        provenance.anonymize_command(words)
        == "./run_all.sh quick --data results --set jvm.heap=2g own.yml"
    )


def test_points_left_out_for_similar_reasons_share_a_sentence():
    reasons = [
        "ONE_NODE needs room: 3 threads",
        "ONE_NODE needs room: 4 threads",
        "no: two",
        "no: two",
    ]
    assert preparing.describe_left_out(reasons) == [
        "left out, 2 points: ONE_NODE needs room.",
        "left out, 2 points: no: two",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("schema figures --deep --margin -4", "unrecognized arguments: figures --deep --margin"),
        ("trace --margin 4 deadbeef", "unrecognized arguments: --margin"),
        ("quick --margin 5", "unrecognized arguments: --margin 5"),
        ("compare a", "the following arguments are required: AFTER"),
        ("compare a b --margin -4", "--margin is -4; expected a percentage from 0 to 1000"),
        ("compare a b --detect 5", "--detect is 5; expected more than the margin, 5."),
        ("--json compare a", "compare is a command: it comes first"),
        ("reference tidy --strict", "reference is a run, not a sweep: --strict belongs to sweeps"),
        ("test bogus", "unknown part 'bogus'; choose from static, machine, other."),
        ("quick nostage", "unknown stage 'nostage'; choose from build"),
    ],
)
def test_each_command_accepts_only_its_own_options(words, sentence, capsys):
    assert main(words.split()) == 2
    err = capsys.readouterr().err
    assert sentence in err and len(err.splitlines()) == 1


@pytest.mark.parametrize("command", load_commands())
def test_each_command_has_its_own_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    out = capsys.readouterr().out
    assert stop.value.code == 0 and out.startswith(f"usage: ./run_all.sh {command} ")
    assert ("--margin" in out) == (command in ("compare", "gate"))


def test_the_stored_schema_of_answers_is_the_generated_one():
    assert json.loads((DATA / "answers.schema.json").read_text()) == json.loads(
        answers.format_schema()
    )


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
def test_every_answer_satisfies_the_schema(words, capsys):
    code = main([*words, "--json"])
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert answer["exit"] == code
    jsonschema.validate(answer, json.loads((DATA / "answers.schema.json").read_text()))


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
