"""Effects of the JDK, from a run of two JDKs: in docs/machines.md, and a paragraph of the paper."""

import math
from typing import Any

import pandas as pd

from handoff.analysis.comparison import compare_arms, load_forks
from handoff.analysis.forks import compare_times, mean_level
from handoff.report.machines import ALONE, POOL, QUEUE, clean
from handoff.run.store.run import Run
from handoff.studies.scaling import LOOKS
from handoff.studies.scaling.paper import describe_completeness
from handoff.study import find_primary, find_study
from handoff.tables import tidy
from handoff.text import format_range, format_table, format_value, pluralize

PROFILE = "jdks"
CLAIMS = {"P1": (QUEUE, ALONE, 1), "P3": (QUEUE, POOL, 1), "P8": (QUEUE, POOL, 15)}
"""Mechanisms whose times are divided, and the sorts per event."""

HEAD = """\
## What the JDK changes

From the shipped run of `data/sweeps/jdks.yml`. `ArrayBlockingQueue` rests on a lock that was
rewritten after JDK 17. The forks of both JDKs are in the same blocks of one run, so what the
machine does at one hour does not come between them. There is one consumer, and no claim is judged
by a JDK other than the first.
"""


def describe_jdks(run: Run) -> dict | None:
    """Return the part of numbers.json about a run of two JDKs; None without these or its forks."""
    if len(run.sweep.arms) != 2:
        return None
    tidy.write_tables(run)
    studies = dict.fromkeys(point.study for point in run.points)
    forks = pd.concat([load_forks(run, study) for study in studies])
    if forks.empty:
        return None
    return {
        "run": run.folder.name,
        "whole": describe_completeness(run, forks),
        "arms": list(run.sweep.arms),
        "claims": list_claim_ratios(run),
        "changed": list_changes(run, list(compare_arms(run).itertuples())),
    }


def describe_page(run: Run) -> list[str]:
    """Return the section of docs/machines.md about a run whose arms are JDKs."""
    tidy.write_tables(run)
    rows, names = list(compare_arms(run).itertuples()), list(run.sweep.arms)
    versions = run.identity.get("arms", {})
    claims = [row.values() for row in list_claim_ratios(run)]
    times = [(format_time(row.before), format_time(measure_after(run, row))) for row in rows]
    points = [
        (row.study, name_point(run, row), *both, format_ratio(row))
        for row, both in zip(rows, times, strict=True)
    ]
    return [
        HEAD,
        *(f"- `{name}`: {clean(versions.get(name, {}).get('jdk', name))}" for name in names),
        "",
        "### The paper's ratios on each JDK",
        "",
        *format_table(["claim", "ratio of times", *names], claims),
        "",
        f"The 95 % interval, for all points at once, excludes 1, {names[1]} over {names[0]}:"
        f" {'; '.join(list_changes(run, rows)) or 'no point'}.",
        "",
        "### Each point",
        "",
        f"Time of an event. The ratio is {names[1]} over {names[0]}; its 95 % intervals hold at"
        " once.",
        "",
        *format_table(["study", "point", *names, "ratio"], points),
        "",
    ]


def list_claim_ratios(run: Run) -> list[dict]:
    """Return the ratio of each claim in CLAIMS on each JDK, with its 95 % interval."""
    forks, keys = load_forks(run, find_primary().name), ["arm", "mechanism", "sorts"]
    points = dict(list(forks.groupby(keys))) if len(forks) else {}
    rows = []
    for claim, (above, below, sorts) in CLAIMS.items():
        pairs = {arm: ((arm, above, sorts), (arm, below, sorts)) for arm in run.sweep.arms}
        if all(point in points for pair in pairs.values() for point in pair):
            names = f"{LOOKS[above].short} ÷ {LOOKS[below].short}"
            words = f"{names}, {pluralize(sorts, 'sort')} per event"
            ratios = {
                arm: format_times(*compare_times(points[upper], points[lower]))
                for arm, (upper, lower) in pairs.items()
            }
            rows.append({"claim": claim, "words": words} | ratios)
    return rows


def format_times(ratio: float, low: float | None, high: float | None, shared: bool) -> str:
    """Return '4.20 [3.84 to 4.59]', or the ratio and why it has no interval."""
    if low is None or high is None:
        why = "threads share cores" if shared else "too few forks"
        return f"{format_value(ratio)} ({why})"
    return f"{format_value(ratio)} [{format_range(low, high)}]"


def list_changes(run: Run, rows: list[Any]) -> list[str]:
    """Return each point whose simultaneous interval lies on one side of 1, with its ratio."""
    sure = sorted((row for row in rows if row.low > 1 or row.high < 1), key=lambda row: row.ratio)
    return [f"{name_point(run, row)}: {format_ratio(row)}" for row in sure]


def format_ratio(row: Any) -> str:
    """Return '0.71 [0.66 to 0.77]', or why the point was not judged."""
    if pd.isna(row.low):
        return "–" if pd.isna(row.ratio) else f"{format_value(row.ratio)}, {row.why}"
    return f"{format_value(row.ratio)} [{format_range(row.low, row.high)}]"


def name_point(run: Run, row: Any) -> str:
    """Return 'blocking queue, 15 sorts'; the sweep has the rest of a point's parameters."""
    (params,) = [point.params for point in run.points if point.key == row.point]
    label = find_study(row.study).look(params["mechanism"]).label
    return f"{label}, {pluralize(int(params['sorts']), 'sort')}" if "sorts" in params else label


def measure_after(run: Run, row: Any) -> float:
    """Return the time of an arm's point; also of one that no other arm has."""
    if pd.notna(row.after):
        return float(row.after)
    forks = load_forks(run, row.study)
    measured = forks[forks["point"] == row.point]
    return mean_level(measured) if len(measured) else math.nan


def format_time(ns: float) -> str:
    return "–" if pd.isna(ns) else f"{format_value(ns)} ns"
