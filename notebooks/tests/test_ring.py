"""The ring: claims, figure and tables on a SYNTHETIC run of four cores whose truth is the posts'
own numbers where they have some.
"""

import pandas as pd
import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.claims import verdict_table
from handoff.claims.verdicts import DIRECTION, NOT_MEASURED, NOT_TESTABLE, REPRODUCED
from handoff.run.points import Point
from handoff.studies.ring import numbers
from handoff.studies.ring.figures import RingFigures
from handoff.tables import tidy
from tests import synthetic

CORES = 4
SHARED = {"shots": 3, "warmup": 1, "events": 1_600_000}
SWEEP = {
    "about": "SYNTHETIC",
    "forks": {"fitting": 7},
    "studies": {
        "ring": [
            {"mechanism": "SHARED_POOL", "threads": [1, 2, 4, 5], "tokens": [1, 4, 16], **SHARED},
            {
                "mechanism": "SHARED_POOL",
                "threads": [1, 2, 4, 2 * CORES],
                "tokens": 4,
                "work": [1, 10, 100],
                **SHARED,
            },
            {
                "mechanism": "SHARED_POOL",
                "threads": 4,
                "tokens": 4,
                "serialisation": "SERIALISED",
                **SHARED,
            },
            {"mechanism": "THREAD_PER_NODE", "placement": ["UNPINNED", "COMPACT"], **SHARED},
            {
                "mechanism": ["THREAD_PER_NODE", "SCALA_ACTORS"],
                "threads": 4,
                "tokens": 4,
                "work": [10, 100],
                **SHARED,
            },
            {
                "mechanism": "THREAD_PER_NODE",
                "placement": "UNPINNED",
                "tokens": 4,
                "work": [10, 100],
                **SHARED,
            },
            {"mechanism": "SCALA_ACTORS", "threads": 4, **SHARED},
            {
                "mechanism": "PI_TASKS",
                "threads": [1, 2],
                "generator": ["SHARED", "PER_THREAD"],
                **SHARED,
            },
        ]
    },
}
FOUR, DUO, QUAD = "4 cores, not named", "Core 2 Duo T7250", "Core 2 Quad Q6600"
SERIALISED, SHARED_BY_TWO, EACH_ITS_OWN, TOO_MANY, PINNED = (
    1.3,
    3.0,
    0.55,
    {10: 1.4, 100: 1.05},
    2.0,
)


def as_published(point: Point) -> tuple[float, None]:
    """One token: the first posts' four cores.

    Darts: the Core 2 Quad. What has no number: one thread is the fastest without work.
    """
    params = point.params
    tokens, work, threads = (int(params[name]) for name in ("tokens", "work", "threads"))
    if params["mechanism"] == "PI_TASKS":
        two = SHARED_BY_TWO if params["generator"] == "SHARED" else EACH_ITS_OWN
        return 1000.0 * (two if threads == 2 else 1), None
    pinned = (
        PINNED
        if params["mechanism"] == "THREAD_PER_NODE" and params["placement"] == "COMPACT"
        else 1
    )
    once = SERIALISED if params["serialisation"] == "SERIALISED" else 1
    return 1000.0 * told(params["mechanism"], threads, tokens, work) * pinned * once, None


def told(mechanism: str, threads: int, tokens: int, work: int) -> float:
    """Time over the pool of one thread."""
    if (tokens, work) in {(4, 0), (16, 0), (4, 1)} or (tokens, threads) == (1, 2):
        return 1.0 if threads == 1 else 1.5
    if threads == 2 * CORES:
        return told(mechanism, CORES, tokens, work) * TOO_MANY[work]
    if mechanism == "THREAD_PER_NODE" and work:
        # Known of the Core 2 Duo only: as much over its pool of two threads.
        return (
            told("SHARED_POOL", CORES, tokens, work)
            * post(DUO, mechanism, 0, work)
            / post(DUO, "SHARED_POOL", 2, work)
        )
    return post(QUAD if work else FOUR, mechanism, threads, work)


def post(machine: str, mechanism: str, threads: int, work: int) -> float:
    posts = numbers.load_published()
    there = (
        (posts["machine"] == machine)
        & (posts["row"] == numbers.describe_row(mechanism, threads, "UNPINNED"))
        & (posts["work"] == work)
    )
    return float(posts.loc[there, "ratio"].iloc[0])


@pytest.fixture(scope="module")
def run(tmp_path_factory, golden_file):
    made = synthetic.make(
        tmp_path_factory.mktemp("runs") / "made", golden_file, as_published, SWEEP, CORES // 2
    )
    tidy.write_tables(made)
    return made


@pytest.fixture(scope="module")
def forks(run):
    return compute_fork_means(tidy.load_table(run, "ring"))


def test_a_run_of_the_posts_numbers_says_of_the_claims_what_the_posts_say(run):
    verdicts, _ = verdict_table.judge_run(run, "ring")
    found = {(v.identity, v.reading): v.verdict for v in verdicts}
    unpinned = "as published, unpinned"
    for claim in ("R1", "R2", "R10"):
        assert found[claim, unpinned] == REPRODUCED, claim
    for claim in ("R6", "R7", "R8", "R9", "R11", "R12", "R13"):
        assert found[claim, ""] == REPRODUCED, claim
    assert found["R2", "pinned"] == DIRECTION
    assert found["R4", ""] == NOT_TESTABLE
    assert NOT_MEASURED not in {v.verdict for v in verdicts}


def test_the_starter_is_not_on_the_event_path(forks):
    pools = forks[forks["mechanism"] == "SHARED_POOL"]
    assert (pools["path_threads"] == pools["threads"]).all()
    assert set(forks.loc[forks["mechanism"] == "THREAD_PER_NODE", "path_threads"]) == {100}


def test_the_table_puts_the_posts_beside_us(forks):
    table = numbers.tabulate_ratios(numbers.select_baseline(forks))
    load = "4 tokens, 100 darts"
    assert table.loc["shared pool, 4 threads", (load, "Core 2 Quad Q6600")] == "0.31"
    assert float(table.loc["shared pool, 4 threads", (load, "here")]) == pytest.approx(
        25 / 80, abs=0.03
    )
    assert table.loc["a thread for each node", ("1 token, no work", "4 cores, not named")] == "8.13"
    assert table.loc["Scala's original actors, 2 threads", (load, "Core 2 Duo T7250")] == "0.66"


def test_what_one_choice_changes_is_found_alone(forks):
    pairs = numbers.ONE_FACTOR.pairs(forks).set_index(["choice", "mechanism", "threads"])
    assert pairs.loc[("serialisation", "SHARED_POOL", 4), "ratio"] == pytest.approx(
        SERIALISED, rel=0.05
    )
    assert pairs.loc[("generator", "PI_TASKS", 2), "ratio"] == pytest.approx(
        SHARED_BY_TWO / EACH_ITS_OWN, rel=0.05
    )
    text = numbers.describe_hops(forks)
    assert text[0].startswith("With one token and no work a hop costs 1,0")
    assert any("generator shared in place of per_thread" in sentence for sentence in text)


def test_all_figures_are_drawn(run, tmp_path):
    study = RingFigures(run, tmp_path)
    assert study.figure() and study.changes()
    assert {path.stem for path in (tmp_path / "figures").glob("*.png")} == {"ring", "ring-changes"}


def test_a_run_without_a_ring_has_no_figure_and_an_empty_table(run, tmp_path):
    study = RingFigures(run, tmp_path)
    study.forks = study.baseline = pd.DataFrame()
    assert study.figure() is study.changes() is None
    assert (
        numbers.tabulate_ratios(study.baseline).empty and numbers.describe_hops(study.forks) == []
    )
