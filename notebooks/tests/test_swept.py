"""What a sweep varied: found, drawn, and told as ratios, on made-up forks whose truth is known."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from handoff.analysis import swept
from handoff.draw import swept as figures
from handoff.registry import find_study
from handoff.report import swept as report

WAITS = ("YIELDING", "BLOCKING")
MECHANISMS = ("ARRAY_BLOCKING_QUEUE", "DISRUPTOR_STRIPED")


def truth(mechanism, capacity, wait):
    """The Disruptor takes half; 1,024 places take a tenth less; BLOCKING doubles the Disruptor with
    64 places and changes nothing with more.
    """
    time = 100.0 * (0.5 if mechanism == MECHANISMS[1] else 1.0) * (0.9 if capacity == 1024 else 1.0)
    slow = mechanism == MECHANISMS[1] and wait == "BLOCKING" and capacity == 64
    return time * (2.0 if slow else 1.0)


def make_forks(spread=0.001, shared=lambda capacity: False):
    random, rows = np.random.default_rng(1), []
    for mechanism, capacity, wait, fork in itertools.product(
        MECHANISMS, (64, 1024, 8192), WAITS, range(4)
    ):
        if mechanism == MECHANISMS[0] and wait != "YIELDING":
            continue
        time = truth(mechanism, capacity, wait) * np.exp(spread * random.normal())
        rows.append(
            {"mechanism": mechanism, "consumers": 1, "sorts": 4, "order": "ASCENDING"}
            | {"events": 1000, "capacity": capacity, "wait": wait, "placement": "COMPACT"}
            | {"element": "NEW", "collector": "PARALLEL", "memory": "PRODUCER", "fork": fork}
            | {"point": f"{mechanism}{capacity}{wait}", "ns_per_event": time, "cpu_process": 1.5}
            | {"oversubscribed": shared(capacity), "too_short": False, "disturbed": ""}
            | {"settled": True}
        )
    return pd.DataFrame(rows)


def found(**options):
    return swept.find_swept(find_study("scaling"), make_forks(**options))


def effect(table, **wanted):
    rows = table[np.logical_and.reduce([table[k] == v for k, v in wanted.items()])]
    assert len(rows) == 1
    return rows.iloc[0]


def test_what_varied_is_found_and_what_makes_no_difference_is_missing():
    own = found()
    assert own.varied == ["mechanism", "capacity", "wait"]
    assert own.forks.loc[own.forks["mechanism"] == MECHANISMS[0], "wait"].isna().all()
    assert own.base("capacity") == 8192 and own.values("wait") == list(WAITS)
    assert swept.list_constant(own)["sorts"] == 4


def test_events_are_varied_only_where_nothing_else_tells_two_points_apart():
    twice = pd.concat([make_forks(), make_forks().assign(events=5000)])
    assert "events" in swept.find_swept(find_study("scaling"), twice).varied
    scaled = make_forks().assign(events=lambda rows: rows["capacity"] * 10)
    assert "events" not in swept.find_swept(find_study("scaling"), scaled).varied


def test_one_change_by_itself_is_the_mean_of_pairs_that_differ_in_it_alone():
    effects = swept.tabulate_effects(found(), "ns_per_event")
    disruptor = effect(effects, parameter="mechanism", to=MECHANISMS[1])
    # Six settings of the Disruptor, each against the queue of as many places.
    assert disruptor["pairs"] == 6
    assert disruptor["ratio"] == pytest.approx(0.5 * 2 ** (1 / 6), rel=0.01)
    places = effect(effects, parameter="capacity", to=1024)
    assert places["pairs"] == 3 and places["ratio"] == pytest.approx(0.9, rel=0.01)
    assert places["low"] < 0.9 * 1.01 and places["high"] > 0.9 * 0.99
    blocking = effect(effects, parameter="wait", to="BLOCKING")
    assert (blocking["least"], blocking["greatest"]) == pytest.approx((1.0, 2.0), rel=0.01)


def test_what_depends_on_what_is_told_and_nothing_else():
    table = swept.tabulate_interactions(found(), "ns_per_event")
    strongest = table.iloc[0]
    assert {strongest["parameter"], strongest["where"]} == {"capacity", "wait"}
    assert strongest["ratio"] == pytest.approx(2.0, rel=0.01)
    assert not ((table["parameter"] == "mechanism") & (table["is"] == 1024)).any()


def test_points_that_share_cores_are_in_no_ratio():
    own = found(shared=lambda capacity: capacity == 1024)
    effects = swept.tabulate_effects(own, "ns_per_event")
    assert 1024 not in set(effects["to"])
    table = swept.tabulate_points(own)
    assert (table["note"] == "threads share cores").sum() == 3


def test_every_point_is_in_the_table_in_order():
    table = swept.tabulate_points(found())
    assert len(table) == 9 and (table["forks"] == 4).all()
    queue = table[table["mechanism"] == MECHANISMS[0]]
    assert queue["capacity"].tolist() == [64, 1024, 8192]
    assert (queue["ns_per_event_low"] < queue["ns_per_event"]).all()


def test_a_figure_for_each_parameter_with_every_fork_in_it():
    own = found()
    layouts = figures.plan_figures(own)
    assert [(layout.along, layout.columns) for layout in layouts] == [
        ("capacity", "wait"),
        ("wait", "capacity"),
    ]
    figure = figures.draw_swept(own, layouts[0], "note")
    assert [axes.get_title(loc="left") for axes in figure.axes[:2]] == [
        "wait YIELDING",
        "wait BLOCKING",
    ]
    dots = sum(
        len(each.get_offsets())
        for axes in figure.axes[:2]
        for each in axes.collections
        if each.get_offsets().shape[1] == 2 and each.get_paths()[0].codes is not None
    )
    # The queue knows no wait, so it stands in both columns: 24 forks of the Disruptor, 12 twice.
    assert dots >= 48
    plt.close(figure)


def test_hollow_points_are_never_joined_to_filled_ones():
    own = found(shared=lambda capacity: capacity == 8192)
    figure, axes = plt.subplots()
    layout = figures.Layout("capacity", "", (), ("wait",))
    figures.draw_panel(axes, own, layout.select(own), layout, own.responses[0])
    joined = [tuple(round(x) for x in line.get_xdata()) for line in axes.lines]
    assert joined == [(0, 1)] * 2
    plt.close(figure)


def test_lines_that_cannot_be_told_apart_are_held_at_their_base():
    rows = pd.concat(
        [
            make_forks().assign(consumers=n, point=lambda r, n=n: r["point"] + str(n))
            for n in range(1, 8)
        ]
    )
    own = swept.find_swept(find_study("scaling"), rows)
    for layout in figures.plan_figures(own):
        shown = layout.select(own)
        assert shown.groupby(["mechanism", *layout.lines], dropna=False).ngroups <= 10
    held = [layout for layout in figures.plan_figures(own) if layout.held]
    assert held and "the table has all points" in figures.describe_layout(own, held[0])


def test_a_sweep_that_varies_nothing_has_no_figure():
    one = make_forks().query("capacity == 64 and mechanism == 'ARRAY_BLOCKING_QUEUE'")
    own = swept.find_swept(find_study("scaling"), one)
    assert own.varied == [] and figures.plan_figures(own) == []
    assert swept.tabulate_effects(own, "ns_per_event").empty
    assert len(swept.tabulate_points(own)) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2_021_456.0, "2,021,000"),
        (-812.34, "-812.3"),
        (0.0123, "0.01230"),
        (5.0, "5.000"),
        (0, "0"),
    ],
)
def test_numbers_have_four_digits_and_no_exponent(value, text):
    assert report.format_number(value) == text
