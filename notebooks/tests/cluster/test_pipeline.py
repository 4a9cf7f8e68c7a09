"""A sweep on a node of Dask's local cluster: the driver, the node, and what they leave."""

import json

import pytest

pytest.importorskip("distributed", reason="requirements-cluster.lock is not installed")

from .drivers import Driver

pytestmark = pytest.mark.machine


def test_a_node_measures_and_the_driver_stores_the_forks(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    words = ("build", "measure", "--json")
    driver = Driver(tmp_path, "scheduler: local\n", words, blocks=2)
    driver.require_whole()
    last = json.loads(driver.log.read_text().splitlines()[-1])
    assert last["exit"] == 0 and last["run"] == driver.read_run().folder.name
