"""Sweep on one node of a cluster: the driver, a worker, and the files that they leave."""

import json

import pytest

pytest.importorskip("distributed", reason="requirements-cluster.lock is not installed")

from .drivers import Driver, start_worker

pytestmark = pytest.mark.machine

CLUSTER = """
scheduler: none
listen: 127.0.0.1
arrival: 2m
groups:
  one: {nodes: 1, pretend: A}
"""


def test_a_node_measures_and_the_driver_stores_the_forks(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    driver = Driver(tmp_path, CLUSTER, ("build", "measure", "--json"), blocks=2)
    worker = start_worker(driver, 1)
    driver.finish()
    assert worker.wait(30) == 0
    driver.require_whole()
    run = driver.read_run()
    (start,) = (run.folder / "starts").glob("*.json")
    noted = json.loads(start.read_text())
    hosts = json.loads((tmp_path / ".handoff" / "nodes.json").read_text())
    assert noted["done"] >= 8 and noted["ready"][0]["sentence"].startswith(next(iter(hosts)))
    assert run.machine["cpu"] == "A (pretended)"
    last = json.loads(driver.log.read_text().splitlines()[-1])
    assert last["exit"] == 0 and last["run"] == run.folder.name
