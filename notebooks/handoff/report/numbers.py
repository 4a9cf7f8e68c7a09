"""numbers.json: all numbers and sentences that the paper takes from the run."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.analysis.sessions import describe_sessions
from handoff.analysis.summary import tabulate_arms
from handoff.analysis.warm_up import tabulate_settling
from handoff.claims.files import load_claim_files
from handoff.claims.report import ClaimsReport
from handoff.draw.words import describe_incomplete
from handoff.files import read_json, write_text
from handoff.paths import RUNS, find_home, generated_folder
from handoff.report import (
    findings,
    harness,
    overview,
    reasons,
    related_runs,
    sections,
    threats,
)
from handoff.run import cost
from handoff.run.host.machine import count_usable, summarize_machine
from handoff.run.store.provenance import list_starts
from handoff.run.store.run import Run
from handoff.studies.scaling import paper
from handoff.study import find_primary
from handoff.tables import tidy

TRANSIENT = {"__pycache__", "generated"}
"""Folders that do not count as space that a run or a Python takes."""


def save_numbers(run: Run, claims: ClaimsReport) -> Path:
    """Write generated/<run>/numbers.json."""
    return write_numbers(run, "numbers.json", build_numbers(run, claims))


def update_figures(run: Run) -> None:
    """Write numbers.json again with the figures that exist now."""
    path = generated_folder(run.folder) / "numbers.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    write_numbers(run, path.name, content | {"figures": list_figures(run)})


def write_numbers(run: Run, name: str, content: dict) -> Path:
    """Write numbers, of numpy's or pandas' types too, into the run's generated folder."""
    path = generated_folder(run.folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(to_json_types(content), indent=1, allow_nan=False))
    return path


def build_numbers(run: Run, claims: ClaimsReport) -> dict:
    points = tidy.load_table(run, "points", every_arm=True)
    shots = tidy.load_shots(run, every_arm=True)
    studies = tidy.list_studies(run)
    primary = find_primary().name
    forks = (
        compute_fork_means(tidy.load_table(run, primary)) if primary in studies else pd.DataFrame()
    )
    companions = related_runs.build_related(run)
    measured = paper.list_measured(forks)
    rows = claims.claims(primary) if primary in studies else []
    sessions = shots["session"].nunique() if len(shots) else 0
    return {
        "forks": tidy.list_tabled_forks(run),
        "run": describe_run(run),
        "machine": describe_machine(run),
        "sweep": describe_sweep(run),
        "sessions": describe_sessions(sessions, shots["host"].nunique()) if sessions else "",
        "settling": tabulate_settling(shots).to_dict("records"),
        "points": count_points(points),
        "measured": measured,
        "claims": rows,
        "scope": findings.describe_scope(primary, claims.of(primary), rows),
        "findings": findings.list_findings(rows),
        "conclusion": findings.find_conclusion(rows),
        "abstract": findings.list_abstract(rows),
        "order": findings.describe_order(companions["sensitivity"]),
        "choices": claims.choices(primary) if primary in studies else [],
        "threats": threats.list_threats(run, claims, rows, shots),
        "harness": {"sentences": harness.describe_harness(run), "limit": harness.LIMIT},
        "why": reasons.explain_costs(measured),
        "settings": load_claim_files()[primary].settings,
        "sleep": paper.explain_sleep(run, forks),
        "cost_of_a_sort": paper.summarize_sort_cost(forks),
        **sections.describe_claims(run, claims, primary, rows),
        "studies": [
            sections.build_section(run, claims, study) for study in studies if study != primary
        ],
        "figures": list_figures(run),
        "companions": companions,
        "artifact": build_appendix(run, points, shots),
    }


def describe_run(run: Run) -> dict:
    starts = [read_json(path) for path in list_starts(run.folder)]
    return {
        "name": run.folder.name,
        "about": run.sweep.about,
        "verdicts": run.sweep.verdicts,
        "started": run.identity["started"][:10],
        "jdk": run.identity["jdk"],
        "jar": run.identity["jar"][:12],
        "heap": run.sweep.jvm.heap,
        "touched": describe_touching(run),
        "flags": run.sweep.jvm.flags,
        "arms": tabulate_arms(run).to_dict("records"),
        "extensions": [extension.sentence for extension in run.extensions if not extension.planned],
        "commits": sorted({(start["commit"] or "unknown")[:12] for start in starts}) or ["unknown"],
        "changed": any(start["clean"] is False for start in starts),
        "command": starts[-1]["command"] if starts else f"./run_all.sh {run.identity['profile']}",
    }


def describe_touching(run: Run) -> str:
    """Say which points had their heap touched before the first shot, by the flags in force."""
    memory = {p.params.get("memory") == "FIRST_TOUCH" for p in run.points if not p.unavailable}
    if memory == {True}:
        return "not touched beforehand"
    return f"touched beforehand{', except at points with FIRST_TOUCH' if True in memory else ''}"


def describe_machine(run: Run) -> dict:
    """Return the machine in words, `short` without memory and kernel, and its properties."""
    words = summarize_machine(run.machine)
    return {
        "words": words,
        "short": words.rsplit(", ", 2)[0],
        "nodes": count_usable(run.machine, "node"),
        "virtual": bool(run.machine["topology"]["virtual"]),
        "sentences": overview.describe_fit(run),
        "properties": overview.list_properties(run),
    }


def describe_sweep(run: Run) -> dict:
    """Return the primary study's sizes and choices, and the plan's number and order of forks."""
    return {
        **paper.describe_sizes(run),
        "fitting": run.sweep.forks.fitting,
        "sessions": run.sessions,
        "oversubscribed": run.sweep.forks.oversubscribed,
        "seed": run.sweep.seed,
        "again": run.sweep.quiet.again,
        "warmup_limit": run.sweep.warmup_limit,
    }


def count_points(points: pd.DataFrame) -> dict:
    incomplete = points[points["found"] < points["asked"]]
    measured = points[points["found"] > 0]
    return {
        "points": len(points),
        "measured": len(measured),
        "shared": int(measured["oversubscribed"].sum()),
        "asked": int(points["asked"].sum()),
        "found": int(points["found"].sum()),
        "disturbed": int(points["disturbed"].sum()),
        "lacking": describe_incomplete(incomplete),
    }


def list_figures(run: Run) -> list[dict]:
    """Return name, file without words, and words of the drawn figures, main ones first.

    The footnote is without the run, which the paper names once.
    """
    folder = generated_folder(run.folder) / "figures" / "print"
    figures = []
    for path in sorted(folder.glob("*.json")):
        words = json.loads(path.read_text(encoding="utf-8"))
        words["note"] = words["note"].replace(run.title(), "").strip()
        figures.append({"name": path.stem, "file": f"figures/print/{path.stem}.svg", **words})
    return sorted(figures, key=lambda figure: (not figure["main"], figure["name"]))


def build_appendix(run: Run, points: pd.DataFrame, shots: pd.DataFrame) -> dict:
    """Return time and space that the run took, and its commands, for the artifact's appendix."""
    forks = shots.drop_duplicates(["point", "fork", "again"])
    elsewhere = "" if find_home(run.folder) == RUNS else " --data DIR"
    return {
        "machine_time": cost.format_duration(forks["seconds"].sum() if len(forks) else 0.0),
        "forks": int(points["found"].sum()),
        "run_mib": measure_mib(run.folder),
        "python_mib": measure_mib(Path(sys.prefix)),
        "memory": run.sweep.jvm.heap,
        "command": f"./run_all.sh {run.identity['profile']}",
        "redraw": f"./run_all.sh {run.folder.name}{elsewhere}",
    }


def measure_mib(folder: Path) -> float:
    """Return the size of a folder's files in MiB, without Python's caches and generated files."""
    size = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = set(folders) - TRANSIENT
        size += sum(Path(parent, name).lstat().st_size for name in names)
    return round(size / 2**20, 1)


def to_json_types(value: object) -> object:
    """Convert numpy's numbers to Python's, and missing values of any kind to None, for JSON."""
    if isinstance(value, dict):
        return {name: to_json_types(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_types(item) for item in value]
    if value is None or pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value
