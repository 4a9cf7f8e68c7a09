"""The driver with nodes that are threads of this process: what is kept, refused, measured again."""

import json
import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from unittest.mock import Mock

import pytest

pytest.importorskip("distributed", reason="requirements-cluster.lock is not installed")

from handoff.cluster import driver, node, nodes
from handoff.errors import BadInput
from handoff.run.host import lock
from handoff.run.store.forkfile import compute_seal

from ..conftest import names, read_files
from .drivers import require_whole

MACHINE = {"cpu": "a CPU", "kernel": "6.1", "memory_gib": 64, "topology": {}}


class FakeClient:
    """A scheduler whose workers are threads; `ends` has what their first blocks end with.

    An exception is raised; None stands for a node that disappears with its block.
    """

    def __init__(self, *hosts: str, **ends: list) -> None:
        self.present = {f"tcp://{host}:1": host for host in hosts}
        self.ends, self.pool = ends, ThreadPoolExecutor(1)
        self.machines = dict.fromkeys(hosts, MACHINE)
        self.change: Callable[[dict], None] = lambda answer: None
        self.measured: list[str] = []

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.present, 1)

    def submit(self, answer, function, *words, workers, **_: object) -> Future:
        host = self.present[workers[0]]
        if function is node.describe_node:
            machine = self.machines[host]
            described = {"host": host, "jdk": "a JDK", "feature": 17, "machine": machine}
            return self.pool.submit(answer, lambda: described)
        end = next(iter(self.ends.pop(host, [])), "")
        if end is None:
            del self.present[workers[0]]
            return Future()
        return self.pool.submit(answer, self.measure, host, end, words)

    def measure(self, host: str, end: object, words: tuple) -> dict:
        if isinstance(end, Exception):
            raise end
        answer = node.measure_block(*words)
        self.measured.append(host)
        self.change(answer)
        return answer


@pytest.fixture
def measure(monkeypatch, fake_run, fake_java):
    """Return a function that measures a run of 3 points and 4 blocks on a client's nodes."""
    monkeypatch.setattr(driver, "LOOK_S", 0.01)
    monkeypatch.setenv(lock.WAIT, "1")
    monkeypatch.setattr(node.jar, "hash_jar", lambda: "j")
    run = fake_run(fake_java(), loads=3, forks=4, machine=MACHINE | {"id": "m"})

    def measure(client: FakeClient, arrival_s: float = 60.0, deadline: float = math.inf):
        driver.measure_blocks(run, nodes.Nodes(client, arrival_s), "a test", deadline)
        return run

    return measure


def test_a_budget_that_is_too_short_for_a_block_measures_one(measure):
    run = measure(FakeClient("n1"), deadline=0.0)
    assert len(names(run.folder, "forks")) == 3


def test_each_block_is_measured_on_one_node_and_kept(measure, capsys):
    client = FakeClient("n1", "n2")
    run = measure(client)
    require_whole(run, 3, 4)
    assert sorted(client.measured) == ["n1", "n1", "n2", "n2"]
    (start,) = (run.folder / "starts").glob("*.json")
    noted = json.loads(start.read_text())
    pseudonyms = {fork["host"] for fork in read_files(run)}
    assert noted["done"] == 12 and noted["ready"][0]["sentence"].partition(":")[0] in pseudonyms
    # Real names are for the terminal only.
    assert "n1" not in start.read_text() and "is n1." in capsys.readouterr().out
    measure(client)
    assert len(client.measured) == 4


def test_the_block_of_a_lost_node_is_measured_again_by_another(measure, capsys):
    run = measure(FakeClient("n1", "n2", n1=[None]))
    require_whole(run, 3, 4)
    assert len({fork["host"] for fork in read_files(run)}) == 1
    assert "was lost with block 0: another node measures it again" in capsys.readouterr().out


def test_a_block_that_is_lost_three_times_is_left_out_until_the_next_start(measure, capsys):
    run = measure(FakeClient("a", "b", "c", "d", a=[None], b=[None], c=[None]))
    assert "3 times, and is left out" not in capsys.readouterr().out
    require_whole(run, 3, 4)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (BadInput("it has no Java: set java: FOLDER."), "it has no Java"),
        (OSError(28, "No space left on device"), "No space left on device"),
    ],
)
def test_a_node_that_cannot_measure_is_refused_and_the_sweep_goes_on(
    measure, capsys, error, sentence
):
    require_whole(measure(FakeClient("n1", "n2", n1=[error])), 3, 4)
    assert f"was refused: {sentence}" in capsys.readouterr().out


def test_a_node_of_another_kind_is_refused_with_the_field_that_differs(measure, capsys):
    client = FakeClient("n1", "n2")
    client.machines["n2"] = MACHINE | {"kernel": "6.6"}
    require_whole(measure(client), 3, 4)
    assert client.measured == ["n1"] * 4
    assert "was refused: its kernel is 6.6, not 6.1." in capsys.readouterr().out


def test_without_a_node_the_command_ends_with_the_reasons(measure):
    client = FakeClient("n1")
    client.machines["n1"] = MACHINE | {"cpu": "another"}
    with pytest.raises(BadInput, match=r"no node came for .* its cpu is another, not a CPU\."):
        measure(client, arrival_s=0.2)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda fork: fork.update(block=99), "belongs to another node or block"),
        (lambda fork: fork.update(host="other"), "belongs to another node or block"),
        (lambda fork: fork.update(machine="other"), "does not belong to this run"),
        (lambda fork: fork["params"].update(sorts="9"), "does not belong to this run"),
        (lambda fork: fork.update(seconds=1e9, sha256="0" * 64), "does not belong to this run"),
    ],
)
def test_a_fork_that_does_not_belong_to_the_run_is_not_kept(measure, change, sentence):
    def forge(answer: dict) -> None:
        place = min(answer["files"])
        fork = json.loads(answer["files"][place])
        change(fork)
        if fork["sha256"] != "0" * 64:
            fork["sha256"] = compute_seal({k: v for k, v in fork.items() if k != "sha256"})
        answer["files"][place] = json.dumps(fork)

    client = FakeClient("n1")
    client.change = forge
    run = measure(client)
    assert len(names(run.folder, "forks")) == 8 and len(names(run.folder, "failed")) == 4
    assert sentence in min((run.folder / "failed").iterdir()).read_text()


def test_a_fork_that_fails_on_a_node_keeps_its_reason(measure, fake_java):
    fake_java("exit 1")
    run = measure(FakeClient("n1"))
    assert len(names(run.folder, "failed")) == 12 and not names(run.folder, "forks")


@pytest.mark.parametrize(
    ("isolated", "sentence"),
    [("", "its job has 2 of its 4 CPUs: ask for whole nodes"), ("2-3", "it has no Java")],
)
def test_a_node_of_which_the_job_has_a_part_is_refused(isolated, sentence, monkeypatch):
    monkeypatch.setattr(node.os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(node.os, "cpu_count", lambda: 4)
    monkeypatch.setattr(node, "read_text", lambda _: isolated)
    monkeypatch.setattr(node, "find_java", Mock(side_effect=BadInput("it has no Java")))
    with pytest.raises(BadInput, match=sentence):
        node.describe_node(node.hash_checkout())
