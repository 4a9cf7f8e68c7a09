"""Compare our executors with the post's own code.

`python -m tests.deep.against_post FOLDER [COLUMN ...]`. FOLDER holds the post's classes as first
published, compiled elsewhere with three changes: `n` workers and `jobs` are properties, and there
are eight runs instead of twenty or thirty. PiSq, PiAbq, PiSpmcBig and PiCachedBig are its
LinkedTransferQueue and ring executors with the other queue, or with the intended capacity. This
project contains none of them. The sides alternate, under the same flags and on the same CPUs, ours
unpinned. A JVM's value is the median of its last four runs, in ms.
"""

import argparse
import re
import statistics
from functools import partial
from pathlib import Path

from tests.deep.against import alternate, ratio_in_words, run_java, shots

RUNS, LAST = 8, 4
RING = {"capacity": 16}
MEANT = {"capacity": 262_144}
STRIPED, FIRST = "CustomExecutorStripedPi", "CustomExecutorSpmcPutParkTakePark"
PADDED = "CustomExecutorSpmcPpTpPadded"
COLUMNS = {
    "threadpi": ("ThreadPi", "FIXED_THREAD_POOL", {}, 1_000_000),
    "disruptor": ("DisruptorTest", "DISRUPTOR_WORKER_POOL", {}, 1_000_000),
    "disruptor2": ("DisruptorTest2", "DISRUPTOR_PARTITIONED", {}, 1_000_000),
    "custom_LTQ": ("CustomExecutorPi", "LINKED_TRANSFER_QUEUE", {}, 1_000_000),
    "custom_SQ": ("PiSq", "SYNCHRONOUS_QUEUE", {}, 30_000),
    "custom_ABQ1000": ("PiAbq", "ARRAY_BLOCKING_QUEUE", {}, 1_000_000),
    "custom_striped_LTQ": (STRIPED, "STRIPED_LINKED_TRANSFER_QUEUE", {}, 1_000_000),
    "first_ring": (FIRST, "RING_BUFFER", {"capacity": 8}, 100_000),
    "custom_lockfree_PpTp_padded": (PADDED, "RING_BUFFER_SPMC", RING, 200_000),
    "custom_cached_gets": (f"{PADDED}CacheGet", "RING_BUFFER_CACHED", RING, 200_000),
    "lockfree_262144": ("PiSpmcBig", "RING_BUFFER_SPMC", MEANT, 1_000_000),
    "cached_262144": ("PiCachedBig", "RING_BUFFER_CACHED", MEANT, 1_000_000),
}
"""Their class for each of the post's columns, our mechanism with its parameters, and jobs."""


def theirs(folder: Path, column: str, threads: int, cpus: str) -> float:
    """Return milliseconds by their own count."""
    name, _, _, jobs = COLUMNS[column]
    words = [f"-Dn={threads}", f"-Djobs={jobs}", "-cp", str(folder), name]
    result = run_java(cpus, *words)
    result.check_returncode()
    runs = [int(ms) for ms in re.findall(r"(?:t:|tim: )(\d+)", result.stdout)]
    if len(runs) != RUNS:
        raise SystemExit(f"{column}: {len(runs)} of {RUNS} runs: {result.stdout[-300:]}")
    return statistics.median(runs[-LAST:])


def ours(column: str, threads: int, cpus: str) -> float:
    _, mechanism, more, jobs = COLUMNS[column]
    params = {"mechanism": mechanism, "threads": threads, "events": jobs, "placement": "UNPINNED"}
    last = shots("executors", params | more, cpus, RUNS, collected=False)[-LAST:]
    return statistics.median(shot["wallNs"] / 1e6 for shot in last)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("columns", nargs="*", metavar="COLUMN", help=", ".join(COLUMNS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--jvms", type=int, default=7)
    parser.add_argument("--cpus", default="0,1")
    options = parser.parse_args()
    for column in options.columns or COLUMNS:
        sides = alternate(
            partial(ours, column, options.threads, options.cpus),
            partial(theirs, options.folder, column, options.threads, options.cpus),
            options.jvms,
        )
        middles = " and ".join(f"{statistics.median(side):.0f}" for side in sides)
        print(
            f"{column}, n={options.threads}: time {ratio_in_words(sides)}; medians {middles} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
