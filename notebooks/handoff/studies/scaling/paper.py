"""Content of the paper on its own study: sizes, points, cost of a sort, quoted runs."""

import numpy as np
import pandas as pd

from handoff.analysis.answer import Answer, find_answer
from handoff.analysis.forks import compute_fork_means
from handoff.catalog import load_catalog
from handoff.run.store.run import Run
from handoff.studies.scaling import (
    STUDY,
    cost_table,
    numbers,
    paper_figures,
    park,
    sensitivity,
    steadiness,
)
from handoff.tables import tidy
from handoff.text import format_range, pluralize

NOTABLE_SHARE = 0.10
"""Share by which a notable choice surely changes the time."""


def list_sizes(run: Run, study: str, *parameters: str) -> list[dict[str, int]]:
    """Return each combination of these parameters, shots and warm-up that a study's points have."""
    sizes = {
        (*(int(point.params[name]) for name in parameters), point.shots, point.warmup)
        for point in run.points
        if point.study == study and not point.unavailable
    }
    names = (*parameters, "shots", "warmup")
    return [dict(zip(names, size, strict=True)) for size in sorted(sizes)]


def describe_sizes(run: Run) -> dict:
    """Return the sizes of the sweep, and its values of the open choices."""
    measured = [p for p in run.points if p.study == STUDY.name and not p.unavailable]
    known = load_catalog()[STUDY.name].mechanisms
    values: dict[str, set[str]] = {name: set() for name in sensitivity.CHOICES}
    for point in measured:
        for name in values.keys() & known[point.params["mechanism"]] & point.params.keys():
            values[name].add(point.params[name])
    return {
        "sizes": list_sizes(run, STUDY.name, "sorts", "events"),
        "choices": {name: ", ".join(sorted(words)) for name, words in values.items()},
    }


def list_measured(forks: pd.DataFrame) -> list[dict]:
    """Return the points that fit the cores in each setting, with the ratio to sequential."""
    if forks.empty:
        return []
    rows = []
    for setting in paper_figures.list_settings(forks):
        baseline = paper_figures.select_baseline(forks, setting)
        rows += [{"setting": setting} | row for row in list_points(baseline)]
    return rows


def list_points(baseline: pd.DataFrame) -> list[dict]:
    """Return the points of one setting that fit the cores, as in the notebook."""
    fitting = numbers.tabulate_points(baseline[~baseline["oversubscribed"].astype(bool)])
    rows = fitting.reset_index().replace({np.nan: None}).to_dict("records")
    sequential = STUDY.look(STUDY.sequential).label
    alone = {row["sorts"]: row["ns_per_event"] for row in rows if row["mechanism"] == sequential}
    for row in rows:
        work = alone.get(row["sorts"])
        row["ratio"] = round(row["ns_per_event"] / work, 2) if work else None
    return rows


def summarize_sort_cost(forks: pd.DataFrame) -> dict | None:
    """Return the cost of a sort here in ns: least, median and greatest of the forks."""
    if forks.empty or forks["ns_per_sort"].isna().all():
        return None
    costs = forks["ns_per_sort"].agg(["min", "median", "max"]).round(1)
    return dict(zip(("least", "median", "greatest"), costs, strict=True))


def explain_sleep(run: Run, forks: pd.DataFrame) -> list[str]:
    """Return sentences on the loads at which the producer sleeps longer than the ring lasts."""
    if forks.empty:
        return []
    shown = cost_table.select_forks(forks, paper_figures.select_baseline(forks))
    return park.list_sentences(shown, park.list_parks(shown, park.load_sleeps(run)))


def load_shots(run: Run) -> pd.DataFrame:
    """Return the study's table of a run, written again from its forks."""
    tidy.write_tables(run)
    return tidy.load_table(run, STUDY.name)


def summarize_sensitivity(run: Run) -> dict | None:
    """Return how many choices change little, of how many, and the ratios of notable ones."""
    forks = compute_fork_means(load_shots(run))
    arms = sensitivity.compute_arms(forks)
    if arms.empty:
        return None
    arms = arms.assign(mechanism=arms["mechanism"].map(lambda name: STUDY.look(name).short))
    answers = [find_answer(row.low, row.high, NOTABLE_SHARE) for row in arms.itertuples()]
    notable = arms[[answer is Answer.CHANGES for answer in answers]]
    notable = notable.sort_values(["choice", "mechanism"])
    bounds = [format_range(*row) for row in notable[["low", "high"]].to_numpy()]
    notable = notable[["choice", "mechanism", "consumers", "ratio"]].assign(bounds=bounds)
    return {
        "run": run.folder.name,
        "whole": describe_completeness(run, forks),
        "sorts": ", ".join(str(sorts) for sorts in sorted(forks["sorts"].unique())),
        "compared": len(arms),
        "same": answers.count(Answer.SAME),
        "notable": notable.round(2).to_dict("records"),
    }


def summarize_warmup(run: Run) -> dict | None:
    """Return what long forks say about the rule by which other sweeps warm up."""
    shots = load_shots(run)
    forks = steadiness.tabulate_forks(shots)
    if forks.empty or not forks["enough"].any():
        return None
    rows = steadiness.tabulate_steadiness(forks)
    return {
        "run": run.folder.name,
        "whole": describe_completeness(run, compute_fork_means(shots)),
        "shots": int(forks["shots"].max()),
        "rows": rows.astype(object).where(rows.notna(), None).to_dict("records"),
    }


def describe_completeness(run: Run, forks: pd.DataFrame) -> str:
    """Return how complete a run is, such as '253 of 253 forks, 12 of them disturbed'."""
    disturbed = int((forks["disturbed"] != "").sum())
    more = f", {disturbed} of them disturbed" if disturbed else ""
    return f"{len(forks)} of {pluralize(len(run.tasks()), 'fork')}{more}"
