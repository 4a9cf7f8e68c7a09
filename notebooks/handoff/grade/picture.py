"""The class's table and picture: one line per machine, never pooled."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from handoff.analysis.forks import compute_fork_means, estimate_ratio
from handoff.draw.save import use_style
from handoff.errors import BadInput
from handoff.labs.work import Work
from handoff.run.host.machine import count_usable_cores
from handoff.run.store.run import Run
from handoff.tables import tidy

MOST_NAME = 60
QUEUE, DISRUPTOR = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL"


class Entry(NamedTuple):
    """One pack's row of the class's table, and what the lab plots of each fork."""

    row: dict[str, Any]
    times: dict[str, list[float]]


def describe_entry(work: Work, run: Run) -> Entry:
    """Return the machine, ratio, predictions and outcomes of a pack with a complete run.

    The ratio is the queue's time over the Disruptor's at one sort, with its 95 % interval, in labs
    that measure it.
    """
    processor = str(run.machine.get("cpu") or run.machine.get("architecture"))
    row = {
        # Without what could be a formula, because a student may have written it.
        "machine": re.sub(r"[^\w ()@.,+-]", "", processor)[:MOST_NAME],
        "cores": count_usable_cores(run.machine),
        **compare_mechanisms(run),
        **{f"predicted_{name}": value for name, value in work.require().items()},
        **{f"outcome_{name}": value for name, value in work.lab.outcomes(run).items()},
    }
    return Entry(row, work.lab.dots(run))


def compare_mechanisms(run: Run) -> dict[str, float | None]:
    """Return queue over Disruptor at one sort, and the ends of its interval, as far as known."""
    ratio, bounds = None, None
    tidy.write_tables(run)
    with suppress(BadInput):
        forks = compute_fork_means(tidy.load_table(run, "scaling"))
        light = forks[forks["sorts"] == 1]
        queue, disruptor = (light[light["mechanism"] == name] for name in (QUEUE, DISRUPTOR))
        if len(queue) and len(disruptor):
            made = estimate_ratio(queue, disruptor)
            ratio, bounds = made.ratio, made.interval()
    low, high = bounds or (None, None)
    return {"ratio": ratio, "low": low, "high": high}


def tabulate_class(entries: Sequence[tuple[str, Entry]]) -> pd.DataFrame:
    rows = [{"pseudonym": pseudonym} | entry.row for pseudonym, entry in entries]
    return pd.DataFrame(rows).sort_values("ratio", na_position="last")


def draw_class(table: pd.DataFrame, lab: int, file: Path) -> bool:
    """Draw a forest plot of the ratios; return False if the lab has none."""
    rows = table[table["ratio"].notna()]
    if rows.empty:
        return False
    use_style()
    figure, axes = plt.subplots(figsize=(7, 1.2 + 0.25 * len(rows)))
    places = np.arange(len(rows))[::-1]
    ends = rows[["low", "high"]].astype(float).to_numpy()
    axes.plot(ends.T, [places, places], color="#0072B2", lw=1.5)
    axes.plot(rows["ratio"], places, "o", color="#0072B2", ms=4)
    axes.axvline(1, color="#555555", lw=0.8, ls=":")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    axes.set_yticks(
        places, [f"{r.pseudonym}: {r.machine}, {r.cores} cores" for r in rows.itertuples()]
    )
    axes.set_xlabel("time per event, queue over Disruptor, one sort; bars: 95 % intervals of forks")
    axes.set_title(f"Lab {lab}: {len(rows)} machines, never pooled")
    figure.savefig(file, bbox_inches="tight", dpi=150)
    plt.close(figure)
    return True
