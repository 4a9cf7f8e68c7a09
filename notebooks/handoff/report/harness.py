"""What the harness adds to an event: the study scaling against loops written by hand."""

from collections.abc import Sequence

import numpy as np

from handoff.analysis.forks import LEAST_SPREAD
from handoff.analysis.intervals import Estimate, Term, estimate
from handoff.draw.words import join_words
from handoff.files import read_json
from handoff.paths import CHECKS
from handoff.run.store.run import Run
from handoff.studies.scaling import LOOKS
from handoff.text import format_range, format_value

RECORD = CHECKS / "harness.json"
"""Measurements of one machine, which `python -m tests.deep.loops RUN` writes for a run."""

BY_HAND = "by hand"
HARNESS = "harness"
UNPINNED = "harness, unpinned"

LIMIT = 1.2
"""Most that an event may take in the harness, in times of the loop: a deep test fails beyond."""

BOUND_TO = ("machine", "jdk")
"""What a run's identity must share with the record for its paper to print the numbers."""


def describe_harness(run: Run) -> list[str]:
    """Return what was measured for this run, or [] where it was not."""
    record = read_json(RECORD) if RECORD.is_file() else {}
    if record.get("run") != run.folder.name:
        return []
    if any(record[key] != run.identity[key] for key in BOUND_TO):
        return []
    return list_sentences(record)


def list_sentences(record: dict) -> list[str]:
    """Return what the harness and pinning change, with 95 % intervals."""
    times = record["ns_per_event"]
    forks = min(len(values) for by_way in times.values() for values in by_way.values())
    added = [
        f"{format_ratio(by_way[HARNESS], by_way[BY_HAND])} for {LOOKS[name].short}"
        for name, by_way in times.items()
    ]
    pinned = [
        f"{format_ratio(by_way[HARNESS], by_way[UNPINNED])} for {LOOKS[name].short}"
        for name, by_way in times.items()
        if UNPINNED in by_way
    ]
    return [
        "With one sort and one consumer, time per event over that of a loop written by hand with"
        f" the same flags and pinning: {join_words(added)} (95 % intervals, {forks} JVMs each,"
        f" {record['began'][:10]}, jar {record['jar'][:12]}).",
        f"Pinned over unpinned: {join_words(pinned)}.",
    ]


def format_ratio(above: Sequence[float], below: Sequence[float]) -> str:
    """Return a ratio with its interval, such as '1.07 [0.98 to 1.17]'."""
    made = compare_loops(above, below)
    interval = made.interval()
    bounds = f" [{format_range(*interval)}]" if interval else ""
    return f"{format_value(made.ratio)}{bounds}"


def compare_loops(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """Return the ratio of two ways, with the least spread that forks are assumed to have."""
    sides = ((1.0, above), (-1.0, below))
    return estimate([Term(sign, np.log(times), LEAST_SPREAD**2) for sign, times in sides])
