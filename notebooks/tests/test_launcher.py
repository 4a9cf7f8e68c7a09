"""The launcher, and whatever it inherits: links, shells, variables, pip's and conda's set-up."""

import argparse
import os
import shutil
import subprocess
import sys

import matplotlib.pyplot as plt
import pytest

from handoff.cli import request
from handoff.draw.page import use_style
from handoff.errors import BadInput
from handoff.paths import JAVA_BENCH, ROOT, SWEEPS
from handoff.run import fork
from handoff.run.host.process import ask_git
from handoff.run.java import jar

LAUNCHER = ROOT / "run_all.sh"


def launch(*command, **variables):
    """Start a command that names the launcher, with these variables, in another folder."""
    words = [str(word) for word in command]
    environment = {name: text for name, text in os.environ.items() if "CONDA" not in name}
    return subprocess.run(
        words, capture_output=True, text=True, cwd="/", env=environment | variables, check=False
    )


def test_it_starts_through_links_and_writes_nothing_next_to_them(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "first").symlink_to(LAUNCHER)
    (tmp_path / "second").symlink_to("bin/first")
    words = ("runs", "--data", tmp_path / "bin")
    ended = launch(tmp_path / "second", *words, CDPATH=str(tmp_path))
    assert ended.returncode == 0 and "No run in " in ended.stdout
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["bin", "first", "second"]


def test_neither_another_shell_nor_variables_for_another_python_have_an_effect(tmp_path):
    words = ("runs", "--data", tmp_path)
    assert launch("sh", LAUNCHER, *words).returncode == 0
    ended = launch("bash", "-c", f"source {LAUNCHER}; echo still here")
    assert ended.stderr == "run_all.sh is a program: run it, do not source it.\n"
    assert ended.stdout == "still here\n"
    foreign = {"PYTHONHOME": "/nowhere", "PYTHONWARNINGS": "error", "PYTHONSAFEPATH": "1"}
    assert launch(LAUNCHER, *words, **foreign).returncode == 0


def test_a_conda_environment_made_otherwise_is_one_sentence(tmp_path):
    ended = launch(LAUNCHER, "runs", CONDA_DEFAULT_ENV="handoff", CONDA_PREFIX=str(tmp_path))
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1
    assert f"The conda environment handoff ({tmp_path}) was not made from" in ended.stderr
    assert "conda env create -f environment.yml" in ended.stderr


FAKE_PYTHON = """#!/bin/sh
here=$(dirname "$0")
case "$*" in
  "-m pip config list") cat "$here/config" ;;
  "-m pip --isolated"*) echo "$*" >> "$here/installed" ;;
  "-m handoff"*) echo started ;;
  "-m pip --version") ;;
  *) exec {python} "$@" ;;
esac
"""


def test_of_pips_configuration_only_the_network_counts(tmp_path):
    script = shutil.copy(LAUNCHER, tmp_path)
    (tmp_path / "requirements.lock").write_text("")
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "config").write_text(
        "global.user='true'\nglobal.target='/elsewhere'\ninstall.dry-run='1'\n"
        ":env:.index-url='https://one.example/simple'\nglobal.no-index='false'\n"
        "global.trusted-host='a.example\\nb.example'\n"
    )
    (programs / "python").write_text(FAKE_PYTHON.format(python=sys.executable))
    (programs / "python").chmod(0o755)
    ended = launch(script, "runs", PIP_USER="1")
    assert ended.returncode == 0 and ended.stdout.endswith("started\n"), ended.stderr
    (packages, package) = (programs / "installed").read_text().splitlines()
    for words in (packages, package):
        options = [word for word in words.split() if word.startswith("--")][3:6]
        assert options == [
            "--index-url=https://one.example/simple",
            "--trusted-host=a.example",
            "--trusted-host=b.example",
        ]
        assert "user" not in words and "elsewhere" not in words and "dry-run" not in words


@pytest.mark.parametrize(
    ("words", "target", "stages"),
    [
        (["build"], "quick", ["build"]),
        *(([file.stem], file.stem, []) for file in sorted(SWEEPS.glob("*.yml"))),
    ],
)
def test_a_stage_may_come_without_a_profile_and_each_profile_alone(words, target, stages):
    parser = argparse.ArgumentParser()
    request.add_run(parser)
    made = request.read_request(parser.parse_intermixed_args(words))
    assert (made.target, made.stages) == (target, stages)


def test_forks_keep_their_files_where_libraries_can_be_loaded(monkeypatch, tmp_path):
    monkeypatch.setattr(fork, "JAR", tmp_path / "target" / "benchmarks.jar")
    forbidden = []
    monkeypatch.setattr(fork, "may_execute", lambda folder: folder not in forbidden)
    system = fork.find_temporary()
    forbidden.append(system)
    assert fork.find_temporary() == tmp_path / "target" / "tmp"
    forbidden.append(tmp_path / "target" / "tmp")
    with pytest.raises(BadInput, match=f"^{system} and .* are mounted noexec, .* set TMPDIR to"):
        fork.find_temporary()


def test_git_is_asked_about_this_checkout_alone(monkeypatch):
    before = ask_git("rev-parse", "--show-toplevel")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    assert ask_git("rev-parse", "--show-toplevel") == before


def test_maven_reads_no_settings_of_a_project_around_the_checkout(java, monkeypatch):
    monkeypatch.setenv("MAVEN_ARGS", "-f /elsewhere/pom.xml")
    environment = jar.make_maven_environment(java)
    assert environment["MAVEN_ARGS"] == "" and environment["MAVEN_SKIP_RC"] == "1"
    assert environment["MAVEN_BASEDIR"] == str(JAVA_BENCH)


def test_figures_do_not_depend_on_the_users_matplotlibrc():
    use_style()
    expected = dict(plt.rcParams)
    plt.rcParams.update({"axes.grid": False, "lines.linewidth": 9, "axes.facecolor": "red"})
    use_style()
    assert dict(plt.rcParams) == expected
