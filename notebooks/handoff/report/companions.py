"""Runs of the same machine that answer what this one leaves open: sensitivity to our choices, and warm-up."""

from pathlib import Path

import pandas as pd

from handoff import tidy
from handoff.draw import sensitivity
from handoff.errors import BadInput
from handoff.judge import warmup
from handoff.judge.forks import fork_means
from handoff.names import counted, look
from handoff.run import store
from handoff.run.store import Run

NOTABLE = 0.10
"""A choice is told as mattering when its whole interval lies this far from no change."""


def find(run: Run, profile: str) -> Run | None:
    """The run of that profile beside this one that is most whole, then latest: of the same machine, JDK and flags; itself if it is one."""
    others = [folder.parent for folder in run.folder.parent.glob("*/plan.json")]
    runs = [found for folder in others if (found := readable(folder)) and found.identity["profile"] == profile and found.sweep.verdicts]
    alike = [r for r in runs if all(r.identity[key] == run.identity[key] for key in ("machine", "jdk", "flags"))]
    return max(alike, key=lambda r: (-len(r.missing()), r.identity["started"]), default=None)


def state(run: Run) -> dict[str, list]:
    """The forks of the runs that are quoted beside this one: tells whether what was quoted is still so."""
    found = [find(run, profile) for profile in ("sensitivity", "warmup")]
    return {beside.folder.name: tidy.identity(beside) for beside in found if beside}


def readable(folder: Path) -> Run | None:
    try:
        return store.read(folder)
    except BadInput:
        return None


def shots_of(run: Run | None) -> pd.DataFrame:
    """Its table of scaling; empty without a run."""
    return pd.DataFrame() if run is None else tidy.fresh(run, "scaling")


def build(run: Run) -> dict:
    """For numbers.json: `sensitivity` and `warmup`, each None where no such run is beside this one."""
    return {"forks": state(run), "sensitivity": of_sensitivity(find(run, "sensitivity")), "warmup": of_warmup(find(run, "warmup"))}


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
    notable = notable.assign(mechanism=notable["mechanism"].map(lambda name: look(name).short))
    columns = ["choice", "mechanism", "consumers", "ratio", "low", "high"]
    return {
        "run": run.folder.name,
        "whole": whole(run, forks),
        "sorts": ", ".join(str(sorts) for sorts in sorted(forks["sorts"].unique())),
        "judged": len(judged),
        "notable": notable.sort_values(["choice", "mechanism"])[columns].round(2).to_dict("records"),
    }


def of_warmup(run: Run | None) -> dict | None:
    """What the long forks say of the warm-up counts of `quick`."""
    shots = shots_of(run)
    forks = warmup.by_fork(shots)
    if forks.empty or not forks["enough"].any():
        return None
    rows = warmup.table(forks, warmup.quick_counts())
    return {
        "run": run.folder.name,
        "whole": whole(run, fork_means(shots)),
        "shots": int(forks["shots"].max()),
        "rows": rows.astype(object).where(rows.notna(), None).to_dict("records"),
    }


def whole(run: Run, forks: pd.DataFrame) -> str:
    """'253 of 253 forks, 12 of them disturbed': how far a run may be quoted."""
    disturbed = int((forks["disturbed"] != "").sum())
    return f"{len(forks)} of {counted(len(run.tasks()), 'fork')}" + (f", {disturbed} of them disturbed" if disturbed else "")
