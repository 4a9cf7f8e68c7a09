"""The paper's machine, emulated: threads run where planned, and every event arrives once."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from handoff.paths import JAR
from handoff.run.accept import accept_heap
from handoff.run.java import jar, jdk, launcher
from handoff.run.plan.points import HeapPolicy

from . import guest

PARAMS = {
    "mechanism": "ARRAY_BLOCKING_QUEUE",
    "consumers": 11,
    "events": 5000,
    "capacity": 64,
    "collector": "SERIAL",
}
PLANS = {
    "--bind 0": [
        "-p consumers=5",
        "-p consumers=11",
        "-p consumers=11 -p placement=PAPER",
        "-p consumers=5 -p placement=SCATTER",
    ],
    "--interleave 0,1": ["-p consumers=11"],
}
"""Points per heap policy."""

STARTS = 2
"""Starts per point; one takes a minute or two on a busy host."""
MISSING = not (shutil.which("qemu-system-x86_64") and shutil.which("busybox"))


@pytest.mark.skipif(MISSING, reason="needs the Debian packages qemu-system-x86 and busybox-static")
@pytest.mark.parametrize(
    ("layout", "first_node"), [("alternating", range(0, 12, 2)), ("node by node", range(6))]
)
def test_eleven_consumers_run_on_twelve_cores_of_two_nodes(tmp_path, layout, first_node):
    jar.build_jar(jdk.find_jdk())
    shutil.copy(JAR, tmp_path / "benchmarks.jar")
    small = "-Xmx64m -XX:+UseSerialGC"
    call = f"{jdk.find_jdk().java.resolve()} {small} -jar benchmarks.jar"
    params = " ".join(f"-p {name}={value}" for name, value in PARAMS.items())
    jmh = (
        f"-f 1 -wi 0 -i 1 -foe true -rf json -rff jmh.json -jvmArgs '{small}"
        " -Djava.io.tmpdir=/run/out'"
    )
    command = f"{call} topology > topology.json && {call} scaling {params} {jmh} 2>&1"
    code, console = guest.run(layout, command, tmp_path)
    assert code == 0, console[-5000:]

    cpus = json.loads((tmp_path / "topology.json").read_text())["cpus"]
    assert (
        len(cpus) == 24
        and {cpu["node"] for cpu in cpus} == {0, 1}
        and len({cpu["core"] for cpu in cpus}) == 12
    )
    (shot,) = json.loads((tmp_path / "evidence.json").read_text())["shots"]
    assert shot["events"] == PARAMS["events"]
    threads = shot["threads"]
    assert [thread["asked"] for thread in threads[:6]] == list(first_node)
    assert [thread["node"] for thread in threads] == [0] * 6 + [1] * 6
    assert all(
        thread["mask"] == str(thread["asked"]) == str(thread["lastCpu"]) for thread in threads
    )
    assert not any(thread["oversubscribed"] for thread in threads)


@pytest.mark.skipif(MISSING, reason="needs the Debian packages qemu-system-x86 and busybox-static")
def test_the_heap_is_on_the_planned_nodes_at_every_start(tmp_path):
    """On the producer's node for any placement of consumers, or interleaved by page."""
    jar.build_jar(jdk.find_jdk())
    for file in (JAR, Path(launcher.__file__)):
        shutil.copy(file, tmp_path / file.name)
    cases = [(policy, point) for policy, points in PLANS.items() for point in points] * STARTS
    heap = "-Xms128m -Xmx128m -Xmn64m -XX:+UseParallelGC -XX:+AlwaysPreTouch"
    script = [
        f"mkdir case{i} && python3 -I launcher.py {policy} {jdk.find_jdk().java.resolve()} {heap}"
        f" -Djava.io.tmpdir=/run/out/case{i} -jar benchmarks.jar scaling -p events=500"
        f" -p capacity=64 -p mechanism=ARRAY_BLOCKING_QUEUE {point} -f 0 -wi 0 -i 1 -foe true"
        for i, (policy, point) in enumerate(cases)
    ]
    code, console = guest.run("alternating", " && ".join(script), tmp_path, STARTS * 900)
    assert code == 0, console[-5000:]
    counts = Counter()
    for i, (policy, point) in enumerate(cases):
        evidence = json.loads((tmp_path / f"case{i}" / "evidence.json").read_text())
        mode, nodes = policy.split()
        planned = HeapPolicy(
            interleaved=mode == "--interleave", nodes=[int(node) for node in nodes.split(",")]
        )
        assert evidence["heapPagesByNode"], "the guest reports the nodes of pages"
        accept_heap(planned, evidence["heapPagesByNode"])
        counts[policy, point, str(evidence["heapPagesByNode"])] += 1
    print(*counts.items(), sep="\n")


@pytest.mark.skipif(MISSING, reason="needs the Debian packages qemu-system-x86 and busybox-static")
def test_threads_run_on_isolated_cpus_and_the_jvms_own_threads_do_not(tmp_path):
    """The kernel isolates five cores of the first node."""
    jar.build_jar(jdk.find_jdk())
    for file in (JAR, Path(launcher.__file__)):
        shutil.copy(file, tmp_path / file.name)
    isolated = [2, 4, 6, 8, 10]
    listed = ",".join(map(str, isolated))
    params = PARAMS | {"consumers": 4, "events": 2000}
    points = [
        {"study": "scaling", "placement": placement}
        | {name: str(value) for name, value in params.items()}
        for placement in ("ISOLATED", "COMPACT")
    ]
    (tmp_path / "points.json").write_text(json.dumps(points))
    java = f"{jdk.find_jdk().java.resolve()} -Xmx64m -XX:+UseSerialGC"
    words = " ".join(f"-p {name}={value}" for name, value in params.items())
    shot = f"-jar benchmarks.jar scaling {words} -f 0 -wi 0 -i 1 -foe true"
    others = "0,1,3,5,7,9,11"
    script = [
        f"{java} -jar benchmarks.jar check < points.json > free.json",
        f"taskset -c {listed} {java} -jar benchmarks.jar check < points.json > confined.json",
        f"taskset -c {listed} python3 -I launcher.py --cpus {others} {java}"
        f" -Dhandoff.allowed={listed} -XX:ActiveProcessorCount=5 -Djava.io.tmpdir=/run/out {shot}",
    ]
    code, console = guest.run(
        "alternating", " && ".join(script), tmp_path, 900, f"isolcpus={listed}"
    )
    assert code == 0, console[-5000:]

    def cpus(answer):
        return [slot["cpu"] for slot in answer["plan"]["threads"]]

    free, compact = json.loads((tmp_path / "free.json").read_text())
    assert cpus(free) == isolated and free["housekeeping"] is None
    assert not set(cpus(compact)) & set(isolated)
    _, confined = json.loads((tmp_path / "confined.json").read_text())
    assert cpus(confined) == isolated
    assert confined["housekeeping"]["processors"] == 5
    assert not set(confined["housekeeping"]["cpus"]) & set(isolated)
    (measured,) = json.loads((tmp_path / "evidence.json").read_text())["shots"]
    assert [thread["mask"] for thread in measured["threads"]] == list(map(str, isolated))
