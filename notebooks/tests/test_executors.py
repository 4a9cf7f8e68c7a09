"""Executors: claims, figures and tables of a SYNTHETIC run with the post's table as its truth."""

import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.catalog import load_catalog
from handoff.claims import run_judging, verdicts
from handoff.paths import SWEEPS
from handoff.run.plan.expansion import expand_points, place_point
from handoff.run.plan.points import Point
from handoff.run.plan.sweep import load_sweep, validate_sweep
from handoff.studies.executors import numbers
from handoff.study import Cost, find_study
from handoff.tables import tidy
from tests import synthetic

CORES = 8
SHARED = {"events": 1_000_000, "threads": "1..8"}
THEIRS = numbers.load_published().set_index(["mechanism", "threads"])["ms"]
POST = [name for name in load_catalog()["executors"].mechanisms if name in THEIRS]
RINGS = ["RING_BUFFER_SPMC", "RING_BUFFER_CACHED"]
STAGE = {"mechanism": "RING_BUFFER", "index": ["MODULO", "MASK"], "separation": ["NONE", "PADDED"]}
ENTRIES = [
    {"mechanism": POST, "release": "3.2.0"},
    {"mechanism": RINGS, "capacity": 262_144},
    STAGE,
    {"mechanism": "FIXED_THREAD_POOL", "reduction": ["ADDER", "PER_WORKER"]},
]
SUM, CAPACITY = 0.7, 0.8
"""Times over the post's, for a sum that is not shared and for a larger ring."""


def make_sweep(*entries: dict) -> dict:
    return synthetic.make_sweep(executors=[SHARED | entry for entry in entries])


def as_published(point: Point) -> tuple[float, None]:
    """Return the post's number, reduced for a sum that is not shared and for a larger ring."""
    params = point.params
    mechanism = "RING_BUFFER_SPMC" if params["mechanism"] == "RING_BUFFER" else params["mechanism"]
    shared = 1 if params["reduction"] == "CAS" else SUM
    larger = CAPACITY if params["capacity"] == "262144" else 1
    return float(THEIRS[mechanism, int(params["threads"])]) * shared * larger, None


@pytest.fixture(scope="module")
def run(tmp_path_factory, golden_file):
    folder = tmp_path_factory.mktemp("runs") / "made"
    return synthetic.make(folder, golden_file, as_published, make_sweep(*ENTRIES), CORES // 2)


@pytest.fixture(scope="module")
def forks(run):
    return compute_fork_means(tidy.load_table(run, "executors"))


def test_a_run_with_the_posts_numbers_does_not_contradict_the_post(run):
    judged, _ = run_judging.judge_run(run, "executors")
    outcome = {verdict.identity: verdict.verdict for verdict in judged}
    assert not {verdicts.CONTRADICTED, verdicts.SMALLER, verdicts.LARGER} & set(outcome.values())
    assert outcome["X10"] == outcome["X11"] == verdicts.REPRODUCED
    unknown = "sizes at a load that is unknown"
    assert outcome["X15"] == outcome["X8"] == verdicts.DIRECTION, unknown


def test_the_effect_of_one_choice_is_isolated(forks):
    pairs = numbers.ONE_FACTOR.pairs(forks).set_index(["choice", "mechanism", "to", "threads"])
    ratio = pairs["ratio"].sort_index()
    pool, ring = ("reduction", "FIXED_THREAD_POOL", "PER_WORKER"), ("capacity", RINGS[1], "262144")
    assert ratio[(*pool, 4)] == pytest.approx(SUM, rel=0.05)
    assert ratio[(*ring, 1)] == pytest.approx(CAPACITY, rel=0.05)
    assert set(pairs.index.unique("choice")) == {"reduction", "capacity", "index", "separation"}


def test_ratios_are_those_of_the_post(forks):
    posts, ours = numbers.load_published(), numbers.select_baseline(forks, 16)
    places = ["mechanism", "threads"]
    rows = numbers.compute_ratios_to_pool(ours).set_index(places)
    ratios = {"here": rows["ratio"], "post": posts.set_index(places)["ratio"]}
    queue = [ratios[where]["LINKED_TRANSFER_QUEUE", 4] for where in ("here", "post")]
    assert queue == pytest.approx([0.36, 0.36], abs=0.03)
    assert rows.loc[("DISRUPTOR_PARTITIONED", 6), "threads used"] == 8
    assert rows.loc[("FIXED_THREAD_POOL", 6), "threads used"] == 7


def test_the_checkers_found_no_fault_with_one_producer_and_one_with_two():
    found = {what for what, trace in numbers.load_checks().items() if trace}
    stages = {what.rpartition(", ")[0] for what in numbers.load_checks()}
    sown = "a ring that reads after it has claimed"
    pairs = {f"{stage}, two producers" for stage in stages - {sown}}
    assert len(pairs) == 3 and found == pairs | {f"{sown}, one producer"}


def cached_ring(**params: str) -> dict[str, str]:
    return load_catalog()["executors"].defaults() | {"mechanism": "RING_BUFFER_CACHED"} | params


def test_a_ring_may_not_spin_on_a_shared_core():
    point = Point(study="executors", params=cached_ring(idle="SPIN"), shots=1, warmup=0)
    slot = {"cpu": 0, "core": 0, "oversubscribed": True}
    plan = {"threads": [slot | {"role": role} for role in ("producer", "worker-1")]}
    placed = place_point(validate_sweep(make_sweep(STAGE), "own.yml"), point, {"plan": plan})
    assert "SPIN occupies" in placed.unavailable


@pytest.mark.parametrize(
    ("profile", "cores"), [("full", 6), ("full", 8), ("full", 16), ("paper", 8)]
)
def test_points_that_claims_need_on_many_cores_are_planned(profile, cores):
    """Check for fitting points under contention (X12), and long enough shots of the Disruptor."""
    planned: dict[str, list[dict]] = {}
    for point in expand_points(load_sweep(SWEEPS / f"{profile}.yml"), profile, cores):
        if point.study == "executors":
            planned.setdefault(point.params["mechanism"], []).append(point.params)
    threads = {int(params["threads"]) for params in planned["RING_BUFFER_CACHED"]}
    assert {count for count in threads if count < cores} & {5, 6, 7, 8}
    events = min(int(params["events"]) for params in planned["DISRUPTOR_PARTITIONED"])
    assert events * 135 / 8 > 50_000_000


def test_a_ring_that_parks_is_planned_to_take_longer():
    parking, spinning = (
        find_study("executors").ns_per_event(Cost(cached_ring(capacity="16", **idle), 3, 3))
        for idle in ({}, {"idle": "SPIN"})
    )
    assert parking > 10 * spinning
