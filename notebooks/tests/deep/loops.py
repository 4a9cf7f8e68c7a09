"""The study scaling against loops written by hand, with the same flags and CPUs.

`python -m tests.deep.loops RUN` in `notebooks/` measures it on the quiet machine of a run, and
writes what the paper of that run then prints.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.paths import JAR, display_path, find_run_folder
from handoff.report.harness import BY_HAND, HARNESS, RECORD, UNPINNED
from handoff.run import planning
from handoff.run.fork import children_cpu_seconds
from handoff.run.host import lock, machine
from handoff.run.java import jar, jdk
from handoff.run.java.jdk import Jdk
from handoff.run.store.provenance import describe_software, format_now
from handoff.run.store.run import read_run

HERE = Path(__file__).parent
FORKS = 5
EVENTS = 1_000_000
SHOTS = 15
COUNTED = 5
FLAGS = ("-Xms1g", "-Xmx1g", "-Xmn512m", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch")
MECHANISMS = ("SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL")

BUSY = 0.1
"""Cores that others may use while a record is measured."""

Times = dict[str, dict[str, list[float]]]
"""Nanoseconds per event of each JVM, by mechanism and way."""


def measure_loops(java: Jdk, forks: int) -> Times:
    """Return the times of all mechanisms and ways, measured in turn so that drift hits all."""
    times: Times = {}
    for _ in range(forks):
        for mechanism in MECHANISMS:
            by_way = times.setdefault(mechanism, {})
            by_way.setdefault(BY_HAND, []).append(time_loop(java, mechanism))
            by_way.setdefault(HARNESS, []).append(time_scaling(java, mechanism, "PINNED"))
            if mechanism != "SEQUENTIAL":
                by_way.setdefault(UNPINNED, []).append(time_scaling(java, mechanism, "UNPINNED"))
    return times


def time_loop(java: Jdk, mechanism: str) -> float:
    """Return the time per event of the loop by hand, in one JVM."""
    words = [mechanism, *list_cpus(), EVENTS, SHOTS]
    lines = run(*build_jvm(java), "-cp", JAR, HERE / "Loops.java", *words).split()
    return compute_median([float(line) for line in lines])


def time_scaling(java: Jdk, mechanism: str, placement: str) -> float:
    """Return the time per event of the study scaling, in one JVM."""
    params = {"mechanism": mechanism, "events": EVENTS}
    if mechanism != "SEQUENTIAL":
        first, second = list_cpus()
        pinned = f"CPUS_{first}_{second}"
        params["placement"] = pinned if placement == "PINNED" else placement
    options = [word for name, value in params.items() for word in ("-p", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        jvm = [*build_jvm(java), f"-Djava.io.tmpdir={folder}"]
        run(*jvm, "-jar", JAR, "scaling", *options, *f"-f 0 -wi 0 -i {SHOTS} -foe true".split())
        evidence = json.loads(Path(folder, "evidence.json").read_text(encoding="utf-8"))
    return compute_median([shot["wallNs"] / EVENTS for shot in evidence["shots"]])


def list_cpus() -> list[int]:
    return sorted(os.sched_getaffinity(0))[:2]


def build_jvm(java: Jdk) -> list[object]:
    return [java.java, *jar.list_compatibility_flags(java), *FLAGS]


def compute_median(times: list[float]) -> float:
    """Return the median of the shots that count, the last ones."""
    assert len(times) == SHOTS
    return round(statistics.median(times[-COUNTED:]), 2)


def run(*command: object) -> str:
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout


def write_record(name: str) -> Path:
    """Measure on the machine of a run, and write its record; raise BadInput if it is busy."""
    java = jdk.find_jdk()
    jar.build_jar(java)
    identity = identify_here(name, java)
    with lock.hold_lock("comparing scaling with loops written by hand"):
        began = format_now()
        times, others = watch_loops(java)
    if others > BUSY:
        raise BadInput(f"others used {others:.2f} cores meanwhile: nothing was written.")
    record = {
        "run": name,
        **identity,
        "jar": jar.hash_jar(),
        "commit": describe_software()["commit"],
        "began": began,
        "others_cores": round(others, 3),
        "flags": FLAGS,
        "events": EVENTS,
        "ns_per_event": times,
    }
    write_text(RECORD, json.dumps(record, indent=2) + "\n")
    return RECORD


def identify_here(name: str, java: Jdk) -> dict[str, str]:
    """Return machine and JDK; raise BadInput unless they are a run's, whatever the kernel."""
    run = read_run(find_run_folder(name))
    here = planning.describe_here(java)
    other = machine.list_other_kind(run.machine, here)
    if java.runtime != run.identity["jdk"]:
        other.append(f"the JDK is {java.runtime}, not {run.identity['jdk']}")
    if other:
        raise BadInput(f"{name} was measured with another set-up: {'; '.join(other)}.")
    return {
        "machine": run.identity["machine"],
        "kernel": here["kernel"],
        "jdk": java.runtime,
    }


def watch_loops(java: Jdk) -> tuple[Times, float]:
    """Return the times, and the cores that other processes and guests used meanwhile."""
    before = read_busy()
    times = measure_loops(java, FORKS)
    others, passed = (now - then for now, then in zip(read_busy(), before, strict=True))
    return times, others / passed


def read_busy() -> tuple[float, float]:
    """Return the CPU seconds that others have used since boot, and a clock."""
    kinds = machine.take_snapshot([])["cpu_s"]
    busy = sum(kinds[kind] or 0.0 for kind in kinds if kind not in ("idle", "iowait"))
    return busy - children_cpu_seconds(), time.monotonic()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.deep.loops", description=__doc__)
    parser.add_argument("run", help="the run whose paper prints the numbers, such as reference")
    given = parser.parse_args()
    try:
        print(f"Wrote {display_path(write_record(given.run))}.")
    except BadInput as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
