"""Ours against the Disruptor project's own performance tests: `python -m tests.deep.against RELEASE
FOLDER [--test NAME]`.

FOLDER holds the compiled classes of its release 3.4.4 or 4.0.0 with their performance tests, built
elsewhere; nothing of them is part of this project. Both sides run in alternation under the same
flags and on the same CPUs, ours unpinned. A JVM's value is the median operations per second of its
last four runs. Runs must take seconds: ours start fresh threads for each, theirs keep them.
"""

import argparse
import json
import re
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from handoff.analysis.contrast import Term, estimate_contrast
from handoff.paths import JAR

FLAGS = [
    "-Xms1g",
    "-Xmx1g",
    "-Xmn512m",
    "-XX:+UseParallelGC",
    "-XX:-UseAdaptiveSizePolicy",
    "-XX:+AlwaysPreTouch",
]
RUNS, LAST = 7, 4
TESTS = {
    "UNICAST": ("OneToOneSequencedThroughputTest", 65_536, 100_000_000, "YIELDING"),
    "PIPELINE": ("OneToThreePipelineSequencedThroughputTest", 8_192, 100_000_000, "YIELDING"),
    "DIAMOND": ("OneToThreeDiamondSequencedThroughputTest", 8_192, 100_000_000, "YIELDING"),
    "MULTICAST": ("OneToThreeSequencedThroughputTest", 8_192, 100_000_000, "YIELDING"),
    "SEQUENCER": ("ThreeToOneSequencedThroughputTest", 65_536, 20_000_000, "BUSY_SPIN"),
}
"""Our wiring to their class, and its capacity, events and waiting."""


def theirs(classes: Path, test: str, cpus: str) -> float:
    """Operations per second by their own count.

    A JVM whose test failed, as that of 4.0.0's pipeline sometimes does, is run again.
    """
    command = [
        "taskset",
        "-c",
        cpus,
        "java",
        *FLAGS,
        "-cp",
        str(classes),
        f"com.lmax.disruptor.sequenced.{TESTS[test][0]}",
    ]
    while True:
        ended = subprocess.run(command, capture_output=True, text=True)
        runs = [
            float(number.replace(",", ""))
            for number in re.findall(r"Disruptor=([\d,]+) ops", ended.stdout)
        ]
        if len(runs) == RUNS:
            return statistics.median(runs[-LAST:])
        print(f"  theirs failed: {ended.stderr.strip().splitlines()[:1]}", flush=True)


def ours(release: int, test: str, events: int, cpus: str) -> float:
    """The same from our evidence."""
    _, capacity, _, waiting = TESTS[test]
    params = {
        "mechanism": f"DISRUPTOR_{release}",
        "topology": test,
        "capacity": capacity,
        "events": events,
        "wait": waiting,
        "placement": "UNPINNED",
    }
    return statistics.median(
        shot["events"] / shot["wallNs"] * 1e9
        for shot in shots("topologies", params, cpus, RUNS, collected=True)[-LAST:]
    )


def shots(
    study: str, params: dict[str, object], cpus: str, number: int, collected: bool
) -> list[dict]:
    """What one JVM of ours measured, as its evidence has it; `collected`: with garbage collected
    before each shot, as theirs may do.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = [word for name, value in params.items() for word in ("-p", f"{name}={value}")]
        jvm = " ".join([*FLAGS, f"-Djava.io.tmpdir={folder}"])
        options = [
            "-f",
            "1",
            "-i",
            str(number),
            "-gc",
            str(collected).lower(),
            "-foe",
            "true",
            "-jvmArgs",
            jvm,
        ]
        command = ["taskset", "-c", cpus, "java", "-jar", str(JAR), study, *words, *options]
        subprocess.run(command, check=True, capture_output=True)
        return json.loads((Path(folder) / "evidence.json").read_text())["shots"]


def alternate(
    ours: Callable[[], float], theirs: Callable[[], float], jvms: int
) -> tuple[list[float], list[float]]:
    """A value of each side for each JVM; whoever went first last time goes second now."""
    sides: tuple[list[float], list[float]] = ([], [])
    for turn in range(jvms):
        for side in (0, 1) if turn % 2 else (1, 0):
            sides[side].append(theirs() if side else ours())
    return sides


def ratio_in_words(sides: tuple[list[float], list[float]]) -> str:
    """Ours over theirs with its 95 % interval."""
    ratio = estimate_contrast([Term(1.0, np.log(sides[0])), Term(-1.0, np.log(sides[1]))])
    low, high = ratio.interval(0.95)
    return f"ours / theirs {ratio.ratio:.3f} [{low:.3f}, {high:.3f}], {len(sides[0])} JVMs each"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("release", type=int, choices=(3, 4))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jvms", type=int, default=10)
    parser.add_argument("--test", choices=TESTS, default="UNICAST")
    parser.add_argument(
        "--events", type=int, help="of ours, where theirs was built with other than 100,000,000"
    )
    parser.add_argument("--cpus", default="0,1")
    given = parser.parse_args()
    events = given.events or TESTS[given.test][2]
    sides = alternate(
        lambda: ours(given.release, given.test, events, given.cpus),
        lambda: theirs(given.folder, given.test, given.cpus),
        given.jvms,
    )
    middles = " and ".join(f"{statistics.median(side) / 1e6:.1f}" for side in sides)
    print(
        f"{given.test}, release {given.release}: {ratio_in_words(sides)}; medians {middles} million"
        " a second",
        flush=True,
    )


if __name__ == "__main__":
    main()
