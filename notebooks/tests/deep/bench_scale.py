"""Measure the cost of our own code at many points.

`PYTHONPATH=notebooks .venv/bin/python -m tests.deep.bench_scale [POINTS ...]`. A fake `java` ends
every fork at once; its cost (a shell that writes two files) is measured separately and subtracted.
Prints one row per size: seconds to expand and read the plan, and milliseconds per fork to measure,
to resume (a start that finds every fork) and to tidy.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from handoff.files import write_json
from handoff.paths import DATA
from handoff.run import planning, runner
from handoff.run.java import jdk
from handoff.run.java.command import build_command
from handoff.run.plan import expansion, points, sweepfile
from handoff.run.store import state
from handoff.run.store.run import read_run
from handoff.tables import tidy

from ..conftest import IDENTITY, write_fake_java


def seconds(work) -> tuple[float, object]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def asked(golden: dict, count: int) -> dict:
    entry = {
        name: int(value) if value.isdigit() else value for name, value in golden["params"].items()
    }
    studies = {"scaling": [entry | {"sorts": f"1..{count}", "shots": 2, "warmup": 1}]}
    return {
        "about": "x",
        "verdicts": False,
        "forks": {"fitting": 1},
        "jvm": {"heap": "256m"},
        "quiet": {"again": 0},
        "studies": studies,
    }


def bench(count: int, golden: dict) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, java = (
            Path(name) / "runs" / "scale-00000000",
            write_fake_java(Path(name), golden, ":"),
        )
        (folder / "forks").mkdir(parents=True)
        content = asked(golden, count)
        (folder / "sweep.yml").write_text(json.dumps(content))
        slots = [
            {"role": t["role"], "cpu": t["asked"], "oversubscribed": False}
            for t in golden["evidence"]["shots"][0]["threads"]
        ]
        expanding, expanded = seconds(
            lambda: expansion.expand_points(sweepfile.validate_sweep(content, "x"), "x", 2)
        )
        placed = [
            point.model_copy(
                update={"threads": [points.Slot(**slot) for slot in slots], "forks": 1}
            )
            for point in expanded
        ]
        write_json(
            folder / "machine.json",
            {"id": "m", "topology": {"cpus": [], "virtual": None, "quota": None}},
        )
        write_json(folder / "run.json", IDENTITY | {"profile": "scale"})
        write_json(folder / "plan.json", [point.model_dump() for point in placed])
        reading, run = seconds(lambda: read_run(folder))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jdk, "find_jdk", lambda: java)
            patch.setattr(planning, "require_same_setup", lambda run, java: None)
            measuring, _ = seconds(lambda: [outcome for _, outcome in runner.measure_run(run)])
        (Path(name) / "apart").mkdir()
        command = build_command(java, run.sweep.jvm, placed[0], Path(name) / "apart")
        bare, _ = seconds(lambda: [subprocess.run(command, check=True) for _ in range(200)])
        resuming, scan = seconds(lambda: state.scan_run(run))
        tidying, _ = seconds(lambda: tidy.write_tables(run))
        assert len(scan.measured) == count
        per_fork = [1000 * value / count for value in (measuring, resuming, tidying)]
        ours = per_fork[0] - 1000 * bare / 200
        print(
            f"{count:6} points: expand {expanding:5.2f} s, read {reading:5.2f} s;"
            f" ms per fork: measure {per_fork[0]:5.2f} (ours {ours:5.2f}),"
            f" resume {per_fork[1]:5.2f}, tidy {per_fork[2]:5.2f}",
            flush=True,
        )


if __name__ == "__main__":
    measured = json.loads((DATA / "golden-fork.json").read_text())
    for size in map(int, sys.argv[1:] or ["1250", "2500", "5000", "10000"]):
        bench(size, measured)
