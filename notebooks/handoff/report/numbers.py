"""numbers.json: everything that the paper says in numbers, so that none is typed by hand."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from handoff import tidy
from handoff.draw import notes, scaling, sensitivity
from handoff.judge import table
from handoff.judge.forks import fork_means
from handoff.names import look
from handoff.paths import generated
from handoff.report import artifact, companions, others
from handoff.report.claims import Claims
from handoff.run import describe
from handoff.run.files import replace
from handoff.run.machine import in_words, usable_nodes
from handoff.run.store import Run
from handoff.run.studies import studies


def save(run: Run, claims: Claims) -> Path:
    """Writes generated/<run>/numbers.json."""
    path = generated(run.folder) / "numbers.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, json.dumps(plain(build(run, claims)), indent=1, allow_nan=False))
    return path


def build(run: Run, claims: Claims) -> dict:
    points = tidy.load(run, "points")
    measured_studies = list(dict.fromkeys(points["study"]))
    forks = fork_means(tidy.load(run, "scaling")) if "scaling" in measured_studies else pd.DataFrame()
    baseline = scaling.baseline(forks) if len(forks) else forks
    return {
        "forks": tidy.tabled(run),
        "run": about(run),
        "machine": {
            "words": in_words(run.machine),
            "nodes": usable_nodes(run.machine),
            "virtual": bool(run.machine["topology"]["virtual"]),
            "sentences": describe.answers(run),
        },
        "sweep": sweep(run),
        "points": found(points),
        "measured": measured(baseline),
        "cost_of_a_sort": sort_cost(forks),
        "verdicts": claims.verdicts("scaling"),
        "summary": claims.summary("scaling"),
        "divided": claims.divided("scaling"),
        "shown": claims.shown("scaling"),
        "studies": [others.build(run, claims, study) for study in measured_studies if study != "scaling"],
        "elsewhere": elsewhere(claims, ["scaling", *measured_studies]),
        "figures": figures(run),
        "companions": companions.build(run),
        "artifact": artifact.build(run, points, tidy.shots(run)),
    }


def about(run: Run) -> dict:
    sessions = [json.loads(path.read_text()) for path in sorted((run.folder / "sessions").glob("*.json"))]
    return {
        "name": run.folder.name,
        "about": run.sweep.about,
        "verdicts": run.sweep.verdicts,
        "started": run.identity["started"][:10],
        "jdk": run.identity["jdk"],
        "jar": run.identity["jar"][:12],
        "heap": run.sweep.jvm.heap,
        "flags": run.sweep.jvm.flags,
        "commits": sorted({(session["commit"] or "unknown")[:12] for session in sessions}),
        "changed": any(session["clean"] is False for session in sessions),
        "command": sessions[-1]["command"] if sessions else f"./run_all.sh {run.identity['profile']}",
    }


def sweep(run: Run) -> dict:
    """The sizes of the sweep, and the values that it gives to the choices of the measurement."""
    measured = [point for point in run.points if point.study == "scaling" and not point.unavailable]
    sizes = sorted({(int(p.params["sorts"]), int(p.params["events"]), p.shots, p.warmup) for p in measured})
    known = studies()["scaling"].mechanisms
    values = {name: {p.params[name] for p in measured if name in known[p.params["mechanism"]]} for name in sensitivity.CHOICES}
    return {
        "sizes": [dict(zip(("sorts", "events", "shots", "warmup"), size, strict=True)) for size in sizes],
        "choices": {name: ", ".join(sorted(words)) for name, words in values.items()},
        "fitting": run.sweep.forks.fitting,
        "oversubscribed": run.sweep.forks.oversubscribed,
        "seed": run.sweep.seed,
        "again": run.sweep.quiet.again,
    }


def found(points: pd.DataFrame) -> dict:
    lacking = points[points["found"] < points["asked"]]
    return {
        "points": len(points),
        "asked": int(points["asked"].sum()),
        "found": int(points["found"].sum()),
        "disturbed": int(points["disturbed"].sum()),
        "oversubscribed": int((points["oversubscribed"] & points["unavailable"].isna()).sum()),
        "lacking": notes.incomplete(lacking),
    }


def measured(baseline: pd.DataFrame) -> list[dict]:
    """The points that fit the cores, as the notebook's table has them, with the ratio to sequential."""
    if baseline.empty:
        return []
    fitting = table.numbers(baseline[~baseline["oversubscribed"].astype(bool)]).reset_index()
    rows = fitting.replace({np.nan: None}).to_dict("records")
    alone = {row["sorts"]: row["ns_per_event"] for row in rows if row["mechanism"] == look("SEQUENTIAL").label}
    return [row | {"ratio": round(row["ns_per_event"] / alone[row["sorts"]], 2) if row["sorts"] in alone else None} for row in rows]


def sort_cost(forks: pd.DataFrame) -> dict | None:
    """What a sort cost here, in ns: least, median and greatest of the forks."""
    if forks.empty or forks["ns_per_sort"].isna().all():
        return None
    costs = forks["ns_per_sort"]
    return {"least": round(costs.min(), 1), "median": round(costs.median(), 1), "greatest": round(costs.max(), 1)}


def elsewhere(claims: Claims, told: list[str]) -> list[dict]:
    """The claims of the studies that the run did not measure: what they say, and what their own numbers say of it."""
    rows = claims.rows[~claims.rows["study"].isin(told)].drop_duplicates("claim")
    rows = rows.sort_values("claim", key=lambda names: names.str[0] + names.str[1:].str.zfill(2))
    return rows[["study", "claim", "says", "theirs", "verdict", "reason"]].to_dict("records")


def figures(run: Run) -> list[dict]:
    """Figures that were drawn: name, file without footnote, and the footnote."""
    folder = generated(run.folder) / "figures" / "print"
    return [
        {"name": path.stem, "file": f"figures/print/{path.name}", "note": path.with_suffix(".txt").read_text(encoding="utf-8")}
        for path in sorted(folder.glob("*.svg"))
    ]


def plain(value: object) -> object:
    """The same for JSON: numpy's numbers as Python's, blanks of any kind as null."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if value is None or pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value
