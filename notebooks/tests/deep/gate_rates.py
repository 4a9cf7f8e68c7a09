"""Rates of false and missed alarms of a gate, from stored forks: `python -m tests.deep.gate_rates`.

The forks of the shipped run's study scaling are drawn again, with replacement, 1,000 times: at the
points with five forks in each of three sessions. A gate (`arms`) draws both sides from one session,
a comparison of two runs (`runs`) from two. Prints the table of docs/ci.md.
"""

from typing import NamedTuple

import numpy as np

from handoff.analysis.forks import compute_floor, compute_fork_means, select_fit
from handoff.analysis.gate import NOT_JUDGED, Pair, judge_pairs
from handoff.analysis.intervals import Term
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.tables import tidy

REPEATS, SIZES, SLOWER = 1000, (5, 7, 10), (1.15, 1.3, 1.5)
STORED = 5
"""Forks of a point in each session that take part."""

SPREAD = (STORED / (STORED - 1)) ** 0.5
"""Factor by which drawing with replacement makes forks differ too little."""


class Point(NamedTuple):
    """A point's setting, and the logarithms of its forks by session."""

    setting: str
    sessions: list[np.ndarray]


def load_points() -> list[Point]:
    """Return the points of the study scaling that fit the cores and have enough forks."""
    run = read_run(find_run_folder("reference"))
    tidy.write_tables(run)
    forks = select_fit(compute_fork_means(tidy.load_table(run, "scaling")), "ns_per_event")
    points = []
    for _, rows in forks.groupby("point"):
        sessions = rows.sort_values("fork").groupby("session")["ns_per_event"]
        logs = [np.log(part.to_numpy()[:STORED]) for _, part in sessions]
        if all(len(part) == STORED for part in logs):
            words = rows[["mechanism", "sort", "wait", "release", "placement"]].iloc[0]
            points.append(Point(str(tuple(words)), logs))
    return points


def draw_side(points: list[Point], session: int, size: int, random) -> list[Term]:
    """Draw one side of a gate: `size` forks of each point, with the floors that these show."""
    drawn = []
    for point in points:
        stored = point.sessions[session]
        picked = random.choice(stored, size) - stored.mean()
        drawn.append(stored.mean() + SPREAD * picked)
    floors = {
        setting: compute_floor(
            "ns_per_event",
            [logs for p, logs in zip(points, drawn, strict=True) if p.setting == setting],
        )
        for setting in {point.setting for point in points}
    }
    return [Term(1.0, x, floors[p.setting]) for p, x in zip(points, drawn, strict=True)]


def measure_rates(points: list[Point], size: int, together: bool) -> dict[str, float]:
    """Return the shares of gates by what they say, of points that are really slower or not."""
    random = np.random.default_rng(size)
    alarms = unjudged = 0
    seen = dict.fromkeys(SLOWER, 0)
    one = dict.fromkeys(SLOWER, 0.0)
    visible = []
    for _ in range(REPEATS):
        first, second = random.choice(3, 2, replace=False)
        before = draw_side(points, first, size, random)
        after = draw_side(points, first if together else second, size, random)
        pairs = [Pair(str(n), *sides) for n, sides in enumerate(zip(before, after, strict=True))]
        made = judge_pairs(pairs, together=together)
        lows = np.array([outcome.low for outcome in made])
        alarms += bool((lows > 1.05).any())
        unjudged += any(outcome.word == NOT_JUDGED for outcome in made)
        visible += [outcome.visible for outcome in made[: len(points)]]
        for factor in SLOWER:
            # A slower candidate moves its intervals and changes nothing else.
            seen[factor] += bool((lows * factor > 1.05).any())
            one[factor] += float((lows[: len(points)] * factor > 1.05).mean())
    return {
        "false": alarms / REPEATS,
        "unjudged": unjudged / REPEATS,
        "visible": float(np.median(visible)) - 1,
        **{f"missed {factor:.2f}": 1 - seen[factor] / REPEATS for factor in SLOWER},
        **{f"one missed {factor:.2f}": 1 - one[factor] / REPEATS for factor in SLOWER},
    }


def format_table() -> list[str]:
    """Return the table, and how many points the gates have."""
    points = load_points()
    percents = [f"{factor - 1:.0%}" for factor in SLOWER]
    lines = [
        f"| {len(points)} points, margin 5 % | forks | false alarms | not judged"
        f" | smallest slowdown shown, median | missed, all points {', '.join(percents)} slower"
        f" | missed, one point {', '.join(percents)} slower |",
        "|---|---|---|---|---|---|---|",
    ]
    for together, name in ((True, "arms of one run"), (False, "two runs, hours apart")):
        for size in SIZES:
            made = measure_rates(points, size, together)
            every, single = (
                ", ".join(f"{made[f'{kind}missed {factor:.2f}']:.1%}" for factor in SLOWER)
                for kind in ("", "one ")
            )
            lines.append(
                f"| {name} | {size} | {made['false']:.1%} | {made['unjudged']:.1%}"
                f" | {made['visible']:.0%} | {every} | {single} |"
            )
    return lines


if __name__ == "__main__":
    print("\n".join(format_table()))
