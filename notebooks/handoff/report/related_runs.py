"""Runs of the same machine that answer what this one leaves open: sensitivity to our choices, and
warm-up.
"""

from pathlib import Path

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.errors import BadInput
from handoff.registry import find_primary
from handoff.run import store
from handoff.run.store import Run
from handoff.studies.scaling import sensitivity, steadiness
from handoff.tables import tidy
from handoff.text import pluralize

NOTABLE_SHARE = 0.10
"""A choice is told as mattering when its whole interval lies this far from no change."""


def find_related(run: Run, profile: str) -> Run | None:
    """The run of that profile beside this one that is most whole, then latest: of the same machine,
    JDK and flags; itself if it is one.
    """
    others = [folder.parent for folder in run.folder.parent.glob("*/plan.json")]
    runs = [
        found
        for folder in others
        if (found := read_if_whole(folder))
        and found.identity["profile"] == profile
        and found.sweep.verdicts
    ]
    alike = [
        r
        for r in runs
        if all(r.identity[key] == run.identity[key] for key in ("machine", "jdk", "flags"))
    ]
    return max(alike, key=lambda r: (-len(r.missing()), r.identity["started"]), default=None)


def list_quoted_forks(run: Run) -> dict[str, list]:
    """The forks of the runs that are quoted beside this one: tells whether what was quoted is still
    so.
    """
    found = [find_related(run, profile) for profile in ("sensitivity", "warmup")]
    return {beside.folder.name: tidy.list_forks(beside) for beside in found if beside}


def read_if_whole(folder: Path) -> Run | None:
    try:
        return store.read_run(folder)
    except BadInput:
        return None


def load_scaling_shots(run: Run | None) -> pd.DataFrame:
    """Its table of scaling; empty without a run."""
    return pd.DataFrame() if run is None else tidy.load_fresh(run, "scaling")


def build_related(run: Run) -> dict:
    """For numbers.json: `sensitivity` and `warmup`, each None where no such run is beside this one."""
    return {
        "forks": list_quoted_forks(run),
        "sensitivity": summarize_sensitivity(find_related(run, "sensitivity")),
        "warmup": summarize_warmup(find_related(run, "warmup")),
    }


def summarize_sensitivity(run: Run | None) -> dict | None:
    """Each choice that could be judged: time under it over time under the defaults, and which of
    them matter.
    """
    forks = compute_fork_means(load_scaling_shots(run))
    arms = sensitivity.compute_arms(forks) if len(forks) else pd.DataFrame()
    if arms.empty:
        return None
    judged = arms[~arms["oversubscribed"].astype(bool) & arms["low"].notna()].assign(
        low=lambda t: t["low"].astype(float), high=lambda t: t["high"].astype(float)
    )
    notable = judged[
        (judged["low"] > 1 + NOTABLE_SHARE) | (judged["high"] < 1 / (1 + NOTABLE_SHARE))
    ]
    notable = notable.assign(
        mechanism=notable["mechanism"].map(lambda name: find_primary().look(name).short)
    )
    columns = ["choice", "mechanism", "consumers", "ratio", "low", "high"]
    return {
        "run": run.folder.name,
        "whole": describe_completeness(run, forks),
        "sorts": ", ".join(str(sorts) for sorts in sorted(forks["sorts"].unique())),
        "judged": len(judged),
        "notable": (
            notable.sort_values(["choice", "mechanism"])[columns].round(2).to_dict("records")
        ),
    }


def summarize_warmup(run: Run | None) -> dict | None:
    """What the long forks say of the warm-up counts of `quick`."""
    shots = load_scaling_shots(run)
    forks = steadiness.tabulate_forks(shots)
    if forks.empty or not forks["enough"].any():
        return None
    rows = steadiness.tabulate_steadiness(forks, steadiness.load_quick_counts())
    return {
        "run": run.folder.name,
        "whole": describe_completeness(run, compute_fork_means(shots)),
        "shots": int(forks["shots"].max()),
        "rows": rows.astype(object).where(rows.notna(), None).to_dict("records"),
    }


def describe_completeness(run: Run, forks: pd.DataFrame) -> str:
    """'253 of 253 forks, 12 of them disturbed': how far a run may be quoted."""
    disturbed = int((forks["disturbed"] != "").sum())
    return f"{len(forks)} of {pluralize(len(run.tasks()), 'fork')}" + (
        f", {disturbed} of them disturbed" if disturbed else ""
    )
