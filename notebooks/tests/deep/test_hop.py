"""The study hops against a small C program, in alternating slices of 10 ms.

A host that moves virtual CPUs has two regimes, compared separately. Times are only printed.
"""

import os
import shutil
import statistics
import subprocess
from pathlib import Path

import pytest

from handoff.paths import JAR

HERE = Path(__file__).parent
SLICES, FIRST = 500, 50
"""Slices per side; the first do not count, as Java is still compiling its loop."""

HOPS = 100_000
"""10 ms if a hop takes 100 ns."""

BETWEEN_NS = 60
"""Faster hops are between CPUs that share a core or a cache."""


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_a_hop_costs_what_it_costs_in_c(java, tmp_path):
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        pytest.skip("needs two CPUs")
    program = tmp_path / "hop"
    subprocess.run(["cc", "-O2", "-pthread", "-o", program, HERE / "hop.c"], check=True)
    words = [str(cpus[0]), str(cpus[1]), str(HOPS)]
    sides = [
        subprocess.Popen(
            [*command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for command in ([program], [str(java.java), "-cp", str(JAR), str(HERE / "Hop.java")])
    ]
    try:
        pairs = [[take_slice(side) for side in sides] for _ in range(FIRST + SLICES)][FIRST:]
    finally:
        for side in sides:
            side.kill()
            side.wait()
    assert all(nanos > 0 for pair in pairs for nanos in pair)
    for name, chosen in {
        "near": [pair for pair in pairs if max(pair) < BETWEEN_NS],
        "far": [pair for pair in pairs if min(pair) >= BETWEEN_NS],
        "changed between": [p for p in pairs if min(p) < BETWEEN_NS <= max(p)],
    }.items():
        if chosen:
            c, ours = (statistics.median(side) for side in zip(*chosen, strict=True))
            print(f"{name}: {len(chosen)} pairs, C {c:.1f} ns, hops {ours:.1f} ns: {ours / c:.3f}")


def take_slice(side: subprocess.Popen) -> float:
    side.stdin.write("\n")
    return float(side.stdout.readline())
