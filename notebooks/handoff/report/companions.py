"""Runs of the same machine that answer what this one leaves open: sensitivity to our choices, and warm-up."""

from pathlib import Path

import pandas as pd

from handoff import tidy
from handoff.draw import sensitivity
from handoff.errors import BadInput
from handoff.judge import warmup
from handoff.judge.forks import fork_means
from handoff.run import store
from handoff.run.store import Run

NOTABLE = 0.10
"""A choice is told as mattering when its whole interval lies this far from no change."""


def find(run: Run, profile: str) -> Run | None:
    """The latest run of that profile beside this one, of the same machine and JDK; the run itself if it is one."""
    others = [folder.parent for folder in run.folder.parent.glob("*/plan.json")]
    runs = [found for folder in others if (found := readable(folder)) and found.identity["profile"] == profile]
    alike = [r for r in runs if all(r.identity[key] == run.identity[key] for key in ("machine", "jdk"))]
    return max(alike, key=lambda r: r.identity["started"], default=None)


def readable(folder: Path) -> Run | None:
    try:
        return store.read(folder)
    except BadInput:
        return None


def shots_of(run: Run | None) -> pd.DataFrame:
    """Its tidy table of scaling; made where it is not there yet, empty without a run."""
    if run is None:
        return pd.DataFrame()
    if not (run.folder / "tidy" / "scaling.csv").is_file():
        tidy.tidy(run)
    return tidy.load(run, "scaling")


def build(run: Run) -> dict:
    """For numbers.json: `sensitivity` and `warmup`, each None where no such run is beside this one."""
    return {"sensitivity": of_sensitivity(find(run, "sensitivity")), "warmup": of_warmup(find(run, "warmup"))}


def of_sensitivity(run: Run | None) -> dict | None:
    """Each choice that could be judged: time under it over time under the defaults, and which of them matter."""
    forks = fork_means(shots_of(run))
    arms = sensitivity.arms(forks) if len(forks) else pd.DataFrame()
    if arms.empty:
        return None
    judged = arms[~arms["oversubscribed"].astype(bool) & arms["low"].notna()].assign(
        low=lambda t: t["low"].astype(float), high=lambda t: t["high"].astype(float)
    )
    notable = judged[(judged["low"] > 1 + NOTABLE) | (judged["high"] < 1 / (1 + NOTABLE))]
    columns = ["choice", "mechanism", "consumers", "ratio", "low", "high"]
    return {
        "run": run.folder.name,
        "judged": len(judged),
        "notable": notable.sort_values(["choice", "mechanism"])[columns].round(2).to_dict("records"),
        "rows": judged[columns].round(2).to_dict("records"),
    }


def of_warmup(run: Run | None) -> dict | None:
    """What the long forks say of the warm-up counts of `quick`."""
    forks = warmup.by_fork(shots_of(run))
    if forks.empty or not forks["enough"].any():
        return None
    rows = warmup.table(forks, warmup.quick_counts())
    return {
        "run": run.folder.name,
        "words": warmup.in_words(forks),
        "rows": rows.astype(object).where(rows.notna(), None).to_dict("records"),
    }
