"""What is shown of the model: made anew from the model it is the same, it is called MODEL wherever
it is drawn, and where its arms disagree it says nothing.
"""

import json
from itertools import product

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from handoff import archive
from handoff.errors import BadInput
from handoff.model.machine import MACHINES, PS, load_machine, load_machine_file
from handoff.model.mechanisms import MECHANISMS, SEQUENTIAL
from handoff.modelled import (
    claims,
    comparison,
    figures,
    gate,
    journey,
    machine_file,
    predictions,
    sayings,
    summary,
    what_ifs,
)
from handoff.modelled.arms import BASE, ONE_SOCKET, WHAT_IFS, list_arms
from handoff.modelled.here import build_machine
from handoff.modelled.look import NAMES
from handoff.modelled.world import CPU, TIME
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.tables import tidy

from .table_schema import list_deviations

X5650 = load_machine("x5650")
QUEUE = "ARRAY_BLOCKING_QUEUE"


@pytest.fixture(scope="module")
def table():
    return predictions.load_table()


def test_the_kept_table_has_every_arm_and_point(table):
    tasks = {
        (task.arm.name, task.point.mechanism, task.point.sorts, task.point.consumers)
        for task in predictions.list_tasks()
        if task.point.mechanism != SEQUENTIAL
    }
    kept = table[table["mechanism"] != SEQUENTIAL]
    keys = ["arm", "mechanism", "sorts", "consumers"]
    assert set(kept[keys].itertuples(index=False, name=None)) == tasks
    assert set(table["arm"]) == {arm.name for arm in list_arms(X5650)}
    changed = predictions.load_what_ifs()
    assert set(changed["what_if"]) == set(WHAT_IFS) and set(changed["arm"]) == set(table["arm"])
    assert len(changed) == len(list(predictions.list_what_ifs()))


@pytest.mark.parametrize("what_if", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_kept_row_is_what_the_model_says_now(table, seed, what_if):
    listed = predictions.list_what_ifs() if what_if else predictions.list_tasks()
    tasks = [task for task in listed if task.point.capacity <= 1024]
    task = tasks[(seed * 997 + 13) % len(tasks)]
    due = predictions.run_task(task)
    keys = {
        name: value
        for name, value in due.items()
        if name in ("what_if", "arm", "mechanism", "consumers", "sorts")
    }
    own = predictions.load_what_ifs() if what_if else table
    for name, value in keys.items():
        own = own[own[name] == value]
    assert own.to_dict("records") == [due]


@pytest.mark.parametrize(
    ("machine", "what", "threads"),
    [
        ("Core i7-860", "unicast, ARRAY_BLOCKING_QUEUE", 2),
        ("Core i7-860", "pipeline, DISRUPTOR_1", 4),
        ("EPYC 9374F", "unicast, DISRUPTOR_4", 2),
    ],
)
def test_a_kept_row_of_the_comparison_is_what_the_model_says_now(machine, what, threads):
    """Of all rows a deep test asks."""
    kept = comparison.load_comparison()
    (row,) = kept[
        kept["source"].str.contains(machine) & (kept["what"] == what) & (kept["threads"] == threads)
    ].itertuples()
    where = (
        load_machine(comparison.EPYC) if machine.startswith("EPYC") else comparison.lighten(X5650)
    )
    topology, mechanism = what.upper().split(", ")
    found = comparison.simulate_topology(where, topology, mechanism == "ARRAY_BLOCKING_QUEUE")
    assert round(found, 3) == row.model_ns


def test_each_row_of_the_comparison_says_how_independent_it_is():
    kept = comparison.load_comparison()
    assert set(kept["status"]) == {
        comparison.BUILT_FROM,
        comparison.FITTED,
        comparison.SEEN,
        comparison.PREDICTED,
        comparison.NOT_MODELLED,
    }
    assert (kept["model_ns"].isna() == (kept["status"] == comparison.NOT_MODELLED)).all()
    assert (kept["apart_ns"].notna() == (kept["status"] == comparison.PREDICTED)).all()


def test_no_published_number_of_these_tables_is_passed_over():
    """Each file's rows are there; only a plain counter, which hands nothing over, is not."""
    kept = comparison.load_comparison()
    for what, file, left_out in (
        ("counter", "counters", 1),
        ("pi,", "executors_pi", 0),
        ("unicast|pipeline|sequencer|multicast|diamond", "topologies", 0),
        ("hop ", "latency_pipeline", 0),
    ):
        published = pd.read_csv(comparison.PUBLISHED / f"{file}.csv")
        assert kept["what"].str.match(what).sum() == len(published) - left_out


def test_every_kept_table_has_its_schema():
    package = json.loads((predictions.MODEL / "datapackage.json").read_text())
    known = {resource["path"]: resource["schema"] for resource in package["resources"]}
    assert set(known) == {path.name for path in predictions.MODEL.glob("*.csv")}
    for name, schema in known.items():
        assert list_deviations(predictions.MODEL / name, schema) == []


def make_world(queue: float, pool: float, cores: float, name: str) -> pd.DataFrame:
    """Times relative to one thread's, divided by the consumers, whatever the load."""
    rows = []
    for sorts in predictions.LOADS:
        rows.append((name, SEQUENTIAL, 0, sorts, 100.0 * sorts, 1.0))
        for n in range(1, 12):
            for mechanism in MECHANISMS:
                factor = queue if mechanism == "ARRAY_BLOCKING_QUEUE" else pool
                rows.append((name, mechanism, n, sorts, 100.0 * sorts * factor, cores * (n + 1)))
    return pd.DataFrame(rows, columns=["arm", "mechanism", "consumers", "sorts", "ns", "cores"])


NEAR = {quantity: dict.fromkeys(product(MECHANISMS, (1, 15, 300)), 1.0) for quantity in (TIME, CPU)}


def say(table: pd.DataFrame) -> dict[str, str]:
    judged = claims.judge_claims(table, NEAR)
    return dict(judged[judged["reading"] == "worker pool"][["claim", "says_here"]].values)


ASKED = ("P1", "P2", "P3", "P5")


def test_a_world_as_claimed_its_mirror_and_both_together():
    as_claimed = make_world(2.0, 0.5, 1.0, BASE)
    mirror = make_world(0.5, 2.0, 0.3, BASE)
    said, opposite = say(as_claimed), say(mirror)
    assert [said[name] for name in ASKED] == [claims.HOLDS] * 4
    assert [opposite[name] for name in ASKED] == [claims.DOES_NOT] * 4
    both = say(pd.concat([as_claimed, mirror.assign(arm="far x 2")]))
    assert [both[name] for name in ASKED] == [claims.CANNOT_SAY] * 4


@pytest.mark.parametrize(("queue", "said"), [(3.9, claims.HOLDS), (4.1, claims.CANNOT_SAY)])
def test_arms_that_agree_on_the_side_must_be_near_each_other_too(queue, said):
    """P1 is of the queue over one thread: twice as slow in one arm, and in the other so much."""
    arms = [make_world(2.0, 0.5, 1.0, BASE), make_world(queue, 0.5, 1.0, "far x 2")]
    judged = claims.judge_claims(pd.concat(arms), NEAR)
    own = judged[(judged["claim"] == "P1") & (judged["reading"] == "worker pool")].iloc[0]
    assert (own["says_here"], own["holds in"], own["arms"]) == (said, 2, 2)


def test_a_claim_that_rests_on_a_curve_too_far_off_is_not_said():
    """P3 compares the queue's times with the Disruptor's at one sort; P5 is of CPU alone."""
    times = {key: worst for key, worst in NEAR[TIME].items() if key != (QUEUE, 1)}
    off = {**NEAR, TIME: times}
    judged = claims.judge_claims(make_world(2.0, 0.5, 1.0, BASE), off).set_index("claim")
    assert set(judged.loc["P3", "says_here"]) == {claims.CANNOT_SAY}
    assert set(judged.loc["P3", "too far off"]) == {f"time of {QUEUE} at 1"}
    assert set(judged.loc["P5", "says_here"]) == {claims.HOLDS}


@pytest.mark.parametrize(("worst", "said"), [(1.15, claims.HOLDS), (1.25, claims.CANNOT_SAY)])
def test_a_claim_of_sameness_needs_curves_that_are_near_within_its_limits(worst, said):
    """P11 takes 0.9 to 1.25 for the same time: 1.18 either way from the middle."""
    near = {**NEAR, TIME: {**NEAR[TIME], (QUEUE, 300): worst}}
    judged = claims.judge_claims(make_world(1.0, 1.0, 1.0, BASE), near).set_index("claim")
    assert set(judged.loc["P11", "says_here"]) == {said}


def test_every_claim_with_a_test_is_asked_in_both_readings(table):
    judged = claims.judge_claims(table, NEAR)
    asked = [name for name, claim in claims.load_claims().items() if claim["test"]]
    assert list(zip(judged["claim"], judged["reading"], strict=True)) == list(
        product(asked, claims.READINGS)
    )
    assert "P14" not in asked and len(asked) == 13


def test_what_is_drawn_is_called_a_model_everywhere(table, tmp_path):
    passing = {key: 1.0 for key in NEAR[TIME] if key[0] != QUEUE}
    near = {TIME: passing, CPU: passing}
    drawn = [
        figures.draw_paper_figures(table, near, tmp_path),
        figures.draw_moves(table, tmp_path),
        what_ifs.draw_what_ifs(table, predictions.load_what_ifs(), near, tmp_path),
    ]
    for figure in drawn:
        legends = [*figure.legends, *(a.get_legend() for a in figure.axes if a.get_legend())]
        series = [text.get_text() for legend in legends for text in legend.get_texts()]
        titles = [legend.get_title().get_text() for legend in figure.legends]
        assert [title.startswith("MODEL, not measured") for title in titles] == [True]
        assert all(axes.get_title(loc="left").startswith("MODEL") for axes in figure.axes)
        assert len([text for text in series if text.startswith("MODEL")]) >= 2
        plt.close(figure)
    assert {path.stem.split("-")[0] for path in tmp_path.glob("*.svg")} == {"MODEL"}
    assert len(list(tmp_path.glob("*.png"))) == 3


def make_gate(rows) -> pd.DataFrame:
    """Session, hops, mechanism, sorts, time over what was measured, and cores beside it."""
    names = ["session", "hop", "mechanism", "sorts", "factor", "cores_off"]
    table = pd.DataFrame(rows, columns=names).assign(measured_ns=100.0, measured_cores=1.5)
    return table.assign(
        model_ns=table["factor"] * 100, model_cores=table["measured_cores"] + table["cores_off"]
    )


def test_a_curve_must_be_near_in_every_session_and_with_every_hop_beside_its_shots():
    striped = "DISRUPTOR_STRIPED"
    table = make_gate(
        [
            ("one", gate.RANGE, QUEUE, 1, 3.0, 3.0),
            ("one", gate.BESIDE, QUEUE, 1, 1.5, 0.0),
            ("two", gate.BESIDE, QUEUE, 1, 0.6, 0.2),
            ("one", gate.BESIDE, striped, 1, 1.2, 0.1),
            ("two", gate.BESIDE, striped, 1, 0.7, -0.1),
        ]
    )
    assert gate.list_passing(table, TIME) == {(QUEUE, 1): pytest.approx(1 / 0.6)}
    assert gate.list_passing(table, CPU) == {(striped, 1): pytest.approx(1.5 / 1.4)}
    told = gate.summarize(table).loc[(QUEUE, 1)]
    assert told["time, model/measured"] == "0.60 to 1.50" and told["sessions"] == 2
    assert told["time near enough"] and not told["cores near enough"]


def test_a_kept_row_of_the_gate_is_what_the_model_says_of_the_kept_session(tmp_path):
    """The sessions began after the freeze, on a clean checkout of its commit or of a later one."""
    kept = gate.load_gate()
    for number in (1, 2, 3):
        folder = tmp_path / str(number)
        archive.unpack_archive(predictions.MODEL / f"gate-{number}.zip", folder)
        (session,) = (folder / "sessions").glob("*.json")
        assert json.loads(session.read_text())["began"] > "2026-11-23T13:48"
    run = read_run(tmp_path / "1")
    tidy.write_tables(run)
    cases = [case for case in gate.list_cases(run) if case.point.mechanism != QUEUE]
    own = kept[(kept["session"] == 1) & (kept["mechanism"] != QUEUE)].drop(columns="session")
    assert own.to_dict("records")[0] == gate.compare_case(cases[0])
    assert len(own) == len(cases)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("nosuch", "nosuch"), ("reference-warmup", "reference-warmup measured no hops.")],
)
def test_a_run_that_the_gate_cannot_use_is_named_in_one_sentence(capsys, name, wrong):
    assert gate.main([name]) == 2
    said = capsys.readouterr().err
    assert wrong in said and said.count("\n") == 1


def make_what_if(ratios: dict[str, float]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """As it is, and with one socket: a row an arm, of the queue at 15 sorts with 5 and 8."""
    rows = [(arm, QUEUE, n, 15, 100.0) for arm in ratios for n in (5, 6, 8, 11)]
    table = pd.DataFrame(rows, columns=["arm", "mechanism", "consumers", "sorts", "ns"])
    changed = table.assign(what_if=ONE_SOCKET)
    changed["ns"] *= [ratios[arm] if n > 5 else 1.0 for arm, _, n, _, _ in rows]
    return table, changed


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ({BASE: 0.5, "far x 2": 0.4}, True),
        ({BASE: 0.9, "far x 2": 1.1}, False),
        ({BASE: 0.9, "far x 2": 0.4}, False),
        ({BASE: 1.0, "far x 2": 1.0}, True),
        ({BASE: 0.5}, False),
    ],
)
def test_a_what_if_is_said_where_arms_agree_and_are_near(ratios, said):
    table, changed = make_what_if(ratios)
    found = what_ifs.compare_what_ifs(table, changed, NEAR).set_index("consumers")
    assert bool(found.loc[8, "said"]) is said
    assert tuple(found.loc[8, ["base", "least", "most"]]) == pytest.approx(
        (ratios[BASE], min(ratios.values()), max(ratios.values()))
    )
    far = what_ifs.compare_what_ifs(table, changed, {TIME: {}})
    assert not far["said"].any()
    fall = what_ifs.tabulate_fall(table, changed)
    assert fall.loc[8, "two sockets"].startswith("1.00 [1.00 to 1.00]")
    assert (what_ifs.CANNOT_SAY in fall.loc[8, "two over one"]) is not said


def test_what_the_paper_says_of_the_model_is_whole():
    found = summary.summarize_model()
    kept = comparison.load_comparison()
    counted = sum(row["rows"] for row in found["comparison"]["rows"])
    built = kept["status"].isin([comparison.BUILT_FROM, comparison.FITTED]).sum()
    assert counted + found["comparison"]["left_out"] + built == len(kept)
    assert [row["mechanism"] for row in found["gate"]] == list(NAMES.values())
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("places", [journey.NEAR, journey.FAR])
def test_one_events_journey_says_who_holds_what(mechanism, places):
    steps = journey.show_journey(mechanism, places)
    assert steps.title.startswith("MODEL") and 1 <= len(steps.states) <= 30
    assert steps.title.endswith("two sockets") == (places == journey.FAR)
    for state in steps.states:
        (moved,) = [row for row in state.rows if row.marked]
        assert moved.label in state.words and state.words.endswith("ns.")


def test_a_queue_moves_more_lines_than_a_ring():
    queue, pool, striped = (len(journey.list_moves(X5650, name)) for name in MECHANISMS)
    assert queue > 5 * pool and queue > 5 * striped


def test_a_table_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(BadInput, match=r"python -m handoff\.modelled\.predictions writes it"):
        predictions.read_table(tmp_path / "none.csv")


def test_a_saying_is_beside_each_reading_of_a_claim_at_whatever_load():
    known = sayings.load_sayings()
    of_p5 = {known["P5", reading] for reading in ("", *claims.READINGS)}
    assert of_p5 == {"does not hold"} and "P14" not in {claim for claim, _ in known}
    assert sayings.find_saying("P5", "worker pool") == "does not hold"
    assert sayings.find_saying("P5", f"worker pool, {sayings.MATCHED_LOAD}") == "does not hold"
    assert sayings.find_saying("P1", sayings.MATCHED_LOAD) == sayings.find_saying("P1", "") != ""
    assert sayings.find_saying("P14", "") == "" == sayings.find_saying("X1", "")
    assert sayings.MATCHED_LOAD in claims.FILE.read_text()


def test_the_machine_of_a_run_is_a_file_that_the_model_reads(tmp_path, monkeypatch):
    run = read_run(find_run_folder("reference"))
    monkeypatch.setattr(machine_file, "MACHINES", tmp_path)
    made = machine_file.write_machine(run, "reference")
    for file in made:
        assert (MACHINES / file.name).read_text() == file.read_text()
    here, told = load_machine("reference"), load_machine_file("reference")
    hop = here.hops[0, 1] / PS
    built = build_machine(run, hop)
    assert (here.times, here.hops, here.socket) == (built.times, built.hops, built.socket)
    assert told.constants["unpark"].certainty == "measured"
    assert told.constants["try_park"].source.startswith("as of x5650: ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["reference", "x5650"], "x5650 is the paper's machine: take another name."),
        (["reference-warmup", "mine"], "reference-warmup measured no hops."),
    ],
)
def test_a_machine_that_cannot_be_written_is_one_sentence(
    arguments, told, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(machine_file, "MACHINES", tmp_path)
    assert machine_file.main(arguments) == 2
    assert capsys.readouterr().err.startswith(told)
    assert not list(tmp_path.iterdir())
