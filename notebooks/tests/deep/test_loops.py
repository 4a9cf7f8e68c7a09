"""The study scaling against loops written by hand, with the same flags and CPUs.

Times are only printed: what the harness adds.
"""

import json
import os
import statistics
import subprocess
from pathlib import Path

import pytest

from handoff.paths import JAR
from handoff.run.java.jar import list_compatibility_flags

HERE = Path(__file__).parent
EVENTS, SHOTS, COUNTED = 1_000_000, 15, 5
FLAGS = ("-Xms1g", "-Xmx1g", "-Xmn512m", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch")
MECHANISMS = ("SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL")


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_an_event_costs_what_it_costs_by_hand(java, tmp_path, mechanism):
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        pytest.skip("needs two CPUs")
    jvm = [java.java, *list_compatibility_flags(java), *FLAGS, f"-Djava.io.tmpdir={tmp_path}"]
    words = [mechanism, *cpus, EVENTS, SHOTS]
    by_hand = [float(line) for line in run(*jvm, "-cp", JAR, HERE / "Loops.java", *words).split()]
    params = [f"mechanism={mechanism}", f"events={EVENTS}"]
    if mechanism != "SEQUENTIAL":
        params += [f"placement=CPUS_{cpus[0]}_{cpus[1]}"]
    options = [word for param in params for word in ("-p", param)]
    run(*jvm, "-jar", JAR, "scaling", *options, *f"-f 0 -wi 0 -i {SHOTS} -foe true".split())
    shots = json.loads((tmp_path / "evidence.json").read_text(encoding="utf-8"))["shots"]
    harness = [shot["wallNs"] / EVENTS for shot in shots]
    assert len(by_hand) == len(harness) == SHOTS
    hand, ours = (statistics.median(times[-COUNTED:]) for times in (by_hand, harness))
    print(f"{mechanism}: by hand {hand:.1f} ns, scaling {ours:.1f} ns: {ours / hand:.3f}")


def run(*command: object) -> str:
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout
