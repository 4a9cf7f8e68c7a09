"""Two runs beside each other: what changed on one machine, or the shape and scale of two; their
forks are never pooled.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.contrast import adjust_holm
from handoff.analysis.forks import MIN_FORKS_FOR_INTERVAL, MIN_FORKS_FOR_VERDICT, compute_fork_means
from handoff.analysis.sessions import compare_forks
from handoff.errors import BadInput
from handoff.registry import find_study
from handoff.run.store.identity import SETUP_KEYS, list_other
from handoff.run.store.run import Run
from handoff.study import Response
from handoff.tables import tidy

ALPHA = 0.05


class Comparison(NamedTuple):
    """`rows`: one a point that both runs have; `changed`: in what the runs differ; `slower`: the
    points that regressed.
    """

    rows: pd.DataFrame
    same_machine: bool
    changed: list[str]
    slower: pd.DataFrame


def compare_runs(before: Run, after: Run, margin: float) -> Comparison:
    """Point by point, after ÷ before of what its study is compared by (time; of the latency study a
    hop's latency), with the 95 % Welch interval on log fork means.

    On one machine a point is slower when its ratio is above 1 + margin, one-sided at 5 % after
    Holm's adjustment over all points that fit the cores. Between machines nothing is a regression.

    BadInput where no point was measured in both: a gate must not pass for want of anything to
    judge.
    """
    same = before.identity["machine"] == after.identity["machine"]
    changed = list_other(before.identity, after.identity, SETUP_KEYS)
    changed = ["sweep", *changed] if before.sweep_hash != after.sweep_hash else changed
    for run in (before, after):
        tidy.write_tables(run)
    rows = pd.DataFrame(
        [
            row
            for study in list_common_studies(before, after)
            for row in compare_points(study, before, after, margin)
        ],
        columns=COLUMNS,
    )
    if rows.empty:
        raise BadInput(
            f"{before.folder.name} and {after.folder.name} have no measured point in common."
        )
    # Without any judged point, or any interval, pandas would keep the blanks as objects.
    rows = rows.astype(
        dict.fromkeys(("low", "high", "shape_before", "shape_after", "p_slower"), float)
    )
    judged = rows["p_slower"].notna()
    rows.loc[judged, "p_slower"] = adjust_holm(rows.loc[judged, "p_slower"].tolist())
    slower = rows[rows["p_slower"] < ALPHA] if same else rows.head(0)
    return Comparison(rows, same, changed, slower)


COLUMNS = [
    "study",
    "point",
    "what",
    "quantity",
    "direction",
    "forks",
    "before",
    "after",
    "ratio",
    "low",
    "high",
]
COLUMNS += ["shape_before", "shape_after", "oversubscribed", "p_slower"]


def list_common_studies(before: Run, after: Run) -> list[str]:
    there = {point.study for point in after.points}
    return [
        study for study in dict.fromkeys(point.study for point in before.points) if study in there
    ]


def compare_points(study: str, before: Run, after: Run, margin: float) -> list[list]:
    """A row a point of the study that both runs have forks of; judged, with a p value, where both
    may judge it.
    """
    old, new = (compute_fork_means(tidy.load_table(run, study)) for run in (before, after))
    if old.empty or new.empty:
        return []
    rows = []
    # In the order of the plan; points that share cores, which are not judged, last.
    for point in sorted(
        (each for each in after.points if each.study == study), key=lambda each: each.oversubscribed
    ):
        then, now = (forks[forks["point"] == point.key] for forks in (old, new))
        response = find_response(study, then, now)
        if response is None:
            continue
        then, now = (forks.assign(ns_per_event=forks[response.column]) for forks in (then, now))
        found = compare_forks(now.drop(columns="session"), then.drop(columns="session"))
        interval = found.interval(0.95) if found.forks >= MIN_FORKS_FOR_INTERVAL else None
        low, high = interval or (None, None)
        both = pd.concat([then, now])
        judged = (
            before.sweep.verdicts and after.sweep.verdicts and found.forks >= MIN_FORKS_FOR_VERDICT
        )
        judged = judged and not both[["oversubscribed", "too_short"]].any(axis=None)
        numbers = [then["ns_per_event"].mean(), now["ns_per_event"].mean(), found.ratio, low, high]
        shape = [
            compute_ratio_to_sequential(study, forks, own)
            for forks, own in ((old, then), (new, now))
        ]
        shared = bool(both["oversubscribed"].any())
        p = found.p_above(1 + margin) if judged else None
        rows.append(
            [
                study,
                point.key,
                str(point).removeprefix(f"{study} "),
                response.axis,
                name_direction(low, high),
                f"{len(then)}, {len(now)}",
                *numbers,
                *shape,
                shared,
                p,
            ]
        )
    return rows


def find_response(study: str, then: pd.DataFrame, now: pd.DataFrame) -> Response | None:
    """What points of the study are compared by: the first of its responses that both have."""
    return next(
        (
            response
            for response in find_study(study).responses
            if all(
                len(forks) and response.column in forks and forks[response.column].notna().all()
                for forks in (then, now)
            )
        ),
        None,
    )


def name_direction(low: float | None, high: float | None) -> str:
    """Whether the interval excludes no change, and on which side; '' where it does not."""
    if low is None or high is None:
        return ""
    return "more" if low > 1 else "less" if high < 1 else ""


def compute_ratio_to_sequential(name: str, forks: pd.DataFrame, own: pd.DataFrame) -> float | None:
    """Time over that of one thread alone doing the same work, within one run: the shape that two
    machines may share. None in a study that has no such mechanism.
    """
    study = find_study(name)
    alike = forks["mechanism"] == study.sequential
    for parameter in study.same_work:
        alike &= forks[parameter] == own[parameter].iloc[0]
    alone = forks.loc[alike, "ns_per_event"]
    if alone.empty:
        return None
    return float(np.exp(np.log(own["ns_per_event"]).mean() - np.log(alone).mean()))
