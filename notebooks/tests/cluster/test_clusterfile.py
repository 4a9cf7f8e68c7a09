"""A cluster's file, jobs and kinds of machine; each mistake is reported in one sentence."""

import json
import os
import subprocess

import pytest
import yaml

from handoff.cli.main import main
from handoff.cluster import commands
from handoff.cluster.clusterfile import Cluster, load_cluster, write_command
from handoff.cluster.connection import note_driver, write_private
from handoff.cluster.jobs import KINDS, remove_orphans
from handoff.errors import BadInput
from handoff.paths import DATA
from handoff.run.host import kind
from handoff.run.host.machine import identify_machine

GOOD = {"scheduler": "slurm", "listen": "10.0.0.5", "groups": {"fat": {"nodes": 4}}}


@pytest.mark.parametrize("file", sorted((DATA / "clusters").glob("*.yml")), ids=lambda f: f.stem)
def test_the_examples_are_clusters(file):
    assert load_cluster(file).groups


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"partition": "x"}, "partition: unknown key; choose from about, scheduler"),
        ({"scheduler": "slrum"}, "scheduler"),
        ({"scheduler": "tcp://a:8786"}, "without TLS: anyone who reaches it can run code as you"),
        ({"scheduler": "tls://a:8786"}, "keys is missing"),
        ({"scheduler": "ssh"}, "groups.fat.hosts is missing"),
        ({"groups": {}}, "at least one group"),
        ({"groups": {"fat": {}}}, "groups.fat.nodes is missing"),
        ({"groups": {"fat": {"nodes": 0}}}, "groups.fat.nodes: must be 1 or more"),
        ({"groups": {"fat": {"nodes": 1, "hosts": ["a"]}}}, "belongs to scheduler: ssh"),
        ({"groups": {"fat": {"nodes": 1, "partition": "a b"}}}, "partition"),
        ({"groups": {"fat": {"nodes": 1, "nods": 1}}}, "nods: unknown key"),
        ({"patience": "soon"}, "patience"),
        ({"shared": False}, "shared: false belongs to scheduler: ssh"),
        ({"keys": {"authority": "/a", "certificate": "/b", "key": "/c"}}, "keys belongs to"),
        ({"listen": "me@host"}, "listen"),
        ({"groups": {"fat": {"nodes": 1, "time": 43200}}}, "groups.fat.time"),
        ({"scheduler": "ssh", "groups": {"fat": {"hosts": ["a", "a"]}}}, "each once"),
        ({"scheduler": "ssh", "groups": {"fat": {"hosts": ["a"], "nodes": 2}}}, "2 or more"),
        ({"checkout": "handoff"}, "checkout"),
        ({"groups": {"fat": {"nodes": 1}, "thin": {"hosts": ["-oProxyCommand=x"]}}}, "hosts"),
        *((text, "") for text in ("a: [", "- a", "\x00", "a: 1\na: 2")),
        (None, "No such file"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence(tmp_path, content, sentence):
    file = tmp_path / "cluster.yml"
    if content is not None:
        file.write_text(content if isinstance(content, str) else yaml.safe_dump(GOOD | content))
    with pytest.raises(BadInput) as error:
        load_cluster(file)
    message = str(error.value)
    assert "cluster.yml" in message and sentence in message and "\n" not in message


@pytest.fixture
def fake_slurm(tmp_path, monkeypatch):
    """Put commands of Slurm on the path that note their input; return the file of notes."""
    notes, folder = tmp_path / "notes.txt", tmp_path / "bin"
    folder.mkdir()
    for name, does in (("sbatch", "cat >> NOTES; echo 4711"), ("scancel", ":"), ("squeue", "echo")):
        text = f'#!/bin/sh\nprintf "%s " {name} "$@" >> NOTES\n{does}\n'
        text = text.replace("NOTES", str(notes))
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return notes


def test_a_group_is_an_array_of_whole_nodes_and_its_script_holds_no_key(fake_slurm, tmp_path):
    group = {"nodes": 4, "partition": "compute", "replacements": 1, "options": ["--qos=high"]}
    cluster = Cluster.model_validate(GOOD | {"groups": {"fat": group}, "java": "~/jdk 17"})
    folder = tmp_path / "token"
    folder.mkdir()
    write_private(folder / "key.pem", "SECRET")
    jobs = KINDS[cluster.scheduler](cluster, "fat", folder)
    assert jobs.start() == ["4711"]
    notes = fake_slurm.read_text()
    for word in ("--array=0-7%4", "--exclusive", "--partition=compute", "--qos=high"):
        assert word in notes
    assert "SECRET" not in notes and """JAVA_HOME="$HOME"/'jdk 17'""" in notes
    assert jobs.find_problem() == "all jobs of Slurm's 4711 have ended"
    (folder / "0.log").write_text("no such python\n")
    assert jobs.find_problem().endswith("have ended: no such python")
    jobs.cancel()
    assert fake_slurm.read_text().rstrip().endswith("scancel 4711")


def test_a_worker_is_started_by_one_line_of_shell(tmp_path):
    python = tmp_path / "my checkout" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$PYTHONPATH|$*"\n')
    python.chmod(0o755)
    cluster = Cluster.model_validate(GOOD | {"checkout": str(tmp_path / "my checkout")})
    line = write_command(cluster, "'a b.json'", "--name", "it's")
    out = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout
    started = "-m handoff.cluster.worker a b.json --name it's"
    assert out == f"{tmp_path}/my checkout/notebooks|{started}\n"


def test_the_jobs_and_keys_of_a_killed_driver_are_removed(tmp_path, fake_slurm):
    for name in ("mine", "dead", "broken"):
        (tmp_path / name).mkdir()
        note_driver(tmp_path / name, ["1", "2"])
    driver = tmp_path / "dead" / "driver.json"
    driver.write_text(json.dumps(json.loads(driver.read_text()) | {"pid": 2**22 + 1}))
    (tmp_path / "broken" / "driver.json").write_text("{")
    remove_orphans(tmp_path)
    assert fake_slurm.read_text() == "scancel 1 2 "
    assert not driver.exists() and (tmp_path / "mine").is_dir() and (tmp_path / "broken").is_dir()


MACHINE = {
    "id": "12345678",
    "cpu": "EPYC",
    "architecture": "x86_64",
    "memory_gib": 251,
    "kernel": "6.1.0-12",
    "topology": {"cpus": [{"id": 0, "core": 0, "node": 0}], "virtual": False, "quota": None},
    "caches": {"l1d": 32},
}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"memory_gib": 250}, []),
        ({"memory_gib": 128}, ["memory_gib is 128, not 251"]),
        ({"kernel": "6.1.0-13"}, ["kernel is 6.1.0-13, not 6.1.0-12"]),
        ({"topology": MACHINE["topology"] | {"quota": 4.0}}, ["topology.quota is 4.0, not None"]),
        ({"topology": MACHINE["topology"] | {"cpus": []}}, ["topology.cpus differs"]),
        ({"cpu": "Xeon"}, ["cpu is Xeon, not EPYC"]),
    ],
)
def test_the_fields_in_which_a_node_differs_are_named(changed, sentence):
    assert kind.list_unlike(MACHINE, identify_machine(MACHINE | changed)) == sentence


def test_twins_are_one_machine_with_the_settings_of_today_and_others_are_not():
    known, today = ({"settings": {"microcode": text}} for text in ("0x1", "0x2"))
    twin = identify_machine(MACHINE | {"memory_gib": 250} | today)
    assert twin["id"] != MACHINE["id"] and kind.list_unlike(twin, MACHINE) == []
    for earlier in (MACHINE, MACHINE | known):
        assert kind.list_unlike(earlier, twin) == []
        assert kind.adopt(twin, [earlier]) == MACHINE | today
    other = identify_machine(MACHINE | {"cpu": "Xeon"})
    assert kind.adopt(other, [MACHINE, twin]) == other


def test_without_the_engine_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(commands, "PACKAGES", ("distributed", "no_such_package_anywhere"))
    command = r"pip install --require-hashes -r requirements-cluster\.lock"
    with pytest.raises(BadInput, match=command):
        commands.require_engine()


def test_keys_are_readable_only_by_their_owner(tmp_path):
    write_private(tmp_path / "key.pem", "x")
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        write_private(tmp_path / "key.pem", "y")
    assert (tmp_path / "key.pem").read_text() == "x"


def test_a_dry_run_plans_for_a_machine_of_the_nodes_kind(capsys, tmp_path):
    """SYNTHETIC machine: two sockets of six cores, of which four nodes share the blocks."""
    pytest.importorskip("distributed")
    words = ["cluster", str(DATA / "clusters" / "slurm.yml"), "quick", "--dry-run"]
    assert main([*words, "--machine", "2x6", "--data", str(tmp_path / "runs")]) == 0
    said = capsys.readouterr().out
    group = next(line for line in said.splitlines() if line.startswith("Group epyc: 4 nodes, "))
    assert "would idle" not in group
    assert "P9" in said and not (tmp_path / "runs").exists()
