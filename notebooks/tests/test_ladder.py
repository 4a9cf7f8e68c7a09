"""The ladder: what each decision saves, and what is said where steps are missing."""

import itertools

import numpy as np
import pandas as pd
import pytest

from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.studies.ladder import STEPS, figures, numbers, order, order_figure

STAIRS = {"ARRAY_BLOCKING_QUEUE": 400.0, "ONE_LOCK": 400.0, "ONE_LOCK_IDLE": 600.0}
STAIRS |= {"TWO_LOCKS": 300.0, "NO_LOCK": 100.0, "PADDED_CURSORS": 100.0, "BATCHED": 50.0}
OTHERS = {"SEQUENTIAL": 40.0, "BATCHED_UNPADDED": 75.0, "JCTOOLS_SPSC": 80.0, "DISRUPTOR": 70.0}
NS = STAIRS | OTHERS


def make_forks(*mechanisms: str) -> pd.DataFrame:
    """Return five forks per mechanism, which differ by about a hundredth."""
    forks = pd.DataFrame(itertools.product(mechanisms or NS, range(5)), columns=["point", "fork"])
    luck = np.random.default_rng(1).normal(0, 0.01, len(forks))
    return forks.assign(
        mechanism=forks["point"],
        ns_per_event=forks["point"].map(NS) * np.exp(luck),
        release="3.4.4",
        sorts=1,
        capacity=1024,
        events=1000,
        cpu_process=1.5,
        voluntary=0.0,
        oversubscribed=False,
    )


def test_savings_and_decisions_taken_away_are_compared_with_their_step():
    table = numbers.tabulate_steps(make_forks()).set_index("mechanism")
    assert table["saved"].dropna().round(1).to_dict() == {
        "ONE_LOCK": 1.0,
        "ONE_LOCK_IDLE": 0.7,
        "TWO_LOCKS": 2.0,
        "NO_LOCK": 3.0,
        "PADDED_CURSORS": 1.0,
    }


def make_rings(**without: float) -> pd.DataFrame:
    """Return five forks of the whole ring, 50 ns, and of rings without one decision."""
    rings = make_forks("BATCHED", *without)
    for name, ns in without.items():
        rings.loc[rings["mechanism"] == name, "ns_per_event"] *= ns / NS.get(name, np.nan)
    return rings


def test_a_decision_is_compared_where_it_is_added_and_where_it_is_taken_away():
    steps = make_forks().query("mechanism not in @order.LEFT_OUT")
    table = order.tabulate_order(steps, make_rings(BATCHED_UNPADDED=75.0)).set_index("decision")
    row = table.loc[STEPS["PADDED_CURSORS"]]
    assert row["alone"] == pytest.approx(1.5, rel=0.02) and row["alone_low"] > 1
    assert row["added"] == pytest.approx(1.0, rel=0.02)
    alone = order.tabulate_order(steps, steps)
    assert alone["alone"].isna().all() and alone["added"].notna().all()
    title = order_figure.write_title(alone)
    assert title == "What each decision saves when it is added in this order"


def test_what_only_the_order_gives_is_not_credited_to_a_decision():
    """Remove of three locks the one that the whole ring does not miss."""
    slow = {"TWO_LOCKS": 400.0, "NO_LOCK": 200.0, "PADDED_CURSORS": 100.0}
    steps = make_forks(*slow)
    steps["ns_per_event"] *= steps["mechanism"].map(slow) / steps["mechanism"].map(NS)
    table = order.tabulate_order(steps, make_rings(BATCHED_UNPADDED=50.0))
    assert order.list_apart(table) == ([], ["PADDED_CURSORS"])
    assert order_figure.write_title(table).endswith(
        "a cache line for each cursor only in this order"
    )
    (sentence,) = order.describe_difference(table)
    assert "a cache line for each cursor saves on the ladder comes with this order" in sentence
    table = order.tabulate_order(steps, make_rings(BATCHED_UNPADDED=75.0))
    assert order.list_apart(table) == (["PADDED_CURSORS"], [])
    assert order.describe_difference(table) == [
        "A cache line for each cursor saves time in both experiments."
    ]
    said = order.describe_alone(table, " in another run, other")
    assert "the ring surely takes longer without a cache line for each cursor (1.5" in said


def test_sentences_name_the_largest_saving_first_or_say_that_none_is_sure():
    forks = make_forks("ARRAY_BLOCKING_QUEUE", "BATCHED")
    assert "saved" not in numbers.tabulate_steps(forks)
    (sentence,) = numbers.list_sentences(forks)
    assert "what each decision saves is not known yet" in sentence
    (sentence,) = numbers.list_sentences(make_forks("NO_LOCK", "PADDED_CURSORS"))
    assert "no decision that is added in this order saves a tenth of the time with" in sentence
    (sentence,) = numbers.list_sentences(make_forks())
    assert "save time when added in this order: doing without locks (÷ 3.0" in sentence
    assert "ns with the JDK's queue, which keeps 1.50 cores busy" in sentence
    (sentence,) = numbers.list_sentences(make_forks("NO_LOCK", "PADDED_CURSORS"))
    assert "ns at step 5, doing without locks" in sentence


def test_without_two_steps_nothing_is_said():
    assert numbers.list_sentences(make_forks("SEQUENTIAL", "BATCHED_UNPADDED")) == []


def test_the_title_says_where_no_decision_saves_time():
    cheap = make_forks()
    dear = cheap.assign(sorts=300, ns_per_event=10_000.0)
    words = figures.write_stairs(numbers.tabulate_steps(pd.concat([cheap, dear])), "")
    assert words.title.endswith("none saves a tenth with a 95 % interval above 1")


def test_the_picture_has_both_experiments_where_a_related_run_has_the_other(tmp_path, monkeypatch):
    run = read_run(find_run_folder("reference"))
    table = figures.LadderFigures(run, tmp_path).decisions()
    assert {"added_low", "alone_low"} <= set(table.dropna(axis="columns", how="all"))
    monkeypatch.setattr(order, "find_related", lambda run, profiles: dict.fromkeys(profiles))
    drawn = figures.LadderFigures(run, tmp_path)
    table = drawn.decisions()
    assert table["alone"].isna().all() and drawn.note_away() == ""
    words = order_figure.write_words(table, drawn.missing(table), "")
    assert words.caption.endswith("`./run_all.sh decisions` does it.")
    sentences = order.describe_order(run, drawn.forks)
    assert sentences == [order.TAKE_AWAY]


def test_a_run_that_takes_decisions_away_says_how_to_add_them(tmp_path):
    run = read_run(find_run_folder("reference-decisions"))
    drawn = figures.LadderFigures(run, tmp_path)
    table = drawn.decisions()
    assert table["added"].isna().all() and len(table) == 5
    assert drawn.missing(table) == order.ADD == order.describe_order(run, drawn.forks)[-1]
    assert drawn.figure() is not None
