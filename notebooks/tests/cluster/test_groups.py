"""Nodes and groups leave each other alone: temporary folders, and groups that fail."""

import json
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from handoff.cluster import commands
from handoff.cluster.clusterfile import Cluster
from handoff.errors import BadInput, Failure
from handoff.run import fork
from handoff.run.host import lock


def test_a_node_that_arrives_leaves_the_running_fork_of_another_alone(monkeypatch, tmp_path):
    """Two nodes share a folder; the process is the one, and then the other."""
    pytest.importorskip("distributed")
    from handoff.cluster import node

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(fork, "HOST", fork.HOST)
    monkeypatch.setattr(lock, "FILE", lock.FILE)

    def settle(name: str) -> Path:
        """Become this node, and return the temporary folder of a fork."""
        monkeypatch.setattr(node, "find_host", lambda asked: name)
        node.settle({"pretend": "A"})
        return Path(tempfile.mkdtemp(prefix=fork.name_temporary()))

    running, left = settle("first"), settle("second")
    fork.remove_left_over()
    assert running.is_dir() and not left.exists()
    settle("first")
    fork.remove_left_over()
    assert not running.exists()


@pytest.fixture
def run_groups(monkeypatch, tmp_path):
    """Return a function that runs groups, each of which ends as given, and returns the code."""
    monkeypatch.setattr(commands, "require_engine", lambda: None)
    monkeypatch.setattr(commands.measuring, "build_jar", lambda java, wanted: None)
    monkeypatch.setattr(commands.stages, "run_reading_stages", lambda run, request: run.code)

    def run(**ends) -> int:
        groups = {name: {"nodes": 1} for name in ends}
        cluster = Cluster.model_validate({"scheduler": "none", "groups": groups})
        monkeypatch.setattr(commands, "load_cluster", lambda file: cluster)

        def measure_group(cluster, name, *_):
            if isinstance(ends[name], Exception):
                raise ends[name]
            return SimpleNamespace(folder=Path(f"run-{name}"), code=ends[name])

        monkeypatch.setattr(commands, "measure_group", measure_group)
        request = commands.RunRequest("x", tmp_path, json=True)
        return commands.run_on_cluster(None, None, request, tmp_path / "cluster.yml")

    return run


@pytest.mark.parametrize(
    ("ends", "code"),
    [
        ({"a": BadInput("No node came."), "b": 0}, 2),
        ({"a": 0, "b": Failure("it broke.")}, 1),
        ({"a": BadInput("No node came."), "b": 3}, 3),
        ({"a": BadInput("x"), "b": BadInput("y")}, 2),
    ],
)
def test_a_group_that_fails_does_not_end_the_others(run_groups, capsys, ends, code):
    assert run_groups(**ends) == code
    out, err = capsys.readouterr()
    answer = json.loads(out.splitlines()[-1])
    wrong = {name: str(end) for name, end in ends.items() if isinstance(end, Exception)}
    assert answer["failed"] == wrong and answer["exit"] == code
    assert set(answer["groups"]) == set(ends) - set(wrong)
    assert all(f"Group {name} failed: {sentence}" in err for name, sentence in wrong.items())


def test_the_only_group_fails_with_its_sentence(run_groups):
    with pytest.raises(BadInput, match="No node came"):
        run_groups(a=BadInput("No node came."))
