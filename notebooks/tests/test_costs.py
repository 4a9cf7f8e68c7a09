"""The figure of costs: its lines and words, and how long the producer sleeps at a full ring."""

import itertools

import numpy as np
import pandas as pd
import pytest

from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.studies.scaling import cost_figure, cost_table, numbers, paper, park

ALONE, QUEUE, POOL = "SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL"
NS = {ALONE: 1.0, QUEUE: 4.0, POOL: 2.0}
"""Time of an event over one thread's."""
EVENTS = 10_000


@pytest.fixture
def forks() -> pd.DataFrame:
    """Return five forks per mechanism, release and load; an event is 50 ns per sort."""
    releases = [(ALONE, "3.4.4"), (QUEUE, "3.4.4"), (POOL, "3.4.4"), (POOL, "3.2.0")]
    rows = [
        (mechanism, release, sorts, fork)
        for (mechanism, release), sorts, fork in itertools.product(releases, (1, 300), range(5))
    ]
    table = pd.DataFrame(rows, columns=["mechanism", "release", "sorts", "fork"])
    luck = np.random.default_rng(1).normal(0, 0.001, len(table))
    return table.assign(
        point=table["mechanism"] + table["release"] + table["sorts"].astype(str),
        ns_per_event=50.0 * table["sorts"] * table["mechanism"].map(NS) * np.exp(luck),
        consumers=1,
        sort="TODAY",
        capacity=1000,
        events=EVENTS,
        cpu_process=1.5,
        oversubscribed=False,
    )


def test_each_release_is_a_line_over_one_thread_at_the_same_load_with_its_sessions(forks):
    newest = forks[forks["release"] == "3.4.4"]
    twice = [rows.assign(session=1) for rows in (forks, forks.assign(fork=forks["fork"] + 5))]
    twice[1]["session"] = 2
    every = pd.concat(twice, ignore_index=True)
    costs = cost_table.tabulate_costs(
        cost_table.select_forks(every, every[every["release"] == "3.4.4"])
    )
    means = costs.groupby("name")["ratio"].mean().round(1).to_dict()
    assert means == {"blocking queue": 4.0, "Disruptor 3.4.4": 2.0, "Disruptor 3.2.0": 2.0}
    assert set(costs["session"]) == {0, 1, 2}
    assert costs.groupby("sorts")["work_ns"].nunique().eq(1).all()
    words = cost_figure.write_words(costs, "")
    assert "rings: its 2 sessions" in words.caption and "blocking queue: 4 at" in words.alt
    shared = newest.assign(oversubscribed=True)
    assert cost_table.tabulate_costs(cost_table.select_forks(shared, shared)).empty


def test_a_title_has_the_ratios_of_cheap_events_and_the_largest_of_expensive_ones(forks):
    costs = cost_table.tabulate_costs(cost_table.select_forks(forks, forks))
    assert cost_figure.write_words(costs, "").title == (
        "Cheap events, over one thread's time: 4 times (blocking queue), 2 times (Disruptor 3.4.4)"
        " and 2 times (Disruptor 3.2.0); expensive ones: at most 4 times"
    )


def test_a_title_says_where_no_difference_is_sure(forks):
    alike = forks.assign(ns_per_event=forks["ns_per_event"] / forks["mechanism"].map(NS))
    costs = cost_table.tabulate_costs(cost_table.select_forks(alike, alike))
    title = cost_figure.write_words(costs, "").title
    assert "not clearly" in title and title.endswith("expensive ones: none clearly longer")


def test_costs_are_drawn_with_a_line_of_its_own_for_each_release(forks):
    costs = cost_table.tabulate_costs(cost_table.select_forks(forks, forks))
    figure = cost_figure.draw_costs(costs, 2)
    words = {text.get_text() for text in figure.legends[0].get_texts()}
    assert words == {"blocking queue", "Disruptor 3.4.4", "Disruptor 3.2.0"}
    assert cost_figure.find_dash(costs, "Disruptor 3.4.4") == "-"
    assert cost_figure.find_dash(costs, "Disruptor 3.2.0") != "-"
    assert set(numbers.tabulate_ratios(forks)["consumers"]) == {1}


def make_sleeps(forks: pd.DataFrame, micros: float, per_ring: float = 1.0) -> pd.DataFrame:
    """Return sleeps of so many microseconds, so many per ring of events, in release 3.4.4 alone."""
    slept = forks[(forks["mechanism"] == POOL) & (forks["release"] == "3.4.4")]
    sleeps = slept.set_index(["point", "fork"])[["capacity"]]
    return pd.DataFrame({"sleep_ns": micros * 1000, "sleeps": per_ring / sleeps["capacity"]})


def test_a_sleep_that_is_longer_than_the_work_in_the_ring_is_said_with_both_times(forks):
    # The ring of 1000 events lasts 50 us at one sort, and 15 ms at 300.
    parks = park.list_parks(forks, make_sleeps(forks, 80))
    assert [(p.release, p.sorts, p.longer) for p in parks] == [
        ("3.4.4", 1, True),
        ("3.4.4", 300, False),
    ]
    assert parks[0].sleep_ns == pytest.approx(80_000) and parks[0].ring_ns == pytest.approx(
        50_000, rel=0.01
    )
    said = park.describe_parks(parks)
    assert said.startswith(
        "With 1 sort the producer of the Disruptor 3.4.4 sleeps 80 µs each time the ring is full,"
        " longer than the consumer needs to empty it (50 µs)"
    )
    (sentence,) = park.list_sentences(forks, parks)
    assert "sleeps 80 µs" in sentence and "takes one thread 50 µs only" in sentence
    assert "The queue takes 2.0" in sentence and "Disruptor 3.2.0, whose producer" in sentence


@pytest.mark.parametrize(
    ("micros", "per_ring"), [(30, 1.0), (50, 1.0), (800, 0.01)], ids=["shorter", "alike", "seldom"]
)
def test_nothing_is_said_of_a_sleep_that_is_not_surely_longer_or_rare(forks, micros, per_ring):
    parks = park.list_parks(forks, make_sleeps(forks, micros, per_ring))
    assert not any(p.longer for p in parks)
    assert park.describe_parks(parks) == "" and park.list_sentences(forks, parks) == []


def test_nothing_is_said_without_data_on_threads(forks):
    assert park.list_parks(forks, pd.DataFrame()) == []
    assert park.list_parks(forks[:0], make_sleeps(forks, 80)) == []
    run = read_run(find_run_folder("reference"))
    assert paper.explain_sleep(run, pd.DataFrame()) == []


def test_a_sleep_is_the_producers_time_off_a_core_over_its_own_switches():
    keys = {"study": "scaling", "point": "p", "fork": 0}
    shots = pd.DataFrame({"shot": [0, 1, 2], "counted": [False, True, True]})
    shots = shots.assign(**keys, wall_ns=[9, 1000, 3000], events=EVENTS)
    threads = pd.DataFrame(
        {
            "shot": [1, 1, 2, 2],
            "role": ["producer", "consumer-1"] * 2,
            "cpu_ns": [400, 1000, 600, 3000],
            "voluntary": [10, 7, 20, 7],
        }
    )
    sleeps = park.measure_sleeps(threads.assign(**keys), shots)
    assert sleeps.loc[("p", 0), "sleep_ns"] == pytest.approx((600 + 2400) / 30)
    assert sleeps.loc[("p", 0), "sleeps"] == pytest.approx(30 / (2 * EVENTS))
