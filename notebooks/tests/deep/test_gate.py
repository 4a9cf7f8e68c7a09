"""A gate on real jars: one that works 15 % longer per event is slower, the same one twice is not.

It takes some minutes, and a machine on which nothing else runs.
"""

import shutil

import pytest
import yaml

from handoff.paths import JAVA_BENCH
from handoff.run.java import jar

from ..conftest import run_all

LOOP = ("i < sorts; i++", "i < sorts * 115 / 100; i++")
ENTRY = {
    "mechanism": ["ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL", "DISRUPTOR_STRIPED"],
    "consumers": 1,
    "sorts": 100,
    "capacity": 1024,
    "events": 100_000,
    "shots": 3,
}


@pytest.fixture(scope="module")
def longer(java, tmp_path_factory):
    """Return a jar whose consumers sort 15 % more often."""
    sources = tmp_path_factory.mktemp("longer") / JAVA_BENCH.name
    shutil.copytree(JAVA_BENCH, sources, ignore=shutil.ignore_patterns("target"))
    work = sources / "src/main/java/handoff/work/Work.java"
    text = work.read_text()
    assert LOOP[0] in text
    work.write_text(text.replace(*LOOP))
    jar.package_jar(java, sources)
    return sources / "target" / "benchmarks.jar"


def gate(folder, arms, forks):
    sweep = folder / "gate.yml"
    content = {"about": "a gate", "forks": {"fitting": forks}, "arms": arms}
    sweep.write_text(yaml.safe_dump(content | {"studies": {"scaling": [ENTRY]}}))
    return run_all("gate", sweep, "--data", folder / "runs", "--report", folder / "report")


def test_a_jar_that_works_longer_is_slower(longer, tmp_path):
    result = gate(tmp_path, {"as_is": {}, "longer": {"jar": str(longer)}}, forks=10)
    assert result.returncode == 4, result.stdout + result.stderr
    assert (tmp_path / "report" / "gate.md").read_text().startswith("### Gate: slower")


def test_the_same_jar_twice_is_not_slower(tmp_path):
    result = gate(tmp_path, {"one": {}, "two": {}}, forks=10)
    assert result.returncode == 0, result.stdout + result.stderr
