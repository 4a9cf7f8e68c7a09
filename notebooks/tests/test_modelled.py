"""What is shown of the model: made anew from the model it is the same, it is called MODEL wherever
it is drawn, and where its arms disagree it says nothing.
"""

import json
from itertools import product

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from handoff.errors import BadInput
from handoff.model.machine import load_machine
from handoff.model.mechanisms import MECHANISMS, SEQUENTIAL
from handoff.modelled import claims, comparison, figures, here, journey, predictions
from handoff.modelled.arms import BASE, WHAT_IFS, list_arms

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
    assert set(predictions.load_what_ifs()["arm"]) == set(WHAT_IFS)


@pytest.mark.parametrize("seed", range(6))
def test_a_kept_row_is_what_the_model_says_now(table, seed):
    tasks = [task for task in predictions.list_tasks() if task.point.capacity <= 1024]
    task = tasks[(seed * 997 + 13) % len(tasks)]
    due = predictions.run_task(task)
    keys = {name: due[name] for name in ("arm", "mechanism", "consumers", "sorts")}
    own = table
    for name, value in keys.items():
        own = own[own[name] == value]
    assert own.to_dict("records") == [due]


def test_the_kept_comparison_is_what_the_model_says_now():
    kept = comparison.load_comparison()
    rows = [*comparison.compare_counters(X5650), *comparison.compare_unicast(X5650)]
    made = pd.DataFrame([{**row._asdict(), "factor": row.factor} for row in rows]).round(3)
    pd.testing.assert_frame_equal(made, kept.head(len(made)), check_dtype=False)
    assert set(kept["status"]) == {
        comparison.BUILT_FROM,
        comparison.SEEN,
        comparison.PARTLY,
    }


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


def say(table: pd.DataFrame) -> dict[str, str]:
    judged = claims.judge_claims(table)
    return dict(judged[judged["reading"] == "worker pool"][["claim", "says_here"]].values)


def test_a_world_as_claimed_its_mirror_and_both_together():
    as_claimed = make_world(2.0, 0.5, 1.0, BASE)
    mirror = make_world(0.5, 2.0, 0.3, BASE)
    said, opposite = say(as_claimed), say(mirror)
    assert [said[name] for name in ("P1", "P2", "P3", "P5")] == [claims.HOLDS] * 4
    assert [opposite[name] for name in ("P1", "P2", "P3", "P5")] == [claims.DOES_NOT] * 4
    both = say(pd.concat([as_claimed, mirror.assign(arm="far x 2")]))
    assert [both[name] for name in ("P1", "P2", "P3", "P5")] == [claims.CANNOT_SAY] * 4


def test_every_claim_with_a_test_is_asked_in_both_readings(table):
    judged = claims.judge_claims(table)
    asked = [name for name, claim in claims.load_claims().items() if claim["test"]]
    assert list(zip(judged["claim"], judged["reading"], strict=True)) == list(
        product(asked, claims.READINGS)
    )
    assert "P14" not in asked and len(asked) == 13


def test_what_is_drawn_is_called_a_model_everywhere(table, tmp_path):
    near = {(name, sorts): name != QUEUE for name, sorts in product(MECHANISMS, (1, 15, 300))}
    drawn = [
        figures.draw_paper_figures(table, near, tmp_path),
        figures.draw_moves(table, tmp_path),
        figures.draw_what_ifs(predictions.load_what_ifs(), tmp_path),
    ]
    for figure in drawn:
        legends = [*figure.legends, *(a.get_legend() for a in figure.axes if a.get_legend())]
        series = [text.get_text() for legend in legends for text in legend.get_texts()]
        assert figure._suptitle.get_text().startswith("MODEL, not measured")
        assert all(axes.get_title(loc="left").startswith("MODEL") for axes in figure.axes)
        assert len([text for text in series if text.startswith("MODEL")]) >= 2
        plt.close(figure)
    assert {path.stem.split("-")[0] for path in tmp_path.glob("*.svg")} == {"MODEL"}
    assert len(list(tmp_path.glob("*.png"))) == 3


def test_a_curve_must_be_near_in_every_session():
    rows = [
        ("one", "low", "ARRAY_BLOCKING_QUEUE", 1, 3.0),
        ("one", "own", "ARRAY_BLOCKING_QUEUE", 1, 1.5),
        ("two", "own", "ARRAY_BLOCKING_QUEUE", 1, 0.6),
        ("one", "own", "DISRUPTOR_STRIPED", 1, 1.2),
        ("two", "own", "DISRUPTOR_STRIPED", 1, 0.7),
    ]
    names = ["session", "hop", "mechanism", "sorts", "factor"]
    assert here.list_passing(pd.DataFrame(rows, columns=names)) == {
        ("ARRAY_BLOCKING_QUEUE", 1): True,
        ("DISRUPTOR_STRIPED", 1): False,
    }


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_one_events_journey_says_who_holds_what(mechanism):
    steps = journey.show_journey(mechanism)
    assert steps.title.startswith("MODEL") and 1 <= len(steps.states) <= 30
    for state in steps.states:
        (moved,) = [row for row in state.rows if row.marked]
        assert moved.label in state.words and state.words.endswith("ns.")


def test_a_queue_moves_more_lines_than_a_ring():
    queue, pool, striped = (len(journey.list_moves(X5650, name)) for name in MECHANISMS)
    assert queue > 5 * pool and queue > 5 * striped


def test_a_table_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(BadInput, match=r"python -m handoff\.modelled\.predictions writes it"):
        predictions.read_table(tmp_path / "none.csv")
