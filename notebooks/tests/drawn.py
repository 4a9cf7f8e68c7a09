"""Figures of every study, drawn from runs of any points, with their words and their forks.

The runs move one parameter after another off its shipped value; their forks are MADE UP.
"""

import copy
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from handoff.analysis.baseline import mask_irrelevant
from handoff.catalog import YOURS, load_catalog
from handoff.draw.study_figures import StudyFigures
from handoff.draw.swept import SweptFigures
from handoff.draw.swept_layout import MOST_FIGURES
from handoff.draw.words import Words
from handoff.run.plan import expansion
from handoff.run.plan.points import Point
from handoff.run.plan.sweep import validate_sweep
from handoff.run.store.run import Run
from handoff.studies.ladder import STEPS, TAKEN_AWAY
from handoff.studies.scaling.paper_panel import FIGURES
from handoff.study import find_study
from handoff.tables import tidy

from . import synthetic
from .any_sweep import PLACEMENTS, write_forks
from .synthetic import JAVA, MACHINE, topology, write_run

METHODS = {
    "scaling": ("cost", "page", "oversubscribed_page", "sensitivity", "drift"),
    "ladder": ("loads", "figure"),
    "topologies": ("ratios",),
    "latency": ("percentiles",),
    "counters": ("figure",),
    "executors": ("ranking",),
    "ring": ("figure",),
    "actors": ("figure",),
    "hops": ("figure",),
}
"""Methods by which the notebook of a study draws its figures, those by setting and load aside."""

BASE = {
    "scaling": {"consumers": [1, 2], "sorts": [1, 15, 300]},
    "ladder": {"sorts": [1, 15]},
    "topologies": {"topology": ["UNICAST", "PIPELINE"]},
    "latency": {"stages": [1, 3]},
    "counters": {"threads": [1, 2]},
    "executors": {"threads": [1, 2]},
    "ring": {"threads": [1, 2], "tokens": [4], "work": [0, 100]},
    "actors": {"workers": [2], "bytes": [64, 64_000]},
    "hops": {"threads": [4]},
}
"""Values at which a study's figures have something to show."""

FIXED = ("mechanism", "collector")
"""Parameters that are not moved."""


def list_parameters() -> list[tuple[str, str]]:
    """Return each study with each of its parameters that can be moved."""
    return [
        (study, name)
        for study in BASE
        for name in load_catalog()[study].defaults()
        if name not in FIXED
    ]


def make_run(folder: Path, golden: dict, study: str, parameter: str, chance: random.Random) -> Run:
    """Return a run with this parameter off its shipped value, alone or next to that value.

    Some have fewer mechanisms, and some fewer cores than threads.
    """
    entries = list_entries(study, parameter, chance)
    sweep = {"about": "made up", "forks": {"fitting": 5}, "studies": {study: entries}}
    checked, cores = validate_sweep(copy.deepcopy(sweep), "made up"), chance.choice((6, 6, 1))
    points = {p.key: place(p, cores) for p in expansion.expand_points(checked, "made up", cores)}
    identity = JAVA | {"sweep": "0", "machine": MACHINE["id"], "profile": "own"}
    identity["started"] = "2015-01-01T00:00:00+00:00"
    machine = MACHINE | {"topology": topology(cores)}
    run = write_run(folder, sweep, machine, identity, list(points.values()))
    write_forks(run, golden, chance)
    tidy.write_tables(run)
    return run


def list_entries(study: str, parameter: str, chance: random.Random) -> list[dict]:
    """Return an entry with another value of the parameter, and that with the usual one or not."""
    spec = load_catalog()[study]
    (moved,) = (p for p in spec.parameters if p.name == parameter)
    base = {"mechanism": choose_mechanisms(study, chance), "shots": 1, **BASE[study]}
    values = PLACEMENTS if parameter == "placement" else moved.values
    if not values:
        default = max(int(moved.default), 1)
        values = [n for n in (2 * default, 4 * default) if moved.min <= n <= moved.max]
    usual = base.get(parameter, [moved.default])
    other = chance.choice([value for value in values if value not in usual] or usual)
    return [base] * chance.choice((0, 1)) + [base | {parameter: [other]}]


def choose_mechanisms(study: str, chance: random.Random) -> list[str]:
    """Return all mechanisms of a study, or some of them."""
    names = [name for name in load_catalog()[study].mechanisms if name != YOURS]
    return names if chance.random() < 0.3 else chance.sample(names, min(len(names), 6))


def place(point: Point, cores: int) -> Point:
    """Place each thread on a core of two nodes, as far as they go; UNPINNED names no CPU."""
    placed = synthetic.place(point, cores)
    shared = len(placed.threads) > 2 * cores
    for slot in placed.threads:
        slot.oversubscribed = shared
        if point.params["placement"] == "UNPINNED":
            slot.cpu = slot.core = slot.socket = slot.node = slot.cache = None
        elif shared:
            slot.cpu = slot.core = slot.cpu % (2 * cores)
            slot.socket = slot.node = slot.cache = slot.cpu // cores
    return placed.model_copy(update={"forks": 1 if shared else 5})


class Drawn(NamedTuple):
    """One figure before it is saved: its words, its forks and the points of its study."""

    name: str
    figure: Figure
    words: Words
    forks: pd.DataFrame
    measured: pd.DataFrame


@contextmanager
def record_figures() -> Iterator[list[Drawn]]:
    """Collect what is drawn in place of saving it."""
    drawn: list[Drawn] = []
    noted: list[pd.DataFrame] = []
    write_note = StudyFigures.note

    def note(self, name, forks, *more, **how):
        noted.append(forks)
        return write_note(self, name, forks, *more, **how)

    def save(self, figure, name, words):
        drawn.append(Drawn(name, figure, words, noted[-1], self.measured))
        return figure

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StudyFigures, "note", note)
        patch.setattr(StudyFigures, "save", save)
        yield drawn


def draw_figures(run: Run, most: int = MOST_FIGURES) -> list[Drawn]:
    """Draw every figure of the run's studies as the notebooks do, and `most` of its sweep."""
    folder = run.folder / "generated"
    with record_figures() as drawn:
        for study in tidy.list_studies(run):
            module = import_module(f"handoff.studies.{study}.figures")
            kind = getattr(module, f"{study.title()}Figures")
            figures = kind(run, folder)
            for name in METHODS[study]:
                getattr(figures, name)()
            for setting in figures.list_settings() if study == "scaling" else ():
                single = kind(run, folder, setting)
                for quantity, load in FIGURES:
                    single.figure(quantity, load)
            SweptFigures(run, folder, study).figures(most)
    return drawn


UNITS = {
    "sort": ["sorts"],
    "consumer": ["consumers"],
    "stage": ["stages"],
    "thread": ["threads"],
    "worker": ["threads", "workers"],
    "token": ["tokens"],
    "iteration": ["work"],
    "actor": ["perworker"],
    "access": ["accesses"],
    "accesse": ["accesses"],
    "place": ["capacity"],
    "event": ["events"],
    "node": ["size"],
    "byte": ["bytes"],
}
"""Parameters that count what a word names."""

FACT = re.compile(rf"\b(one|\d[\d,]*) ({'|'.join(UNITS)})s?\b")
ONE_THREAD = "one thread"
"""Reference of ratios, of which the words speak where it is not drawn."""


def find_false_words(drawn: Drawn) -> list[str]:
    """Return what a figure's words say of parameters and mechanisms that its forks do not."""
    said = " ".join([drawn.words.title, drawn.words.caption, drawn.words.alt])
    wrong = [fact for fact in find_facts(said) if not holds(fact, drawn.forks)]
    placements = set(drawn.forks["placement"])
    if re.search(r"not pinned|unpinned", said, re.I) and placements != {"UNPINNED"}:
        wrong.append(f"not pinned, at {placements}")
    if re.search(r"\bpinned\b", said) and "not pinned" not in said and placements == {"UNPINNED"}:
        wrong.append("pinned")
    return wrong + find_silence(drawn)


def find_facts(said: str) -> list[tuple[int, str]]:
    """Return the numbers in a text that count what a parameter does."""
    found = [
        (number, unit) for number, unit in FACT.findall(said) if (number, unit) != ("one", "thread")
    ]
    return [(1 if n == "one" else int(n.replace(",", "")), unit) for n, unit in found]


def holds(fact: tuple[int, str], forks: pd.DataFrame) -> bool:
    """Return whether some fork has this number of what the unit names."""
    number, unit = fact
    return any(number in set(forks[name]) for name in UNITS[unit] if name in forks)


def find_silence(drawn: Drawn) -> list[str]:
    """Return the mechanisms and parameters that were measured, are not drawn, and not named."""
    name = drawn.forks["study"].iloc[0]
    study, silent = find_study(name), []
    shown = drawn.figure.findobj(Text)
    said = " ".join([t.get_text() for t in shown] + [drawn.words.title, drawn.words.alt])
    said = " ".join(said.lower().split())
    _, _, missing = drawn.words.note.partition("Not drawn: ")
    for mechanism in drawn.measured["mechanism"].unique():
        look = study.look(mechanism)
        names = {look.label.lower(), look.short.lower(), look.short.lower().split(" (")[0]}
        if mechanism == study.sequential:
            names.add(ONE_THREAD)
        if mechanism in TAKEN_AWAY:
            names.add(STEPS[TAKEN_AWAY[mechanism]])
        if look.label in missing.split("\n")[0]:
            continue
        if mechanism not in set(drawn.forks["mechanism"]) or not any(n in said for n in names):
            silent.append(mechanism)
    same = drawn.measured[drawn.measured["mechanism"].isin(drawn.forks["mechanism"])]
    known, some = mask_irrelevant(same, name), mask_irrelevant(drawn.forks, name)
    for parameter in load_catalog()[name].defaults():
        if parameter in ("mechanism", "events") or parameter not in some:
            continue
        values, more = set(some[parameter].dropna()), set(known[parameter].dropna())
        if more > values and not re.search(rf"Drawn: .*\b{parameter} ", drawn.words.note):
            silent.append(f"{parameter}: {values} of {more}")
    return silent
