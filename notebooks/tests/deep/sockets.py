"""Rates of the verdicts about a second socket, on machines that are made up.

`python -m tests.deep.sockets [DRAWS]` in the folder notebooks prints, for worlds in which the
second socket costs 30 %, costs nothing or gains 20 %, how often each claim gets each verdict.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from handoff.claims.check import SOCKETS
from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.readers import add_places, make_observations, tabulate_plan
from handoff.claims.run_judging import describe_machine
from handoff.run import planning
from handoff.run.host.shape import parse_shape, write_tree
from handoff.run.java import jdk
from handoff.run.plan.selection import select_sweep
from handoff.run.store.run import Run
from tests import synthetic

SHAPES = ("2x6", "2x8", "2x12", "2x64", "2x64/4", "8x12")
WORLDS = {"costs 30 %": 1.3, "costs nothing": 1.0, "gains 20 %": 0.8}
CLAIMS = ("P2", "P4", "P7", "P9", "P10")
SPREAD, CPU_SPREAD = 0.08, 0.02
"""Spread of forks as in the shipped run, whose points differ by 7 to 15 %."""


def plan(shape: str, root: Path) -> Run:
    write_tree(parse_shape(shape), root)
    planner = planning.LocalPlanner(jdk.find_jdk(), root)
    asked = select_sweep("quick", [], [])
    return planning.identify_run(asked, planner)._replace(points=planner.preview(asked))


def draw(run: Run, factor: float, random: np.random.Generator):
    """Return one table of forks in a world where the second socket multiplies times by `factor`."""
    rows = add_places(run, tabulate_plan(run, "scaling"))
    alone, queue = rows["mechanism"] == "SEQUENTIAL", rows["mechanism"] == "ARRAY_BLOCKING_QUEUE"
    far = (rows[SOCKETS] > 1) & ~alone
    points = zip(alone, queue, rows["consumers"], rows["sorts"], far, strict=True)
    # Of the paper's world, times as on one socket; CPU usage as on two where these cost time.
    time, usage = np.array(
        [
            (1.0, 0.99)
            if one
            else (
                synthetic.paper(is_queue, int(n), int(sorts), False)[0],
                synthetic.paper(is_queue, int(n), int(sorts), two and factor > 1)[1],
            )
            for one, is_queue, n, sorts, two in points
        ]
    ).T
    work = rows["sorts"].astype(float).map({1.0: 50.0, 15.0: 350.0, 300.0: 6200.0})
    threads = np.where(alone, 1, rows["consumers"].fillna(0).astype(float) + 1)
    luck, cpu = (np.exp(random.normal(0, spread, len(rows))) for spread in (SPREAD, CPU_SPREAD))
    per_thread = usage * cpu
    return rows.assign(
        time=time * np.where(far, factor, 1.0) * work * luck,
        cpu_per_thread=per_thread,
        cpu_consumer=per_thread,
        cpu_producer=per_thread,
        cpu_usage=per_thread * threads,
    )


def count(run: Run, factor: float, draws: int) -> dict[str, Counter]:
    """Return how often each claim got each verdict under its first reading."""
    random, file = np.random.default_rng(2015), load_claim_files()["scaling"]
    found: dict[str, Counter] = {claim: Counter() for claim in CLAIMS}
    for _ in range(draws):
        observed = make_observations(run, "scaling", draw(run, factor, random))
        judged = judge_claims(file, observed, describe_machine(run))
        first = {verdict.identity: verdict.words for verdict in reversed(judged)}
        for claim in CLAIMS:
            found[claim][first[claim]] += 1
    return found


def main(draws: int) -> None:
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            run = plan(shape, Path(folder))
            for world, factor in WORLDS.items():
                for claim, words in count(run, factor, draws).items():
                    print(f"{shape:7} {world:14} {claim:4}", dict(words.most_common()), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
