"""sweep.json: all numbers and sentences of the report on a sweep, for any study."""

import math
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd

from handoff import text
from handoff.analysis.answer import MARGIN, Answer
from handoff.analysis.effects import RATIOS, describe_effects, tabulate_effects
from handoff.analysis.forks import compute_fork_means
from handoff.analysis.swept import Swept, list_constant, load_swept, tabulate_points
from handoff.draw.swept_layout import format_value, plan_figures
from handoff.draw.words import only_rehearses
from handoff.report import overview
from handoff.report.numbers import count_points, describe_run, list_figures, write_numbers
from handoff.run.host.machine import summarize_machine
from handoff.run.store.run import Run
from handoff.tables import tidy

MOST_SENTENCES = 3
"""Sentences per parameter that the report has."""
MOST_VALUES = 15
PER_POINT = 3
"""Responses that the table of all points has room for."""


def save_numbers(run: Run) -> Path:
    """Write generated/<run>/sweep.json."""
    return write_numbers(run, "sweep.json", build_numbers(run))


def build_numbers(run: Run) -> dict:
    points = tidy.load_table(run, "points", every_arm=True)
    return {
        "forks": tidy.list_tabled_forks(run),
        "run": describe_run(run),
        "machine": {
            "words": summarize_machine(run.machine),
            "sentences": overview.list_properties(run),
        },
        "points": count_points(points),
        "left_out": sorted(set(points["unavailable"].dropna())),
        "rehearsal": not run.sweep.verdicts
        and all(
            only_rehearses(run, compute_fork_means(tidy.load_table(run, study)))
            for study in tidy.list_studies(run)
        ),
        "warmup_limit": run.sweep.warmup_limit,
        "seed": run.sweep.seed,
        "studies": [build_section(run, study) for study in tidy.list_studies(run)],
    }


def build_section(run: Run, name: str) -> dict:
    """Return what was varied, figures, points and effects of one study."""
    swept = load_swept(run, name)
    first = swept.responses[0]
    effects = tabulate_effects(swept, first.column)
    drawn = {figure["name"]: figure for figure in list_figures(run)}
    names = [f"swept-{name}-{layout.along}" for layout in plan_figures(swept)]
    figures = [drawn[figure] for figure in names if figure in drawn]
    return {
        "study": name,
        "title": swept.study.title or name,
        "varied": [
            {"name": n, "values": list_values([format_value(value) for value in swept.values(n)])}
            for n in swept.varied
        ],
        "held": {n: format_value(value) for n, value in list_constant(swept).items()},
        "responses": [r._asdict() for r in swept.responses[:PER_POINT]],
        "figures": figures,
        "points": list_points(swept),
        "effects": format_rows(effects),
        "sentences": describe_effects(effects, first.name, MOST_SENTENCES),
        "others": [*describe_others(effects, first.name), *describe_unpaired(swept, effects)],
    }


def list_values(values: list[str]) -> list[str]:
    """Return the values, or the first, the last and their number where these are many."""
    if len(values) <= MOST_VALUES:
        return values
    return [*values[:2], "…", f"{values[-1]}: {len(values)} values"]


def describe_others(effects: pd.DataFrame, label: str) -> list[str]:
    """Return a sentence on changes without an effect, and one on those whose effect is unknown."""
    openings = {
        Answer.SAME: f"The {label} changes by at most {MARGIN:.0%} with",
        Answer.UNKNOWN: f"Not known is whether the {label} changes by more than {MARGIN:.0%} with",
    }
    sentences = []
    for answer, opening in openings.items():
        if len(rows := effects[effects["answer"] == answer]):
            sentences.append(f"{opening} {list_changes(rows)}.")
    return sentences


def list_changes(effects: pd.DataFrame) -> str:
    """Return 'sorts 60 / 300 in place of 15; wait ... (needs about 12 forks per point); ...'."""
    parts = []
    for needed, alike in effects.groupby("needed", sort=False):
        groups = alike.groupby(["parameter", "from"], sort=False)
        words = "; ".join(format_change(name, rows["to"], base) for (name, base), rows in groups)
        parts.append(f"{words} (needs {needed})" if needed else words)
    return "; ".join(list_values(parts))


def format_change(name: str, values: Iterable[object], base: object) -> str:
    words = " / ".join(list_values([format_value(value) for value in values]))
    return f"{name} {words} in place of {format_value(base)}"


def describe_unpaired(swept: Swept, effects: pd.DataFrame) -> list[str]:
    """Return a sentence per parameter on the changes that are not in the table of effects."""
    paired = set(zip(effects["parameter"], effects["to"], strict=True))
    sentences = []
    for name in swept.varied:
        base = swept.base(name)
        values = [v for v in swept.values(name) if v != base and (name, v) not in paired]
        if values:
            sentences.append(
                "No two points whose threads have a core each differ in nothing but"
                f" {format_change(name, values, base)}."
            )
    return sentences


def list_points(swept: Swept) -> list[dict]:
    """Return every point: its values as text, its forks, and each response with its interval."""
    return [
        {
            "values": [format_value(row[name]) or "–" for name in swept.varied],
            "forks": row["forks"],
            "responses": [
                format_interval(*(row[f"{r.column}{end}"] for end in ("", "_low", "_high")))
                for r in swept.responses[:PER_POINT]
            ],
            "note": row["note"],
        }
        for row in tabulate_points(swept).to_dict("records")
    ]


def format_interval(mean: float, low: float, high: float) -> str:
    if pd.isna(mean):
        return "–"
    if pd.isna(low):
        return format_number(mean)
    bounds = format_number(low, math.floor), format_number(high, math.ceil)
    return f"{format_number(mean)} [{', '.join(bounds)}]"


def format_number(value: float, rounded: Callable[[float], float] = round) -> str:
    """Return four significant digits, with commas and without an exponent."""
    digits = 3 - math.floor(math.log10(abs(value))) if value else 0
    # What binary fractions add does not move a number that is exact at these digits.
    scaled = round(value * 10**digits, 6)
    return f"{rounded(scaled) / 10**digits:,.{max(0, digits)}f}"


def format_rows(table: pd.DataFrame) -> list[dict]:
    """Return the rows as text, ratios with three digits, bounds rounded outwards."""
    outwards = {"low": math.floor, "high": math.ceil}
    return [
        {
            name: text.format_value(value, outwards.get(name, round))
            if name in RATIOS and pd.notna(value)
            else format_value(value)
            for name, value in row.items()
        }
        for row in table.to_dict("records")
    ]
