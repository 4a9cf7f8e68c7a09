"""What several tests need: the golden fork, small sweeps, and machines that we do not own."""

import copy
import json
import subprocess
from pathlib import Path

import pytest

from handoff.paths import DATA, ROOT
from handoff.run import points, sweep
from handoff.run.points import Point


@pytest.fixture
def golden() -> dict:
    """A real fork file: DISRUPTOR_STRIPED, one consumer, two shots."""
    return copy.deepcopy(json.loads((DATA / "golden-fork.json").read_text()))


@pytest.fixture
def golden_point(golden: dict) -> Point:
    """The point that the golden fork was asked for."""
    slots = [
        {"role": t["role"], "cpu": t["asked"], "core": t["asked"], "node": t["node"], "oversubscribed": False}
        for t in golden["evidence"]["shots"][0]["threads"]
    ]
    return Point(study="scaling", params=golden["params"], shots=2, warmup=1, forks=1, threads=slots)


@pytest.fixture
def sweep_file(tmp_path: Path):
    """Writes a sweep of one entry of the study scaling, changed as asked, and returns its path."""

    def write(entry: str = "", top: str = "") -> Path:
        path = tmp_path / "own.yml"
        path.write_text(
            f"about: a test\nforks: {{fitting: 1}}\n{top}\nstudies:\n  scaling:\n"
            f"    - {{shots: 2, warmup: 1, events: 81920{', ' if entry else ''}{entry}}}\n"
        )
        return path

    return write


def on_machine(cores: int, loaded: sweep.Sweep, file: str = "own.yml") -> list[Point]:
    """The points of a sweep as the jar would settle them on one node of `cores` cores without siblings."""
    expanded = points.expand(loaded, file)
    answers = []
    for point in expanded:
        threads = 1 if point.params["mechanism"] == "SEQUENTIAL" else 1 + int(point.params["consumers"])
        cpus = [i % cores for i in range(threads)]
        slots = [{"role": f"t{i}", "cpu": c, "core": c, "node": 0, "oversubscribed": cpus.count(c) > 1} for i, c in enumerate(cpus)]
        answers.append({"plan": {"threads": slots}})
    return points.settle(loaded, expanded, answers, file)


def run_all(*words: object, cwd: str | Path = "/") -> subprocess.CompletedProcess:
    """`./run_all.sh` as a user calls it, in a process of its own."""
    command = [str(ROOT / "run_all.sh"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=600, check=False)
