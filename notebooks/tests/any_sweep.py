"""Runs of random small sweeps: planned by the jar for a machine of any kind, forks MADE UP.

Nothing is measured. They show that notebooks and reports work on whatever a valid sweep can ask.
"""

import ast
import random
from math import exp
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import yaml

from handoff.catalog import YOURS, load_catalog
from handoff.errors import BadInput
from handoff.paths import NOTEBOOKS
from handoff.run.host.shape import parse_shape, write_tree
from handoff.run.java.jdk import Jdk
from handoff.run.plan import selection
from handoff.run.plan.points import Point
from handoff.run.planning import LocalPlanner
from handoff.run.store.run import Run

from . import synthetic
from .synthetic import JAVA, SHARES, write_fork, write_run

SHAPES = ("1x1", "1x2", "1x6", "2x6", "1x6*2", "2x64/4")
"""Machines of 1 to 128 cores, most of them none that a shipped sweep was measured on."""

LARGEST = 40
"""Numbers of a parameter are at most this, or near its default."""

PLACEMENTS = ["COMPACT", "PAPER", "SCATTER", "ONE_NODE", "UNPINNED"]
STATISTICS = ("min", "mean", "p50", "p99", "p9999", "max")
OPTIONAL = ("remote_hits", "cache_misses", "stayed")
"""Measures that a fork may lack."""


def make_run(folder: Path, golden: dict, study: str, seed: str, java: Jdk) -> Run:
    """Return a run of a random sweep of the study, with made-up forks; `seed` chooses it."""
    chance = random.Random(f"{study} {seed}")
    while True:
        sweep, shape = draw_sweep(chance, study), chance.choice(SHAPES)
        try:
            return make_sweep_run(folder, golden, sweep, shape, chance, java)
        except BadInput:
            # Not a valid sweep, or not for this machine: nothing was written.
            continue


def make_sweep_run(
    folder: Path, golden: dict, sweep: dict, shape: str, chance: random.Random, java: Jdk
) -> Run:
    """Return a run of this sweep on a machine of this shape; raise BadInput if it is impossible."""
    root, file = folder.with_name("machine"), folder.with_name("own.yml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(yaml.safe_dump(sweep))
    write_tree(parse_shape(shape), root)
    asked = selection.select_sweep(str(file), [], [])
    planner = LocalPlanner(java, root)
    points = planner.preview(asked)
    here, _ = planner.identify(asked)
    identity = {"sweep": "0", "machine": here["id"], **JAVA, "profile": "smoke"}
    if asked.sweep.arms:
        identity["arms"] = {arm: JAVA | {"flags": arm} for arm in asked.sweep.arms}
    identity["started"] = "2015-01-01T00:00:00+00:00"
    run = write_run(folder, sweep, here, identity, points)
    write_forks(run, golden, chance)
    return run


def draw_sweep(chance: random.Random, study: str) -> dict:
    """Return a sweep of one to three mechanisms, and of one to nine combinations of values."""
    spec = load_catalog()[study]
    known = [name for name in spec.mechanisms if name != YOURS]
    some = chance.choice((1, 1, 2, 3))
    entry: dict = {"mechanism": chance.sample(known, min(some, len(known)))}
    others = [p for p in spec.parameters if p.name not in ("mechanism", "events", "collector")]
    numeric = [p for p in others if not p.values]
    chosen = chance.sample(others, chance.choice((0, 1, 2)))
    chosen += chance.sample(numeric, min(2, len(numeric)))
    for parameter in chosen:
        count = chance.choice((1, 1, 2, 3))
        if parameter.values:
            words = PLACEMENTS if parameter.name == "placement" else parameter.values
            entry[parameter.name] = chance.sample(words, min(count, len(words)))
        else:
            default = int(parameter.default)
            numbers = {default, chance.choice((default // 2, default * 2))}
            numbers |= {chance.randint(1, LARGEST) for _ in range(count)}
            allowed = sorted(n for n in numbers if parameter.min <= n <= parameter.max)
            entry[parameter.name] = chance.sample(allowed, min(count, len(allowed)))
    shots = chance.choice((1, 2, 3))
    flags = {"plain": {}, "large": {"flags": ["-XX:+UseLargePages"]}}
    return {
        "about": "made up",
        "arms": flags if chance.random() < 0.15 else {},
        "verdicts": chance.random() < 0.7,
        "forks": {"fitting": chance.choice((1, 2, 5)), "oversubscribed": chance.choice((0, 1, 5))},
        "studies": {study: [entry | {"shots": shots}]},
    }


def write_forks(run: Run, golden: dict, chance: random.Random) -> None:
    """Write a fork file per planned fork, in one or two sessions; some runs miss some of them."""
    spread, later = chance.choice((0, 0.03, 0.3)), chance.choice((0, 0, 2))
    missing = chance.choice((0, 0, 0.2))
    for order, (point, fork) in enumerate(run.tasks()):
        if order and chance.random() < missing:
            continue
        ns = random.Random(point.key).uniform(3, 12)
        earlier = {"utc": f"2026-10-01T0{fork}:00:00+00:00"}
        moments = {name: golden[name] | earlier for name in ("before", "after")}
        shots = [
            imagine_shot(point, golden, exp(ns + chance.gauss(0, spread)))
            for _ in range(point.shots)
        ]
        write_fork(run, golden, point, fork, order, shots, **(moments if fork < later else {}))


def add_missing(run: Run, golden: dict) -> None:
    """Write the missing fork files of a run, later than those that exist."""
    chance = random.Random(run.folder.name)
    for order, (point, fork) in enumerate(run.missing(), len(run.tasks())):
        ns = random.Random(point.key).uniform(3, 12)
        later = {"utc": f"2040-01-01T00:{order // 60:02}:{order % 60:02}.000+00:00"}
        moments = {name: golden[name] | later for name in ("before", "after")}
        shots = [
            imagine_shot(point, golden, exp(ns + chance.gauss(0, 0.05))) for _ in range(point.shots)
        ]
        write_fork(run, golden, point, fork, order, shots, **moments)


def imagine_shot(point: Point, golden: dict, ns: float) -> dict:
    """Return one shot of `ns` nanoseconds per event, with the study's measures."""
    shot = synthetic.imagine_shot(point, golden, ns, 0.9, imagine_measures(point, ns))
    if point.params["mechanism"] == "CACHE_LINE":
        numbers = range(len(point.threads))
        shot["matrices"] = {"hop": [[ns if i != j else None for j in numbers] for i in numbers]}
    return shot


def imagine_measures(point: Point, ns: float) -> dict[str, float]:
    """Return the study's measures that apply to the point, as the jar reports them."""
    chance = random.Random(point.key)
    params, names = point.params, load_catalog()[point.study].measures
    if point.study == "latency":
        kinds = ["hop", "published", "total"]
        kinds += ["due"] if params["pacing"] == "SCHEDULE" else []
        if params["recording"] == "EVERY_STAGE":
            kinds += [f"stage{stage + 1}" for stage in range(int(params["stages"]))]
        names = [f"{kind}_{statistic}" for kind in kinds for statistic in STATISTICS]
        names += ["clock_ns", "recorder_ns", "recorder_bytes"]
    if point.study == "hops":
        of_lines = params["mechanism"] == "CACHE_LINE"
        names = [name for name in names if name.startswith("hop_") == of_lines]
    kept = [name for name in names if name not in OPTIONAL or chance.random() < 0.5]
    return {name: chance.random() if name in SHARES else ns for name in kept}


def execute_cells(name: str, run: Run) -> None:
    """Execute a notebook's cells in this process; fail if a cell, or what it shows, raises."""
    names: dict = {"display": show}
    try:
        for cell in nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells:
            if cell.cell_type != "code":
                continue
            body = ast.parse(cell.source)
            last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
            exec(compile(body, name, "exec"), names)
            if last is not None:
                show(eval(compile(ast.Expression(last.value), name, "eval"), names))
            if "parameters" in cell.metadata.get("tags", []):
                names["run_name"] = str(run.folder)
    finally:
        plt.close("all")


def show(*things: object) -> None:
    """Make what a notebook would show of these."""
    for thing in things:
        make = getattr(thing, "_repr_html_", None)
        str(make() if make else thing)
