"""Compare our rings with the Disruptor project's performance tests.

`python -m tests.deep.against RELEASE FOLDER [--test NAME]`. FOLDER holds the compiled classes of
release 3.4.4 or 4.0.0 and its performance tests, built elsewhere; this project contains none of
them. The sides alternate, under the same flags and on the same CPUs, ours unpinned. A JVM's value
is the median of its last four runs, in operations per second. Runs must take seconds: ours start
new threads for each run, theirs keep them.
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

from handoff.analysis.intervals import Term, estimate
from handoff.paths import JAR

FLAGS = ["-Xms1g", "-Xmx1g", "-Xmn512m", "-XX:+UseParallelGC"]
FLAGS += ["-XX:-UseAdaptiveSizePolicy", "-XX:+AlwaysPreTouch"]
RUNS, LAST = 7, 4
TESTS = {
    "UNICAST": ("OneToOneSequencedThroughputTest", 65_536, 100_000_000, "YIELDING"),
    "PIPELINE": ("OneToThreePipelineSequencedThroughputTest", 8_192, 100_000_000, "YIELDING"),
    "DIAMOND": ("OneToThreeDiamondSequencedThroughputTest", 8_192, 100_000_000, "YIELDING"),
    "MULTICAST": ("OneToThreeSequencedThroughputTest", 8_192, 100_000_000, "YIELDING"),
    "SEQUENCER": ("ThreeToOneSequencedThroughputTest", 65_536, 20_000_000, "BUSY_SPIN"),
}
"""Their class for each of our wirings, with its capacity, events and wait strategy."""


def run_java(cpus: str, *words: str) -> subprocess.CompletedProcess:
    """Run Java on these CPUs, under the flags of both sides."""
    command = ["taskset", "-c", cpus, "java", *FLAGS, *words]
    return subprocess.run(command, capture_output=True, text=True)


def theirs(classes: Path, test: str, cpus: str) -> float:
    """Return operations per second by their own count.

    A failed test is run again; the pipeline of 4.0.0 sometimes fails.
    """
    while True:
        name = f"com.lmax.disruptor.sequenced.{TESTS[test][0]}"
        result = run_java(cpus, "-cp", str(classes), name)
        runs = re.findall(r"Disruptor=([\d,]+) ops", result.stdout)
        if len(runs) == RUNS:
            return statistics.median(float(number.replace(",", "")) for number in runs[-LAST:])
        print(f"  theirs failed: {result.stderr.strip().splitlines()[:1]}", flush=True)


def ours(release: int, test: str, events: int, cpus: str) -> float:
    """Return operations per second from our evidence."""
    _, capacity, _, waiting = TESTS[test]
    params = {
        "mechanism": f"DISRUPTOR_{release}",
        "topology": test,
        "capacity": capacity,
        "events": events,
        "wait": waiting,
        "placement": "UNPINNED",
    }
    last = shots("topologies", params, cpus, RUNS, collected=True)[-LAST:]
    return statistics.median(shot["events"] / shot["wallNs"] * 1e9 for shot in last)


def shots(
    study: str, params: dict[str, object], cpus: str, number: int, collected: bool
) -> list[dict]:
    """Return the shots in the evidence of one of our JVMs.

    With `collected`, garbage is collected before each shot, as theirs may do.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = [word for name, value in params.items() for word in ("-p", f"{name}={value}")]
        options = f"-f 1 -i {number} -gc {str(collected).lower()} -foe true".split()
        options += ["-jvmArgs", " ".join([*FLAGS, f"-Djava.io.tmpdir={folder}"])]
        command = ["taskset", "-c", cpus, "java", "-jar", str(JAR), study, *words, *options]
        subprocess.run(command, check=True, capture_output=True)
        return json.loads((Path(folder) / "evidence.json").read_text())["shots"]


def alternate(
    ours: Callable[[], float], theirs: Callable[[], float], jvms: int
) -> tuple[list[float], list[float]]:
    """Return each side's value per JVM; the sides take turns in starting."""
    sides: tuple[list[float], list[float]] = ([], [])
    for turn in range(jvms):
        for side in (0, 1) if turn % 2 else (1, 0):
            sides[side].append(theirs() if side else ours())
    return sides


def ratio_in_words(sides: tuple[list[float], list[float]]) -> str:
    """Return ours over theirs with its 95 % interval."""
    ratio = estimate([Term(1.0, np.log(sides[0])), Term(-1.0, np.log(sides[1]))])
    low, high = ratio.interval(fewest=2)
    return f"ours / theirs {ratio.ratio:.3f} [{low:.3f}, {high:.3f}], {len(sides[0])} JVMs each"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("release", type=int, choices=(3, 4))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jvms", type=int, default=10)
    parser.add_argument("--test", choices=TESTS, default="UNICAST")
    text = "events of ours, if theirs has other than 100,000,000"
    parser.add_argument("--events", type=int, help=text)
    parser.add_argument("--cpus", default="0,1")
    options = parser.parse_args()
    events = options.events or TESTS[options.test][2]
    sides = alternate(
        lambda: ours(options.release, options.test, events, options.cpus),
        lambda: theirs(options.folder, options.test, options.cpus),
        options.jvms,
    )
    middles = " and ".join(f"{statistics.median(side) / 1e6:.1f}" for side in sides)
    print(
        f"{options.test}, release {options.release}: {ratio_in_words(sides)};"
        f" medians {middles} million per second",
        flush=True,
    )


if __name__ == "__main__":
    main()
