"""Measure the CPU seconds of effects, interactions and one swept figure, by number of forks.

`PYTHONPATH=notebooks .venv/bin/python -m tests.deep.bench_swept [POINTS ...]`. The forks are made
up: two mechanisms, five capacities, as many loads as the number of points needs, five forks each.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from handoff.analysis import effects
from handoff.analysis.forks import Variation
from handoff.analysis.swept import Swept, find_swept
from handoff.draw.save import save_figure, use_style
from handoff.draw.swept import draw_swept
from handoff.draw.swept_layout import plan_figures
from handoff.registry import find_study

MECHANISMS = ("ARRAY_BLOCKING_QUEUE", "DISRUPTOR_STRIPED")
FORKS = 5


def make_swept(points: int) -> Swept:
    """Return forks that vary by 5 %, at every combination of mechanism, capacity and load."""
    grid = pd.MultiIndex.from_product(
        [MECHANISMS, [2**n for n in range(6, 11)], range(1, points // 10 + 1), range(FORKS)],
        names=["mechanism", "capacity", "sorts", "fork"],
    ).to_frame(index=False)
    random = np.random.default_rng(2015)
    forks = grid.assign(
        study="scaling",
        point=[f"{m} {c} {s}" for m, c, s in grid[["mechanism", "capacity", "sorts"]].to_numpy()],
        ns_per_event=100 + 20 * grid["sorts"] * np.exp(0.05 * random.normal(size=len(grid))),
        cpu_process=1.5 * np.exp(0.02 * random.normal(size=len(grid))),
        consumers=1,
        events=1000,
        wait="YIELDING",
        placement="COMPACT",
        oversubscribed=False,
        too_short=False,
        disturbed="",
        settled=True,
    )
    forks["variation"] = Variation(forks, ["mechanism", "wait", "placement"])
    return find_swept(find_study("scaling"), forks)


def draw(swept: Swept) -> None:
    use_style()
    with tempfile.TemporaryDirectory() as folder:
        save_figure(draw_swept(swept, plan_figures(swept)[0], "note"), Path(folder), "swept")
    plt.close("all")


if __name__ == "__main__":
    for size in map(int, sys.argv[1:] or ["200", "2000"]):
        made = make_swept(size)
        cost = {}
        for name, work in (
            ("effects", lambda s: effects.tabulate_effects(s, "ns_per_event")),
            ("interactions", lambda s: effects.tabulate_interactions(s, "ns_per_event")),
            ("figure", draw),
        ):
            start = time.process_time()
            work(made)
            cost[name] = time.process_time() - start
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        words = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in cost.items())
        print(f"{len(made.forks):6} forks: {words}; at most {most:.0f} MiB", flush=True)
