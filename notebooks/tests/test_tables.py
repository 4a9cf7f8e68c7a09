"""The Disruptor's published tables: claims, figures and tables on SYNTHETIC runs of known truth."""

import pandas as pd
import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.catalog import load_catalog
from handoff.claims import verdict_table
from handoff.cli import drawing
from handoff.draw.footnotes import describe_incomplete
from handoff.report.numbers import count_points
from handoff.run.plan.points import Point
from handoff.studies.counters.figures import CountersFigures, tabulate_increments
from handoff.studies.latency import figures as draw_latency
from handoff.studies.latency import numbers as latency
from handoff.studies.latency.figures import LatencyFigures
from handoff.studies.scaling.figures import ScalingFigures
from handoff.studies.topologies import figures as draw_topologies
from handoff.studies.topologies import numbers as topologies
from handoff.studies.topologies.figures import TopologiesFigures
from handoff.tables import tidy
from tests import synthetic

SHARED = {"shots": 3, "warmup": 1}
QUEUES, RINGS = ["ARRAY_BLOCKING_QUEUE", "LINKED_BLOCKING_QUEUE"], ["DISRUPTOR_3", "DISRUPTOR_4"]
TOPOLOGIES = ["UNICAST", "PIPELINE", "SEQUENCER", "MULTICAST", "DIAMOND"]
MECHANISMS = QUEUES + RINGS
SWEEP = {
    "about": "SYNTHETIC",
    "forks": {"fitting": 7},
    "studies": {
        "topologies": [
            {
                "mechanism": MECHANISMS,
                "topology": TOPOLOGIES,
                "accounting": ["AS_PUBLISHED", "FAIR"],
                "events": 1_000_000,
                **SHARED,
            },
        ],
        "latency": [
            {"mechanism": MECHANISMS, "stages": [1, 3], "events": 300_000, **SHARED},
            {
                "mechanism": MECHANISMS,
                "pacing": "SCHEDULE",
                "gap": [10_000, 5_000, 2_000, 1_000, 500],
                "events": 300_000,
                **SHARED,
            },
        ],
        "counters": [
            {
                "mechanism": ["PLAIN", "VOLATILE", "CAS", "LOCK"],
                "threads": [1, 2],
                "events": 100_000_000,
                **SHARED,
            }
        ],
    },
}
INCREMENT = {
    ("PLAIN", "1"): 1.0,
    ("VOLATILE", "1"): 5.0,
    ("CAS", "1"): 7.0,
    ("LOCK", "1"): 20.0,
    ("CAS", "2"): 40.0,
    ("LOCK", "2"): 200.0,
}


def as_published(point: Point) -> tuple[float, dict[str, float] | None]:
    """Return what the sources say.

    The ring is 8 times as fast, a hop takes 50 ns against 60 µs, counters keep their order, and
    accounting is a factor of 2.
    """
    params = point.params
    ring = params["mechanism"].startswith("DISRUPTOR")
    if point.study == "counters":
        return INCREMENT[params["mechanism"], params["threads"]], None
    if point.study == "topologies":
        slower = 1.2 if params["mechanism"] == "LINKED_BLOCKING_QUEUE" else 1.0
        return (
            100.0 if ring else 800.0 * slower / (2 if params["accounting"] == "FAIR" else 1)
        ), None
    hop = (
        50.0
        if ring
        else 60_000.0 * (10_000 / int(params["gap"]) if params["pacing"] == "SCHEDULE" else 1)
    )
    return float(params["gap"]), measures(
        hop, int(params["stages"]), scheduled=params["pacing"] == "SCHEDULE"
    )


def measures(hop: float, stages: int, scheduled: bool) -> dict[str, float]:
    ways = {
        "hop": hop,
        "published": 1.3 * hop,
        "total": stages * (hop + 25),
        **({"due": stages * (hop + 25)} if scheduled else {}),
    }
    shape = {"min": 0.5, "mean": 1.0, "p50": 0.9, "p99": 1.8, "p9999": 20.0, "max": 100.0}
    values = {
        f"{way}_{name}": ns * factor for way, ns in ways.items() for name, factor in shape.items()
    }
    return values | {"clock_ns": 25.0, "recorder_ns": 33.0, "recorder_bytes": 221_696.0}


def mirrored(point: Point) -> tuple[float, dict[str, float] | None]:
    """Return the opposite: the queue is faster, and a lock is the cheapest counter."""
    other = {**dict(zip(RINGS, QUEUES, strict=True)), **dict(zip(QUEUES, RINGS, strict=True))}
    params = point.params
    if point.study == "counters":
        return 1000 / as_published(point)[0], None
    swapped = (
        params
        | {"mechanism": other[params["mechanism"]]}
        | ({"accounting": "AS_PUBLISHED"} if point.study == "topologies" else {})
    )
    return as_published(point.model_copy(update={"params": swapped}))


def make_run(tmp_path_factory, golden, behave):
    run = synthetic.make(tmp_path_factory.mktemp("runs") / "made", golden, behave, SWEEP)
    tidy.write_tables(run)
    return run


@pytest.fixture(scope="module")
def published(tmp_path_factory, golden_file):
    return make_run(tmp_path_factory, golden_file, as_published)


@pytest.fixture(scope="module")
def mirror(tmp_path_factory, golden_file):
    return make_run(tmp_path_factory, golden_file, mirrored)


def verdicts(run, study):
    """Return, per claim, the verdicts of the readings that this run can have."""
    rows = verdict_table.build_verdict_table(run, [study])
    rows = rows[rows["reading"] != "first version"]
    return {claim: set(group["verdict"]) for claim, group in rows.groupby("claim")}


def test_a_machine_that_is_as_published_reproduces_the_claims(published):
    results = {
        claim: words
        for study in SWEEP["studies"]
        for claim, words in verdicts(published, study).items()
    }
    assert results.pop("L10") == results.pop("L11") == {"not testable here"}
    assert results == {f"L{i}": {"reproduced"} for i in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13)}


def test_its_mirror_image_contradicts_them(mirror):
    results = {
        claim: words
        for study in SWEEP["studies"]
        for claim, words in verdicts(mirror, study).items()
    }
    assert {claim for claim, words in results.items() if words == {"contradicted"}} >= {
        f"L{i}" for i in (1, 2, 3, 4, 5, 6, 7, 8, 13)
    }


def test_a_release_that_was_not_measured_gets_no_verdict(published):
    rows = verdict_table.build_verdict_table(published, ["topologies"])
    assert set(rows.loc[rows["claim"] == "L1", "reading"]) == {"version 3", "version 4"}


def test_the_published_tables_are_judged_by_the_same_tests(published):
    theirs = (
        verdict_table.build_verdict_table(published, ["topologies", "latency", "counters"])
        .drop_duplicates("claim")
        .set_index("claim")["theirs"]
    )
    assert "does not hold (0.85" in theirs["L3"] and theirs["L13"].startswith("holds")
    assert (
        theirs["L6"].startswith("holds (630")
        and theirs["L7"].startswith("holds")
        and theirs["L8"].startswith("holds")
    )


def test_the_share_of_the_lead_due_to_accounting_is_computed(published):
    table = topologies.tabulate_accounting(TopologiesFigures(published, published.folder).baseline)
    row = table.loc[("PIPELINE", "disruptor 3.4.4")]
    assert row["as published"] == pytest.approx(8, rel=0.1) and row["fair"] == pytest.approx(
        4, rel=0.1
    )
    assert row["low"] < row["accounting"] < row["high"] and row["accounting"] == pytest.approx(
        2, rel=0.1
    )
    assert row["share"] == pytest.approx(1 / 3, abs=0.03)


def test_the_published_leads_are_those_of_the_sources_table():
    theirs = topologies.load_published().set_index(["machine", "topology", "mechanism"])["ratio"]
    assert theirs["Core i7-2720QM", "MULTICAST", "DISRUPTOR_1"] == pytest.approx(41.7, abs=0.05)
    assert theirs["EPYC 9374F", "SEQUENCER", "DISRUPTOR_3"] == pytest.approx(0.85, abs=0.005)


def test_the_counters_table_has_published_times_next_to_ours(published):
    rows = tabulate_increments(CountersFigures(published, published.folder).forks)
    assert list(rows.index) == [
        ("plain", 1),
        ("volatile", 1),
        ("compare and set", 1),
        ("lock", 1),
        ("compare and set", 2),
        ("lock", 2),
    ]
    assert rows.loc[("lock", 2), "published ns"] == 448 and rows.loc[
        ("lock", 2), "times plain"
    ] == pytest.approx(200, rel=0.1)


def test_the_exact_and_the_published_statistic_are_both_shown(published):
    rows = latency.tabulate_statistics(LatencyFigures(published, published.folder).forks)
    ours = ("disruptor 4.0.0", "BUSY_SPIN", False)
    exact, theirs = (
        rows.loc[(3, *ours, name), "mean"] for name in ("exact", "published statistic")
    )
    assert exact == pytest.approx(50, rel=0.05) and theirs == pytest.approx(65, rel=0.05)
    assert rows.loc[(3, "array blocking queue", "", False, "as published"), "99 %"] == 2_097_152


def test_a_fork_has_the_greatest_latency_of_its_shots_and_else_their_median():
    base = {
        "study": "latency",
        "point": "p",
        "fork": 0,
        "warmup": False,
        "counted": True,
        "cpu_producer": 1,
        "events": 1,
    }
    base |= dict.fromkeys(
        [
            "user_ns",
            "sys_ns",
            "workers_ns",
            "voluntary",
            "involuntary",
            "wall_ns",
            "ns_per_event",
            "gc_ns",
            "compiler_ns",
        ],
        1,
    )
    base |= {"too_short": False, "short_usage": False}
    shots = pd.DataFrame(
        [
            base | {"shot": i, "hop_max": m, "hop_min": m, "hop_mean": m}
            for i, m in enumerate((5.0, 9.0, 4.0))
        ]
    )
    fork = compute_fork_means(shots).iloc[0]
    assert (fork["hop_max"], fork["hop_min"], fork["hop_mean"]) == (
        9,
        4,
        5,
    ) and "hop_max" in load_catalog()["latency"].measures


def test_every_figure_can_be_drawn_and_none_without_forks(published, tmp_path, fake_run):
    figure = [
        TopologiesFigures(published, tmp_path).ratios(),
        CountersFigures(published, tmp_path).figure(),
    ]
    figure += [
        LatencyFigures(published, tmp_path).percentiles(),
        LatencyFigures(published, tmp_path).load(),
    ]
    assert all(figure) and len(list((tmp_path / "figures").glob("*.svg"))) == 4
    other = fake_run()
    tidy.write_tables(other)
    nothing = [
        TopologiesFigures(other, tmp_path).ratios(),
        CountersFigures(other, tmp_path).figure(),
    ]
    assert not any(
        [
            *nothing,
            LatencyFigures(other, tmp_path).percentiles(),
            LatencyFigures(other, tmp_path).load(),
        ]
    )


def test_hollow_marks_are_published_values(published):
    figure = draw_latency.draw_percentiles(
        latency.select_published(LatencyFigures(published, published.folder).forks),
        LatencyFigures(published, published.folder).curves,
    )
    marks = [
        line for axes in figure.axes for line in axes.lines if line.get_markerfacecolor() == "none"
    ]
    assert sorted(line.get_ydata()[0] for line in marks) == [128, 8_192, 2_097_152, 4_194_304]
    forks = TopologiesFigures(published, published.folder).baseline
    figure = draw_topologies.draw_ratios(topologies.compute_ratios_to_queue(forks))
    # Ten of the two Core i7, two of the EPYC, whose other queue is not the array blocking queue.
    assert sum(line.get_markerfacecolor() == "none" for line in figure.axes[0].lines) == 12


def test_a_run_without_the_papers_study_has_other_notebooks_and_no_figures_3_to_8(
    published, tmp_path
):
    assert drawing.list_reading_notebooks(published) == [
        "20_topologies",
        "30_latency",
        "35_counters",
        "80_sweep",
        "90_claims",
    ]
    assert ScalingFigures(published, tmp_path).page() is None


def test_missing_forks_are_named_in_the_terms_of_their_study():
    rows = [
        ("counters", "CAS", None, None, 2),
        ("topologies", "DISRUPTOR_4", "DIAMOND", None, None),
        ("scaling", "SEQUENTIAL", None, 3, None),
    ]
    missing = pd.DataFrame(
        rows, columns=["study", "mechanism", "topology", "consumers", "threads"]
    ).assign(asked=2, found=1)
    assert (
        describe_incomplete(missing)
        == "INCOMPLETE: 3 forks missing, of compare and set 2 threads, disruptor 4.0.0 DIAMOND,"
        " sequential n=3."
    )


def test_points_with_missing_forks_that_have_one_name_are_named_once():
    rows = pd.DataFrame(
        {"study": "scaling", "mechanism": "SEQUENTIAL", "consumers": [1] * 5 + [2]}
    ).assign(asked=5, found=4)
    assert (
        describe_incomplete(rows)
        == "INCOMPLETE: 6 forks missing, of sequential n=1 (5 points), sequential n=2."
    )


def test_points_with_some_of_their_forks_are_named_as_incomplete():
    point = {"study": "counters", "mechanism": "CAS", "threads": 2, "asked": 3, "found": 2}
    state = {"disturbed": 0, "oversubscribed": False, "unavailable": None}
    lacking = count_points(pd.DataFrame([point | state]))["lacking"]
    assert lacking == "INCOMPLETE: 1 fork missing, of compare and set 2 threads."


def test_a_gap_measured_under_another_wait_strategy_only_is_shown():
    point = {"mechanism": "DISRUPTOR_4", "stages": 3}
    pairs = [(0, "BUSY_SPIN"), (0, "YIELDING"), (1000, "YIELDING")]
    forks = pd.DataFrame([point | {"gap": gap, "wait": wait} for gap, wait in pairs])
    shown = latency.select_one_wait(forks)
    assert shown[["gap", "wait"]].to_numpy().tolist() == [[0, "BUSY_SPIN"], [1000, "YIELDING"]]
