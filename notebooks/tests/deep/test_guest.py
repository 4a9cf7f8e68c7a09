"""The paper's machine, emulated: threads run where planned, and every event arrives once."""

import json
import shutil
from pathlib import Path

import pytest

from handoff.paths import JAR
from handoff.run.accept import accept_heap
from handoff.run.java import launcher
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
pytestmark = pytest.mark.skipif(MISSING, reason="needs Debian's qemu-system-x86 and busybox-static")


@pytest.fixture
def folder(java, tmp_path) -> Path:
    """Return a folder with the jar and the launcher, which the guest can write to."""
    for file in (JAR, Path(launcher.__file__)):
        shutil.copy(file, tmp_path / file.name)
    return tmp_path


def test_eleven_consumers_run_on_twelve_cores_of_two_nodes(java, folder):
    small = "-Xmx64m -XX:+UseSerialGC"
    call = f"{java.java.resolve()} {small} -jar benchmarks.jar"
    params = " ".join(f"-p {name}={value}" for name, value in PARAMS.items())
    jmh = (
        f"-f 1 -wi 0 -i 1 -foe true -rf json -rff jmh.json -jvmArgs '{small}"
        " -Djava.io.tmpdir=/run/out'"
    )
    command = f"{call} topology > topology.json && {call} scaling {params} {jmh} 2>&1"
    guest.run(command, folder)

    cpus = json.loads((folder / "topology.json").read_text())["cpus"]
    assert len(cpus) == 24 and {cpu["node"] for cpu in cpus} == {0, 1}
    assert len({cpu["core"] for cpu in cpus}) == 12
    (shot,) = json.loads((folder / "evidence.json").read_text())["shots"]
    assert shot["events"] == PARAMS["events"]
    threads = shot["threads"]
    assert [thread["asked"] for thread in threads[:6]] == [0, 2, 4, 6, 8, 10]
    assert [thread["node"] for thread in threads] == [0] * 6 + [1] * 6
    assert all(
        thread["mask"] == str(thread["asked"]) == str(thread["lastCpu"]) for thread in threads
    )
    assert not any(thread["oversubscribed"] for thread in threads)


def test_the_heap_is_on_the_planned_nodes_at_every_start(java, folder):
    """On the producer's node for any placement of consumers, or interleaved by page."""
    cases = [(policy, point) for policy, points in PLANS.items() for point in points] * STARTS
    heap = "-Xms128m -Xmx128m -Xmn64m -XX:+UseParallelGC -XX:+AlwaysPreTouch"
    script = [
        f"mkdir case{i} && python3 -I launcher.py {policy} {java.java.resolve()} {heap}"
        f" -Djava.io.tmpdir=/run/out/case{i} -jar benchmarks.jar scaling -p events=500"
        f" -p capacity=64 -p mechanism=ARRAY_BLOCKING_QUEUE {point} -f 0 -wi 0 -i 1 -foe true"
        for i, (policy, point) in enumerate(cases)
    ]
    guest.run(" && ".join(script), folder, STARTS * 900)
    for i, (policy, _) in enumerate(cases):
        evidence = json.loads((folder / f"case{i}" / "evidence.json").read_text())
        mode, nodes = policy.split()
        places = [int(node) for node in nodes.split(",")]
        planned = HeapPolicy(interleaved=mode == "--interleave", nodes=places)
        assert evidence["heapPagesByNode"], "the guest reports the nodes of pages"
        accept_heap(planned, evidence["heapPagesByNode"])


def test_threads_run_on_isolated_cpus_and_the_jvms_own_threads_do_not(java, folder):
    """The kernel isolates five cores of the first node."""
    isolated = [2, 4, 6, 8, 10]
    listed = ",".join(map(str, isolated))
    params = PARAMS | {"consumers": 4, "events": 2000}
    asked = {name: str(value) for name, value in params.items()}
    points = [{"study": "scaling", "placement": "ISOLATED"} | asked]
    (folder / "points.json").write_text(json.dumps(points))
    small = f"{java.java.resolve()} -Xmx64m -XX:+UseSerialGC"
    words = " ".join(f"-p {name}={value}" for name, value in params.items())
    shot = f"-jar benchmarks.jar scaling {words} -f 0 -wi 0 -i 1 -foe true"
    others = "0,1,3,5,7,9,11"
    script = [
        f"taskset -c {listed} {small} -jar benchmarks.jar check < points.json > confined.json",
        f"taskset -c {listed} python3 -I launcher.py --cpus {others} {small}"
        f" -Dhandoff.allowed={listed} -XX:ActiveProcessorCount=5 -Djava.io.tmpdir=/run/out {shot}",
    ]
    guest.run(" && ".join(script), folder, 900, f"isolcpus={listed}")

    (confined,) = json.loads((folder / "confined.json").read_text())
    assert [slot["cpu"] for slot in confined["plan"]["threads"]] == isolated
    assert confined["housekeeping"]["processors"] == 5
    assert not set(confined["housekeeping"]["cpus"]) & set(isolated)
    (measured,) = json.loads((folder / "evidence.json").read_text())["shots"]
    assert [thread["mask"] for thread in measured["threads"]] == list(map(str, isolated))
