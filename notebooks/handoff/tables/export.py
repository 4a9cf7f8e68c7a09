"""A run as JMH's JSON, for programs that read it."""

import statistics
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from handoff.catalog import load_catalog
from handoff.run.plan.points import Point
from handoff.run.store.disturbance import Assessment, Measurement
from handoff.run.store.forkfile import ForkFile
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run
from handoff.tables.rows import name_arm

CONFIDENCE = 0.999
"""JMH's."""

LEAST_FORKS = 5
"""With fewer forks no interval is printed, here as everywhere."""

PERCENTILES = (0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 99.999, 99.9999, 100.0)
UNKNOWN = "NaN"
"""JMH writes this text, because JSON has no such number."""


class Series(NamedTuple):
    """Values per counted shot of a fork: ns per event, cores in use and CPU ns per event."""

    ns: list[float]
    cores: list[float]
    cpu_ns: list[float]


def make_jmh(run: Run) -> list[dict]:
    """Return JMH's rows, one per point with forks; an operation is an event.

    The raw data are forks × shots, of the forks that count. As the fork is the unit of statistics,
    the error is half of the interval of the forks' means.
    """
    assessment = Assessment(run.sweep.quiet)
    rows: dict[str, dict[str, Any]] = {}
    taken: dict[str, dict[Measurement, Series]] = defaultdict(dict)
    for point, fork in read_forks(run, []):
        measurement = assessment.add(fork, point.key, point.oversubscribed)
        taken[point.key][measurement] = read_series(point, fork)
        rows.setdefault(point.key, fork.jmh)
    points = [point for point in run.points if point.key in rows]
    named, made = find_named_parameters(points), []
    for point in points:
        counted = [forks for each, forks in taken[point.key].items() if assessment.counts(each)]
        made.append(make_row(point, rows[point.key], counted, named[point.study]))
    return made


def read_series(point: Point, fork: ForkFile) -> Series:
    shots = fork.evidence.shots[point.warmup :]
    return Series(
        [shot.wallNs / shot.events for shot in shots],
        [(shot.userNs + shot.sysNs) / shot.wallNs for shot in shots],
        [(shot.userNs + shot.sysNs) / shot.events for shot in shots],
    )


def find_named_parameters(points: Sequence[Point]) -> dict[str, list[str]]:
    """Return by study the parameters that are not at their default in all of its points.

    A viewer puts all of them into its labels. The number of events is left out where the others
    distinguish the points.
    """
    named: dict[str, list[str]] = {}
    for study in dict.fromkeys(point.study for point in points):
        params = [point.params | name_arm(point) for point in points if point.study == study]
        names = [
            name
            for name, value in load_catalog()[study].defaults().items()
            if name != "mechanism" and any(each.get(name) != value for each in params)
        ]
        names += ["arm"] if any("arm" in each for each in params) else []
        fewer = [name for name in names if name != "events"]
        kept = {(each["mechanism"], *(each.get(name) for name in fewer)) for each in params}
        named[study] = fewer if len(kept) == len(params) else names
    return named


def make_row(point: Point, known: dict[str, Any], forks: list[Series], named: list[str]) -> dict:
    """Return JMH's row of a point; the mechanism takes the place of the benchmark's method."""
    params = point.params | name_arm(point)
    described = ("jmhVersion", "jvm", "jvmArgs", "jdkVersion", "vmName", "vmVersion")
    return {
        **{key: known[key] for key in described if key in known},
        "benchmark": f"{known['benchmark'].rpartition('.')[0]}.{point.params['mechanism']}",
        "mode": "ss",
        "threads": 1,
        "forks": len(forks),
        "warmupIterations": point.warmup,
        "warmupTime": "single-shot",
        "warmupBatchSize": 1,
        "measurementIterations": point.shots - point.warmup,
        "measurementTime": "single-shot",
        "measurementBatchSize": 1,
        "params": {name: params[name] for name in named if name in params},
        "primaryMetric": make_metric([fork.ns for fork in forks], "ns/op"),
        "secondaryMetrics": {
            "cpu": make_metric([fork.cores for fork in forks], "cores"),
            "cpu.norm": make_metric([fork.cpu_ns for fork in forks], "ns/op"),
        },
    }


def make_metric(raw: list[list[float]], unit: str) -> dict:
    means = [statistics.fmean(values) for values in raw]
    score, error = statistics.fmean(means), compute_error(means)
    shots = np.percentile([value for values in raw for value in values], PERCENTILES)
    return {
        "score": score,
        "scoreError": UNKNOWN if error is None else error,
        "scoreConfidence": [UNKNOWN] * 2 if error is None else [score - error, score + error],
        "scorePercentiles": dict(zip(map(str, PERCENTILES), map(float, shots), strict=True)),
        "scoreUnit": unit,
        "rawData": raw,
    }


def compute_error(means: list[float]) -> float | None:
    """Return half of the interval of the mean of forks; None for too few forks."""
    if len(means) < LEAST_FORKS:
        return None
    # Loading it doubles the memory, and only this needs it.
    from scipy import stats

    quantile = stats.t.ppf((1 + CONFIDENCE) / 2, len(means) - 1)
    return float(quantile * statistics.stdev(means) / len(means) ** 0.5)
