"""The Disruptor's published tables: claims, figures and tables on SYNTHETIC runs of known truth."""

import pandas as pd
import pytest

from handoff.analysis.forks import round_table
from handoff.claims import verdict_table
from handoff.cli import outcome, stages
from handoff.draw.words import describe_incomplete, write_footnote
from handoff.files import write_json
from handoff.paths import generated_folder
from handoff.run.plan.points import Point
from handoff.studies.counters.figures import CountersFigures, tabulate_increments
from handoff.studies.latency import figures as draw_latency
from handoff.studies.latency import numbers as latency
from handoff.studies.latency.figures import LatencyFigures
from handoff.studies.scaling.figures import ScalingFigures
from handoff.studies.topologies import figures as draw_topologies
from handoff.studies.topologies import numbers as topologies
from handoff.studies.topologies.figures import TopologiesFigures
from tests import synthetic

QUEUES, RINGS = ["ARRAY_BLOCKING_QUEUE", "LINKED_BLOCKING_QUEUE"], ["DISRUPTOR_3", "DISRUPTOR_4"]
TOPOLOGIES = ["UNICAST", "PIPELINE", "SEQUENCER", "MULTICAST", "DIAMOND"]
MECHANISMS = QUEUES + RINGS
LATENCY = {"mechanism": MECHANISMS, "events": 300_000}
TOPOLOGY = {"topology": TOPOLOGIES, "accounting": ["AS_PUBLISHED", "FAIR"], "events": 1_000_000}
COUNTER = {"mechanism": ["PLAIN", "VOLATILE", "CAS", "LOCK"], "threads": [1, 2]}
SWEEP = synthetic.make_sweep(
    topologies=[TOPOLOGY | {"mechanism": MECHANISMS}],
    latency=[
        LATENCY | {"stages": [1, 3]},
        LATENCY | {"pacing": "SCHEDULE", "gap": [10_000, 5_000, 2_000, 1_000, 500]},
    ],
    counters=[COUNTER | {"events": 100_000_000}],
)
INCREMENT = {"PLAIN": [1.0], "VOLATILE": [5.0], "CAS": [7.0, 40.0], "LOCK": [20.0, 200.0]}
"""Nanoseconds per increment, with one thread and with two."""


def as_published(point: Point) -> tuple[float, dict[str, float] | None]:
    """Return what the sources say.

    The ring is 8 times as fast, a hop takes 50 ns against 60 µs, counters keep their order, and
    accounting is a factor of 2.
    """
    params = point.params
    mechanism, ring = params["mechanism"], params["mechanism"].startswith("DISRUPTOR")
    if point.study == "counters":
        return INCREMENT[mechanism][int(params["threads"]) - 1], None
    if point.study == "topologies":
        slower = 1.2 if mechanism == "LINKED_BLOCKING_QUEUE" else 1.0
        queue = 800.0 * slower / (2 if params["accounting"] == "FAIR" else 1)
        return 100.0 if ring else queue, None
    scheduled, gap = params["pacing"] == "SCHEDULE", float(params["gap"])
    hop = 50.0 if ring else 60_000.0 * (10_000 / gap if scheduled else 1)
    return gap, measures(hop, int(params["stages"]), scheduled)


def measures(hop: float, stages: int, scheduled: bool) -> dict[str, float]:
    total = stages * (hop + 25)
    ways = {"hop": hop, "published": 1.3 * hop, "total": total}
    ways |= {"due": total} if scheduled else {}
    shape = {"min": 0.5, "mean": 1.0, "p50": 0.9, "p99": 1.8, "p9999": 20.0, "max": 100.0}
    values = {f"{way}_{name}": ways[way] * shape[name] for way in ways for name in shape}
    return values | {"clock_ns": 25.0, "recorder_ns": 33.0, "recorder_bytes": 221_696.0}


@pytest.fixture(scope="module")
def published(tmp_path_factory, golden_file):
    return synthetic.make(tmp_path_factory.mktemp("made") / "run", golden_file, as_published, SWEEP)


@pytest.fixture
def latency_figures(published):
    return LatencyFigures(published, published.folder)


@pytest.fixture
def topologies_forks(published):
    return TopologiesFigures(published, published.folder).baseline


def test_a_machine_that_is_as_published_reproduces_the_claims(published):
    rows = verdict_table.build_verdict_table(published, list(SWEEP["studies"]))
    tried = rows.set_index("claim")["tried"]
    results = {row.claim: {row.verdict} for row in rows.itertuples()}
    for claim, choices in tried.items():
        results[claim] |= {choice["verdict"] for choice in choices}
    assert results.pop("L10") == results.pop("L11") == {"not testable here"}
    assert results == {f"L{i}": {"reproduced"} for i in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13)}
    # A release that was not measured gets no verdict.
    assert [choice["choice"] for choice in tried["L1"]] == ["version 4"]
    # The published tables are judged by the same tests.
    theirs = rows.drop_duplicates("claim").set_index("claim")["theirs"]
    assert "does not hold (0.85" in theirs["L3"] and theirs["L6"].startswith("holds (630")
    assert all(theirs[claim].startswith("holds") for claim in ("L7", "L8", "L13"))


def test_shares_of_the_lead_and_published_leads_are_computed(topologies_forks):
    table = topologies.tabulate_accounting(topologies_forks)
    row = table.loc[("PIPELINE", "disruptor 3.4.4")]
    leads = row[["as published", "fair", "accounting"]].tolist()
    assert leads == pytest.approx([8, 4, 2], rel=0.1)
    assert row["low"] < row["accounting"] < row["high"]
    assert row["share"] == pytest.approx(1 / 3, abs=0.03)
    theirs = topologies.load_published().set_index(["machine", "topology", "mechanism"])["ratio"]
    assert theirs["Core i7-2720QM", "MULTICAST", "DISRUPTOR_1"] == pytest.approx(41.7, abs=0.05)
    assert theirs["EPYC 9374F", "SEQUENCER", "DISRUPTOR_3"] == pytest.approx(0.85, abs=0.005)


def test_the_counters_table_has_published_times_next_to_ours(published):
    rows = tabulate_increments(CountersFigures(published, published.folder).forks)
    alone = [("plain", 1), ("volatile", 1), ("compare and set", 1), ("lock", 1)]
    assert list(rows.index) == [*alone, ("compare and set", 2), ("lock", 2)]
    assert rows.loc[("lock", 2), "published ns"] == 448
    assert rows.loc[("lock", 2), "times plain"] == pytest.approx(200, rel=0.1)


def test_the_exact_and_the_published_statistic_are_both_shown(latency_figures):
    rows = latency.tabulate_statistics(latency_figures.forks)
    ours = (3, "disruptor 4.0.0", "BUSY_SPIN", False)
    means = [rows.loc[(*ours, name), "mean"] for name in ("exact", "published statistic")]
    assert means == pytest.approx([50, 65], rel=0.05)
    assert rows.loc[(3, "array blocking queue", "", False, "as published"), "99 %"] == 2_097_152


def test_a_run_without_the_papers_study_has_the_notebooks_and_figures_of_its_own(published):
    studies = ["20_topologies", "30_latency", "35_counters"]
    assert stages.list_reading_notebooks(published) == [*studies, "80_sweep", "90_claims"]
    assert ScalingFigures(published, published.folder).page() is None


def list_hollow(axes):
    """Return the values of the hollow marks."""
    return [line.get_ydata()[0] for line in axes.lines if line.get_markerfacecolor() == "none"]


def test_hollow_marks_are_published_values(latency_figures, topologies_forks):
    theirs = latency.select_published(latency_figures.forks)
    figure = draw_latency.draw_percentiles(theirs, latency_figures.curves)
    marks = [value for axes in figure.axes for value in list_hollow(axes)]
    assert sorted(marks) == [128, 8_192, 2_097_152, 4_194_304]
    figure = draw_topologies.draw_ratios(topologies.compute_ratios_to_queue(topologies_forks))
    # Ten of the two Core i7, two of the EPYC, whose other queue is not the array blocking queue.
    assert len(list_hollow(figure.axes[0])) == 12


def test_a_footnote_counts_forks_and_warns_of_weak_ones(published):
    forks = CountersFigures(published, published.folder).forks
    shared = forks["point"] == forks["point"].iloc[0]
    forks = forks[~shared | (forks["fork"] == 0)].assign(oversubscribed=shared)
    forks = forks.assign(too_short=shared, disturbed=forks["fork"].map({1: "others used a core"}))
    forks["disturbed"] = forks["disturbed"].fillna("")
    missing = pd.DataFrame(columns=["asked", "found"])
    note = write_footnote(published, forks, missing, "Counters.", "", "")
    assert note.startswith("Counters. 36 forks, 7 per point (1 where threads share cores).")
    assert "DISTURBED: 5 of 36 forks" in note and "TOO SHORT at 1 of 6 points: shots" in note


def test_missing_forks_are_counted_by_mechanism():
    mechanisms = {"study": ["counters", *["topologies"] * 2], "mechanism": ["CAS", *RINGS[1:] * 2]}
    missing = pd.DataFrame(mechanisms).assign(asked=2, found=1)
    words = "INCOMPLETE: 3 forks missing: compare and set 1, disruptor 4.0.0 2."
    assert describe_incomplete(missing) == words


def test_a_gap_measured_under_another_wait_strategy_only_is_shown():
    point = {"mechanism": "DISRUPTOR_4", "stages": 3}
    pairs = [(0, "BUSY_SPIN"), (0, "YIELDING"), (1000, "YIELDING")]
    forks = pd.DataFrame([point | {"gap": gap, "wait": wait} for gap, wait in pairs])
    shown = latency.select_one_wait(forks)
    assert shown[["gap", "wait"]].to_numpy().tolist() == [[0, "BUSY_SPIN"], [1000, "YIELDING"]]


def test_bounds_are_rounded_outwards_and_other_numbers_to_the_nearest():
    table = pd.DataFrame({"ratio": [1.126], "low": [1.019], "ns_high": [1.101], "high": [1.3]})
    rounded = round_table(table, dict.fromkeys(table.columns, 2))
    assert rounded.to_dict("records") == [
        {"ratio": 1.13, "low": 1.01, "ns_high": 1.11, "high": 1.3}
    ]


def make_row(claim: str, words: str = "reproduced") -> dict:
    says = "With one sort per event, the blocking queue takes longer than one thread alone"
    answers = [
        {"setting": setting, "words": words, "here": "4.10 [3.64 to 4.60]"}
        for setting in ("then", "today")
    ]
    judged = {"judged": words == "reproduced", "forced": False}
    return {"claim": claim, "says": says, "answers": answers, **judged}


@pytest.fixture
def print_of(fake_run, capsys):
    """Return what is printed of a run with these claims and effects."""

    def print_made(*claims: dict, profile: str = "quick") -> str:
        made = fake_run()
        run = made._replace(identity=made.identity | {"profile": profile})
        folder = generated_folder(run.folder)
        folder.mkdir()
        section = {"claims": list(claims), "usual": "Judged.", "untestable": "Not judged: P2."}
        write_json(folder / "numbers.json", section | {"studies": []})
        effects = {"study": "scaling", "varied": [{"name": "sorts", "values": ["1", "15"]}]}
        effects |= {"sentences": ["sorts 15 in place of 1: 9 times the time."], "others": []}
        write_json(folder / "sweep.json", {"studies": [effects]})
        outcome.print_results(run)
        return capsys.readouterr().out

    return print_made


def test_the_main_claims_are_a_table_of_80_columns_in_the_order_of_readme(print_of):
    text = print_of(make_row("P6"), make_row("P5"), make_row("P3"))
    assert text.index("P3 ") < text.index("P6 ") and "P5" not in text
    assert text.count("4.10 [3.64 to 4.60]") == 4 and "Not judged: P2." in text
    assert "then" in text and "today" in text
    assert max(map(len, text.splitlines())) <= 80 and "effects" not in text


def test_where_none_of_them_is_judged_the_largest_effects_are_printed(print_of):
    text = print_of(make_row("P1", "not testable here"))
    assert "P1" not in text and "Largest effects in scaling:\n  sorts 15 in place of 1" in text


def test_where_no_effect_is_sure_the_levels_are_printed():
    point = {"values": ["15"], "responses": ["357.3 [350, 365]", "1 [1, 1]"]}
    study = {"varied": [{"name": "sorts"}], "responses": [{"axis": "ns per event"}] * 2}
    levels = outcome.list_levels(study | {"points": [point]})
    assert levels == ["sorts 15; ns per event: 357.3 [350, 365]"]


def test_where_nothing_was_varied_no_effect_is_named(capsys):
    point = {"values": [], "responses": ["357.3"]}
    study = {"study": "scaling", "sentences": [], "others": [], "varied": [], "points": [point]}
    outcome.print_effects({"studies": [study | {"responses": [{"axis": "ns per event"}]}]})
    printed = capsys.readouterr().out
    assert printed == "\nNothing was varied in scaling; its point:\n  ns per event: 357.3\n"


def test_a_users_sweep_that_judges_nothing_has_the_notebook_of_its_sweep_alone(fake_run):
    made = fake_run()
    assert made.only_reports and stages.list_reading_notebooks(made) == ["80_sweep"]
    shipped = made._replace(identity=made.identity | {"profile": "smoke"})
    assert not shipped.only_reports


def test_an_own_sweep_ends_with_its_effects_too(print_of):
    text = print_of(make_row("P1"), profile="my")
    assert "P1" in text and "Largest effects in scaling" in text
