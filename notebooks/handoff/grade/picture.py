"""The class's table and picture: one line per machine, never pooled."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter

from handoff.analysis.forks import compute_fork_means, estimate_ratio
from handoff.draw.save import use_style
from handoff.errors import BadInput
from handoff.grade.submission import Submission
from handoff.run.host.machine import count_usable_cores
from handoff.run.store.run import Run
from handoff.tables import tidy

MOST_NAME = 60
QUEUE, DISRUPTOR = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL"


class Entry(NamedTuple):
    """One pack's line: its machine, the queue's time over the Disruptor's, and its predictions.

    The ratio is that at one sort, with its 95 % interval, in labs that measure it. `times` holds
    what the lab plots of each fork.
    """

    machine: str
    cores: int
    ratio: float | None
    low: float | None
    high: float | None
    predicted: Mapping[str, Any]
    outcomes: Mapping[str, Any]
    times: dict[str, list[float]]


def describe_entry(submission: Submission) -> Entry | None:
    """Return a pack's line; None without a complete run."""
    run = submission.run
    if run is None or run.missing():
        return None
    ratio, bounds = compare_mechanisms(run)
    low, high = bounds or (None, None)
    outcomes = submission.lab.outcomes(run)
    return Entry(
        simplify_name(str(run.machine.get("cpu") or run.machine.get("architecture"))),
        count_usable_cores(run.machine),
        ratio,
        low,
        high,
        submission.work.require(),
        outcomes,
        submission.lab.dots(run),
    )


def simplify_name(text: str) -> str:
    """Shorten a processor's name from a student's file, and remove what could be a formula."""
    return re.sub(r"[^\w ()@.,+-]", "", text)[:MOST_NAME]


def compare_mechanisms(run: Run) -> tuple[float | None, tuple[float, float] | None]:
    """Return queue over Disruptor at one sort, and its interval."""
    tidy.write_tables(run)
    try:
        forks = compute_fork_means(tidy.load_table(run, "scaling"))
    except BadInput:
        return None, None
    rows = {
        mechanism: forks[(forks["mechanism"] == mechanism) & (forks["sorts"] == 1)]
        for mechanism in (QUEUE, DISRUPTOR)
    }
    if rows[QUEUE].empty or rows[DISRUPTOR].empty:
        return None, None
    made = estimate_ratio(rows[QUEUE], rows[DISRUPTOR])
    return made.ratio, made.interval()


def tabulate_class(entries: Sequence[tuple[str, Entry]]) -> pd.DataFrame:
    """Return one row per machine, sorted by ratio, with predictions and outcomes."""
    rows = [
        {
            "pseudonym": pseudonym,
            "machine": entry.machine,
            "cores": entry.cores,
            "ratio": entry.ratio,
            "low": entry.low,
            "high": entry.high,
        }
        | {f"predicted_{name}": value for name, value in entry.predicted.items()}
        | {f"outcome_{name}": value for name, value in entry.outcomes.items()}
        for pseudonym, entry in entries
    ]
    table = pd.DataFrame(rows)
    return table.sort_values("ratio", na_position="last") if len(table) else table


def draw_class(table: pd.DataFrame, lab: int, file: Path) -> bool:
    """Draw a forest plot of the ratios; return False if the lab has none."""
    rows = table[table["ratio"].notna()] if "ratio" in table else table
    if not len(rows):
        return False
    use_style()
    figure, axes = plt.subplots(figsize=(7, 1.2 + 0.25 * len(rows)))
    places = np.arange(len(rows))[::-1]
    for place, row in zip(places, rows.itertuples(), strict=True):
        if not pd.isna(row.low):
            axes.plot([row.low, row.high], [place, place], color="#0072B2", lw=1.5)
        axes.plot(row.ratio, place, "o", color="#0072B2", ms=4)
    axes.axvline(1, color="#555555", lw=0.8, ls=":")
    axes.set_xscale("log")
    for axis_formatter in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        axis_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_yticks(
        places, [f"{r.pseudonym}: {r.machine}, {r.cores} cores" for r in rows.itertuples()]
    )
    axes.set_xlabel("time per event, queue over Disruptor, one sort; bars: 95 % intervals of forks")
    axes.set_title(f"Lab {lab}: {len(rows)} machines, never pooled")
    figure.savefig(file, bbox_inches="tight", dpi=150)
    plt.close(figure)
    return True
