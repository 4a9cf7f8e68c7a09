"""Several nodes: a block stays on one, a lost node costs its running fork, no fork counts twice."""

import contextlib
import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from handoff.errors import Busy
from handoff.run import fork, runner
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.nodes import NodeLost
from handoff.run.store import state

from .conftest import measured, names, read_files

DISTURBED = {"again": 1, "others": 0, "pressure": 1e9, "steal": 0}
"""Every fork uses more of the machine than this allows, and is measured again."""


class FakeNodes:
    """Nodes simulated by this machine.

    `script` maps the number of a submitted fork, from 0, to the nodes that are lost at that moment.
    """

    poll_s = 0.01

    def __init__(self, *present: str, script: dict[int, set[str]] | None = None, patience_s=0.0):
        self.present, self.script, self.patience_s = set(present), script or {}, patience_s
        self.pool, self.busy, self.most = ThreadPoolExecutor(4), Counter(), Counter()
        self.submitted, self.refusals = 0, []
        self.guard = threading.Lock()

    @contextlib.contextmanager
    def hold(self, run):
        with lock.hold_lock("driving", 0, run.folder / "driver.lock"):
            yield

    def prepare(self, run, forks):
        self.java = jdk.find_jdk()

    def list_names(self):
        return sorted(self.present)

    def list_findings(self):
        return []

    def check(self):
        pass

    def submit(self, node, job):
        number, self.submitted = self.submitted, self.submitted + 1
        with self.guard:
            self.busy[node] += 1
            self.most[node] = max(self.most[node], self.busy[node])
        self.present -= self.script.get(number, set())
        return self.pool.submit(self.measure, node, job)

    def measure(self, node, job):
        try:
            if node not in self.present:
                raise NodeLost("its node was lost")
            return fork.measure_fork(self.java, job)
        finally:
            with self.guard:
                self.busy[node] -= 1


def measure_some(run, number):
    """Measure this many forks on node a, and end the driver."""
    outcomes = runner.measure_run(run, nodes=FakeNodes("a"))
    for _ in range(number):
        next(outcomes)
    outcomes.close()


def read_nodes(run) -> dict[int, set[str]]:
    """Return the nodes that measured each block's forks."""
    nodes: dict[int, set[str]] = {}
    for content in read_files(run):
        nodes.setdefault(content["block"], set()).add(content.get("host", ""))
    return nodes


def test_a_block_is_on_one_node_and_a_node_measures_one_fork_at_a_time(fake_run, fake_java):
    run, nodes = fake_run(fake_java("sleep 0.05"), loads=4, forks=4), FakeNodes("a", "b", "c")
    assert measured(run, nodes=nodes) == [""] * 16
    blocks = read_nodes(run)
    assert len(blocks) == 4 and all(len(owners) == 1 for owners in blocks.values())
    assert set().union(*blocks.values()) == {"a", "b", "c"} and set(nodes.most.values()) == {1}
    assert state.scan_run(run).corrupt == [] and measured(run, nodes=nodes) == []


def test_a_node_that_comes_back_continues_its_block(fake_run, fake_java):
    run = fake_run(fake_java("sleep 0.05"), loads=5, forks=2)
    nodes = FakeNodes("a", "b", script={4: {"a"}}, patience_s=60)
    threading.Timer(1, lambda: nodes.present.add("a")).start()
    assert measured(run, nodes=nodes) == [""] * 10
    assert sorted(map(sorted, read_nodes(run).values())) == [["a"], ["b"]]
    assert names(run.folder, "abandoned", "failed", "interrupted") == []


def test_the_block_of_a_lost_node_is_measured_again_and_the_old_one_kept(fake_run, fake_java):
    run = fake_run(fake_java("sleep 0.05"), loads=5, forks=2)
    nodes = FakeNodes("a", "b", script={6: {"a"}})
    done = measured(run, nodes=nodes)
    abandoned = names(run.folder, "abandoned")
    assert set(done) == {""} and len(done) == 10 + len(abandoned) and abandoned
    assert list(read_nodes(run).values()) == [{"b"}, {"b"}]
    assert len(state.scan_run(run).measured) == 10 and measured(run, nodes=nodes) == []


def test_a_driver_that_starts_again_gives_a_block_back_to_its_node(fake_run, fake_java):
    run = fake_run(fake_java(), loads=6, forks=1)
    measure_some(run, 2)
    later = FakeNodes("b", "a", patience_s=60)
    assert measured(run, nodes=later) == [""] * 4 and read_nodes(run) == {0: {"a"}}


def test_a_fork_whose_node_is_lost_twice_has_failed(fake_run, fake_java):
    run = fake_run(fake_java(), loads=1)
    nodes = FakeNodes("a", patience_s=60)

    lost: Future = Future()
    lost.set_exception(NodeLost("its node was lost"))
    nodes.submit = lambda node, job: lost
    assert measured(run, nodes=nodes) == ["2 times its node was lost"]
    assert len(names(run.folder, "failed")) == 1


def test_a_driver_locks_its_run_and_no_other(fake_run, fake_java, tmp_path):
    run = fake_run(fake_java(), loads=1)
    other = fake_run(fake_java(), loads=1, folder=tmp_path / "runs" / "fake-00000001")
    with lock.hold_lock("another driver", file=run.folder / "driver.lock"):
        lock.HOLDING_THREADS.clear()
        with pytest.raises(Busy, match="another driver"):
            measured(run, nodes=FakeNodes("a"))
        assert measured(other, nodes=FakeNodes("a")) == [""]


def test_a_disturbed_fork_is_measured_again_on_its_own_node(fake_run, fake_java):
    run = fake_run(fake_java(), loads=3, forks=2, quiet=DISTURBED)
    measured(run, nodes=FakeNodes("a", "b", patience_s=60))
    assert any(".again1" in name for name in names(run.folder, "forks"))
    assert all(len(owners) == 1 for owners in read_nodes(run).values())


def test_a_repetition_whose_node_is_lost_is_skipped_and_its_block_kept(fake_run, fake_java):
    run = fake_run(fake_java("sleep 0.05"), loads=3, forks=2, quiet=DISTURBED)
    # The seventh submitted fork is the first repetition.
    measured(run, nodes=FakeNodes("a", "b", script={6: {"a"}}))
    assert names(run.folder, "abandoned") == [] and len(state.scan_run(run).measured) == 6
    hosts = {content["host"] for content in read_files(run) if content["again"]}
    assert hosts == {"b"} and all(len(owners) == 1 for owners in read_nodes(run).values())


def test_a_run_started_on_a_cluster_continues_on_this_machine(fake_run, fake_java):
    run = fake_run(fake_java(), loads=4, forks=2)
    measure_some(run, 6)
    # The node that started the second block is absent: the whole block is measured again.
    assert measured(run) == [""] * 4
    assert len(names(run.folder, "abandoned")) == 2
    assert len(state.scan_run(run).measured) == 8 and measured(run) == []


def test_what_another_machine_left_in_a_shared_folder_is_not_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    names = []
    for host, boot in (("a", "1"), ("b", "1"), ("a", "2")):
        monkeypatch.setattr(fork, "HOST", host)
        monkeypatch.setattr(fork, "read_boot", lambda boot=boot: boot)
        names.append(f"{fork.name_temporary()}x")
        (tmp_path / names[-1]).mkdir()
    fork.remove_left_over()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[:2])
