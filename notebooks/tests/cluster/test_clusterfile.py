"""A cluster's file and kinds of machine; each mistake is reported in one sentence."""

import signal
import sys

import pytest
import yaml

from handoff.cli.main import main
from handoff.cluster import commands
from handoff.errors import BadInput
from handoff.paths import DATA
from handoff.run.host.machine import adopt, identify_machine, list_unlike

pytest.importorskip("distributed", reason="requirements-cluster.lock is not installed")

from handoff.cluster.clusterfile import import_jobqueue, load_cluster

GOOD = {"scheduler": "slurm", "nodes": 4, "queue": "compute"}


@pytest.mark.parametrize("file", sorted((DATA / "clusters").glob("*.yml")), ids=lambda f: f.stem)
def test_the_examples_are_clusters(file):
    assert load_cluster(file).nodes


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"partition": "x"}, "partition is unknown for scheduler: slurm; choose from about, "),
        ({"quue": "x"}, "Did you mean queue"),
        ({"cores": 4}, "cores is unknown"),
        ({"scheduler": "slrum"}, "scheduler is slrum; choose from slurm, pbs, sge, lsf, oar"),
        ({"scheduler": "local"}, "queue is unknown for scheduler: local"),
        ({"nodes": 0}, "nodes: must be 1 or more"),
        ({"nodes": "4"}, "nodes"),
        ({"arrival": "soon"}, "arrival"),
        ("scheduler: ssh", "hosts is missing: ssh needs the names of machines"),
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
    assert "cluster.yml" in message and sentence in message and "Traceback" not in message


@pytest.mark.parametrize("option", ["--sessions", "--session", "--class"])
def test_an_option_of_one_machine_is_refused(option, capsys, tmp_path):
    value = {"--sessions": ["3"], "--class": ["A.java"]}.get(option, [])
    words = ["cluster", str(DATA / "clusters" / "slurm.yml"), "quick", option, *value]
    assert main([*words, "--data", str(tmp_path)]) == 2
    assert f"{option} belongs to one machine" in capsys.readouterr().err


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
    assert list_unlike(MACHINE, identify_machine(MACHINE | changed)) == sentence


def test_twins_are_one_machine_with_the_settings_of_today_and_others_are_not():
    known, today = ({"settings": {"microcode": text}} for text in ("0x1", "0x2"))
    twin = identify_machine(MACHINE | {"memory_gib": 250} | today)
    assert twin["id"] != MACHINE["id"] and list_unlike(twin, MACHINE) == []
    for earlier in (MACHINE, MACHINE | known):
        assert list_unlike(earlier, twin) == []
        assert adopt(twin, [earlier]) == MACHINE | today
    other = identify_machine(MACHINE | {"cpu": "Xeon"})
    assert adopt(other, [MACHINE, twin]) == other


def test_without_the_engine_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(commands, "PACKAGES", ("distributed", "no_such_package_anywhere"))
    command = r"pip install --require-hashes -r requirements-cluster\.lock"
    with pytest.raises(BadInput, match=command):
        commands.require_engine()


def test_a_dry_run_plans_for_a_machine_of_the_nodes_kind(capsys, tmp_path):
    """SYNTHETIC machine: two sockets of six cores, of which four nodes share the blocks."""
    words = ["cluster", str(DATA / "clusters" / "slurm.yml"), "quick", "--dry-run"]
    assert main([*words, "--machine", "2x6", "--data", str(tmp_path / "runs")]) == 0
    said = capsys.readouterr().out
    line = next(line for line in said.splitlines() if line.startswith("4 nodes, "))
    assert "would idle" not in line
    assert "P9" in said and not (tmp_path / "runs").exists()


def test_an_interrupt_stays_an_error(monkeypatch):
    # The module's own handler ends with exit code 0.
    for name in [name for name in sys.modules if name.startswith("dask_jobqueue")]:
        monkeypatch.delitem(sys.modules, name)
    before = signal.getsignal(signal.SIGINT)
    assert import_jobqueue().SLURMCluster and signal.getsignal(signal.SIGINT) is before
