"""Measure the CPU seconds of effects, interactions and one swept figure, by number of forks.

`PYTHONPATH=notebooks .venv/bin/python -m tests.deep.bench_swept [POINTS ...]`. The forks are made
up: two mechanisms, three capacities, two waits, and as many consumers as the points need.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt

from handoff.analysis import effects
from handoff.analysis.forks import Variation
from handoff.analysis.swept import Swept, find_swept
from handoff.draw.save import save_figure, use_style
from handoff.draw.swept import draw_swept
from handoff.draw.swept_layout import plan_figures
from tests.test_swept import STUDY, make_forks, repeat_forks


def make_swept(points: int) -> Swept:
    """Return forks that vary by 5 %, at nine points for each of many numbers of consumers."""
    forks = repeat_forks(range(1, points // 9 + 1), make_forks(spread=0.05))
    forks["variation"] = Variation(forks, ["mechanism", "wait", "placement"])
    return find_swept(STUDY, forks)


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
