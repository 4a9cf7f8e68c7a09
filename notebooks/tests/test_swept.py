"""Effects of a sweep's parameters, in figures and ratios, on made-up forks whose truth is known."""

import itertools
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection

from handoff.analysis import effects, swept
from handoff.analysis.answer import Answer, describe_need, find_answer
from handoff.analysis.intervals import Term, estimate
from handoff.draw import swept as figures
from handoff.draw import swept_axis, swept_layout
from handoff.draw.left_out import describe_left_out
from handoff.draw.marks import format_ns, format_number
from handoff.draw.swept_layout import Layout, format_value
from handoff.report import swept as report
from handoff.study import find_study
from handoff.web import charts

WAITS = ("YIELDING", "BLOCKING")
QUEUE, STRIPED = "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_STRIPED"
STUDY = find_study("scaling")


def truth(mechanism, capacity, wait):
    """Return the true time of a point.

    The Disruptor takes half, 1,024 places take a tenth less, and BLOCKING doubles the time of the
    Disruptor with 64 places only.
    """
    time = 100.0 * (0.5 if mechanism == STRIPED else 1.0) * (0.9 if capacity == 1024 else 1.0)
    slow = mechanism == STRIPED and wait == "BLOCKING" and capacity == 64
    return time * (2.0 if slow else 1.0)


def make_forks(shared=None):
    """Return five forks of each point, 8,192 places first.

    Threads share cores at the capacity `shared`.
    """
    random, rows = np.random.default_rng(1), []
    for mechanism, capacity, wait, fork in itertools.product(
        (QUEUE, STRIPED), (8192, 64, 1024), WAITS, range(5)
    ):
        if mechanism == STRIPED or wait == "YIELDING":
            time = truth(mechanism, capacity, wait) * np.exp(random.normal(0, 0.001))
            point = f"{mechanism}{capacity}{wait}"
            rows.append([mechanism, capacity, wait, fork, point, time, capacity == shared])
    names = ["mechanism", "capacity", "wait", "fork", "point", "ns_per_event", "oversubscribed"]
    alike = {"order": "ASCENDING", "placement": "COMPACT", "element": "NEW", "memory": "PRODUCER"}
    alike |= {"consumers": 1, "sorts": 4, "events": 1000, "collector": "PARALLEL"}
    state = {"cpu_process": 1.5, "too_short": False, "disturbed": "", "settled": True}
    return pd.DataFrame(rows, columns=names).assign(**alike, **state)


def make_swept(forks=None, **options):
    return swept.find_swept(STUDY, make_forks(**options) if forks is None else forks)


def repeat_forks(numbers, forks):
    """Return the forks once for each number of consumers, as points of their own."""
    return pd.concat(
        forks.assign(consumers=n, point=lambda rows, n=n: rows["point"] + str(n)) for n in numbers
    )


def tabulate_effects(forks=None, **options):
    return effects.tabulate_effects(make_swept(forks, **options), "ns_per_event")


def effect(table, parameter, to):
    """Return the one row of a parameter's value."""
    (row,) = table[(table["parameter"] == parameter) & (table["to"] == to)].to_dict("records")
    return row


def test_what_varies_is_found_tabulated_and_drawn_with_every_fork():
    sweep = make_swept()
    assert sweep.varied == ["mechanism", "capacity", "wait"]
    assert sweep.forks.loc[sweep.forks["mechanism"] == QUEUE, "wait"].isna().all()
    assert sweep.base("capacity") == 8192 and sweep.values("wait") == list(WAITS)
    assert swept.list_constant(sweep)["sorts"] == 4
    table = swept.tabulate_points(sweep)
    assert len(table) == 9 and (table["forks"] == 5).all()
    queue = table[table["mechanism"] == QUEUE]
    assert queue["capacity"].tolist() == [64, 1024, 8192]
    assert (queue["ns_per_event_low"] < queue["ns_per_event"]).all()
    layouts = swept_layout.plan_figures(sweep)
    roles = [(layout.along, layout.columns) for layout in layouts]
    assert roles == [("capacity", "wait"), ("wait", "capacity")]
    figure = figures.draw_swept(sweep, layouts[0])
    titles = [axes.get_title(loc="left") for axes in figure.axes[:2]]
    assert titles == ["wait YIELDING", "wait BLOCKING"]
    drawn = [dots for axes in figure.axes[:2] for dots in axes.findobj(PathCollection)]
    # The queue has no wait, so its 15 forks are in both columns, with 30 of the Disruptor.
    assert sum(len(dots.get_offsets()) for dots in drawn) == 60
    plt.close(figure)


def test_events_are_varied_only_where_nothing_else_distinguishes_two_points():
    more = make_forks().assign(events=5000, point=lambda rows: rows["point"] + "more")
    twice = pd.concat([make_forks(), more])
    assert "events" in make_swept(twice).varied
    scaled = make_forks().assign(events=lambda rows: rows["capacity"] * 10)
    assert "events" not in make_swept(scaled).varied


def test_an_effect_is_the_mean_over_pairs_that_differ_in_one_parameter():
    table = tabulate_effects()
    disruptor = effect(table, "mechanism", STRIPED)
    # Six settings of the Disruptor, each against the queue with the same number of places.
    assert disruptor["pairs"] == 6
    assert disruptor["ratio"] == pytest.approx(0.5 * 2 ** (1 / 6), rel=0.01)
    places = effect(table, "capacity", 1024)
    assert places["pairs"] == 3 and places["ratio"] == pytest.approx(0.9, rel=0.01)
    assert places["low"] < 0.9 * 1.01 and places["high"] > 0.9 * 0.99
    blocking = effect(table, "wait", "BLOCKING")
    assert (blocking["least"], blocking["greatest"]) == pytest.approx((1.0, 2.0), rel=0.01)


def test_points_that_share_cores_are_in_no_ratio():
    assert 1024 not in set(tabulate_effects(shared=1024)["to"])
    table = swept.tabulate_points(make_swept(shared=1024))
    assert (table["note"] == "threads share cores").sum() == 3


def test_changes_are_compared_within_sessions():
    # The second session is slower by half; only it has 1,024 places, and it has two anchors.
    rows = make_forks().query("wait == 'YIELDING'").assign(session=1)
    again = rows[rows["capacity"] == 8192].assign(session=2, fork=rows["fork"] + 5)
    rows.loc[rows["capacity"] == 1024, "session"] = 2
    rows = pd.concat([rows, again])
    rows.loc[rows["session"] == 2, "ns_per_event"] *= 1.5
    whole = effect(tabulate_effects(rows), "capacity", 1024)
    assert whole["ratio"] == pytest.approx(0.9, rel=0.01)
    # Without anchors, no session has both: the ratio has no interval.
    alone = tabulate_effects(rows.query("capacity != 8192 or session == 1"))
    assert pd.isna(effect(alone, "capacity", 1024)["low"])


def simulate_sweep(random, values: tuple[int, ...]) -> swept.Swept:
    """Return a sweep of three parameters without effect, with five forks that vary by 5 %."""
    names = ["capacity", "sorts", "consumers"]
    points = itertools.product(*(range(1, count + 1) for count in values), range(5))
    forks = pd.DataFrame(points, columns=[*names, "fork"]).assign(
        mechanism="JCTOOLS_SPMC",
        point=lambda rows: rows[names].astype(str).sum(axis="columns"),
        oversubscribed=False,
        ns_per_event=lambda rows: np.exp(random.normal(0, 0.05, len(rows))),
    )
    return swept.Swept(STUDY, forks, names, [])


def test_reports_of_sweeps_rarely_show_an_effect_that_is_not_there():
    """Of 400 sweeps at most 28 may; here fewer are made."""
    random, shown = np.random.default_rng(2015), 0
    for _ in range(60):
        table = effects.tabulate_effects(simulate_sweep(random, (3, 5, 5)), "ns_per_event")
        shown += bool(((table["low"] > 1) | (table["high"] < 1)).any())
    assert shown <= 60 * 0.05 + 3 * (60 * 0.05 * 0.95) ** 0.5


def test_a_change_in_which_no_two_points_differ_alone_has_no_effect_and_is_named():
    rows = make_forks().query("wait == 'YIELDING'")
    latin = {64: 1, 1024: 2, 8192: 3}
    sweep = make_swept(rows.assign(sorts=rows["capacity"].map(latin)))
    table = effects.tabulate_effects(sweep, "ns_per_event")
    assert set(table["parameter"]) == {"mechanism"}
    alone = "No two points whose threads have a core each differ in nothing but"
    assert report.describe_unpaired(sweep, table) == [
        f"{alone} sorts 1 / 2 in place of 3.",
        f"{alone} capacity 64 / 1,024 in place of 8,192.",
    ]


@pytest.fixture
def draw_alone():
    """Return a function that draws one panel of the first response."""
    figure, axes = plt.subplots()

    def draw(sweep, layout):
        shown, view = layout.select(sweep), figures.plan_view(sweep, layout)
        levels = swept.measure_levels(shown, "ns_per_event")
        figures.draw_panel(axes, view, shown, "ns_per_event", levels)
        swept_axis.label_axis(axes, view.axis)
        return axes

    yield draw
    plt.close(figure)


def test_hollow_points_are_never_joined_to_filled_ones(draw_alone):
    axes = draw_alone(make_swept(shared=8192), Layout("capacity", "", (), ("wait",)))
    for line in axes.lines:
        assert np.isnan(line.get_ydata()).tolist() == [False, False, True]


def test_numbers_lie_where_their_size_says(draw_alone):
    axes = draw_alone(make_swept(), Layout("capacity", "", (), ("wait",)))
    assert [text.get_text() for text in axes.get_xticklabels()] == ["64", "1,024", "8,192"]
    assert axes.get_xticks() == pytest.approx(np.log10([64, 1024, 8192]))


def test_the_labels_of_many_numbers_have_room():
    hundred = make_swept(repeat_forks(range(1, 101), make_forks().query("capacity == 64")))
    axis = swept_axis.plan_axis(hundred, "consumers")
    assert axis.places[50] - axis.places[49] == 1.0 and 5 < len(axis.labels) < 30
    assert axis.labels[0] == (1.0, "1") and axis.labels[-1] == (100.0, "100")


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ([1, 3, 5, 7, 9, 11], [1, 3, 5, 7, 9, 11]),
        ([1, 10, 1000], [0, 1, 3]),
        ([0, 10, 100, 1000], [0, 1, 2, 3]),
    ],
)
def test_an_axis_is_logarithmic_where_that_spreads_its_numbers(values, places):
    assert swept_axis.scale_values([float(v) for v in values])[0] == pytest.approx(places)


def test_the_legend_is_in_the_order_of_values():
    sweep = make_swept(make_forks().sample(frac=1, random_state=1))
    view = figures.plan_view(sweep, Layout("wait", "", ("capacity",)))
    assert [handle.get_label() for handle in figures.make_handles(view)] == [
        f"{mechanism}, capacity {size}"
        for mechanism in ("blocking queue", "disruptor (striped)")
        for size in ("64", "1,024", "8,192")
    ]


def test_a_mechanism_without_the_parameter_is_a_level_with_its_interval(draw_alone):
    sweep, layout = make_swept(), Layout("wait", "", (), ("capacity",))
    axes = draw_alone(sweep, layout)
    (level,) = [line for line in axes.lines if len(set(line.get_ydata())) == 1]
    assert level.get_xdata() == [0, 1] and level.get_ydata()[0] == pytest.approx(100, rel=0.01)
    assert len(axes.patches) == 1
    assert axes.get_xticklabels()[0].get_text() == "any"
    words = swept_layout.describe_layout(sweep, layout)
    assert "No wait: blocking queue; a level over the whole axis." in words


def test_with_one_mechanism_colours_distinguish_its_lines():
    alone = make_swept(make_forks().query(f"mechanism == '{STRIPED}'"))
    looks = swept_layout.plan_looks(alone, Layout("capacity", "", ("wait",))).values()
    assert len(looks) == len({look.colour for look in looks}) == 2


def test_parameters_with_too_many_lines_are_held_at_their_base():
    sweep = make_swept(repeat_forks(range(1, 8), make_forks()))
    layouts = swept_layout.plan_figures(sweep)
    for layout in layouts:
        assert len(layout.select(sweep)[["mechanism", *layout.lines]].drop_duplicates()) <= 10
    held = next(layout for layout in layouts if layout.held)
    said = describe_left_out(STUDY, held.select(sweep), sweep.forks)
    assert all(f"{name} {format_value(sweep.base(name))} (of" in said for name in held.held)


EMPTY = {
    "no fork": (lambda forks: forks.head(0), 0),
    "one point": (lambda forks: forks[forks["point"] == forks["point"].iloc[0]], 1),
}
"""Forks without effects, and their points."""


@pytest.mark.parametrize(("some", "points"), EMPTY.values(), ids=EMPTY)
def test_where_nothing_varies_there_is_no_effect_and_nothing_is_said(some, points):
    sweep = make_swept(some(make_forks()))
    table = effects.tabulate_effects(sweep, "ns_per_event")
    assert table.empty and len(swept.tabulate_points(sweep)) == points
    assert swept_layout.plan_figures(sweep) == []
    assert report.describe_others(table, "time") == report.describe_unpaired(sweep, table) == []


@pytest.mark.parametrize("count", [1, 2])
def test_with_few_forks_no_effect_is_known_and_what_would_answer_is_said(count):
    sweep = make_swept(make_forks().query(f"fork < {count}"))
    table = effects.tabulate_effects(sweep, "ns_per_event")
    assert len(table) == 4 and set(table["answer"]) == {Answer.UNKNOWN}
    assert table["low"].isna().all() and (table["ratio"] > 0).all()
    assert set(table["needed"]) <= {"at least 5 forks per point", "about 5 forks per point"}
    assert effects.describe_effects(table, "time", 3) == []
    (sentence,) = report.describe_others(table, "time")
    assert sentence.startswith("Not known is whether the time changes by more than 5% with mech")
    assert "capacity 64 / 1,024 in place of 8,192" in sentence
    assert report.describe_unpaired(sweep, table) == []
    assert swept_layout.plan_figures(sweep)


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (1.06, 3.0, Answer.CHANGES),
        (0.2, 0.94, Answer.CHANGES),
        (0.96, 1.04, Answer.SAME),
        (1.01, 1.04, Answer.SAME),
        (1.01, 1.20, Answer.UNKNOWN),
        (0.5, 2.0, Answer.UNKNOWN),
        (None, None, Answer.UNKNOWN),
        (np.nan, np.nan, Answer.UNKNOWN),
    ],
)
def test_an_interval_gives_one_of_three_answers(low, high, answer):
    assert find_answer(low, high) is answer


def test_the_forks_that_would_answer_do_so():
    """Of a change by 10 % whose forks vary by 6 %: few forks leave open whether it exceeds 5 %."""

    def measure(count):
        random = np.random.default_rng(3)
        logs = [random.normal(0, 0.06, count) for _ in range(2)]
        alike = [values - values.mean() for values in logs]
        spread = [values * 0.06 / values.std(ddof=1) for values in alike]
        return estimate([Term(1.0, spread[0] + np.log(1.1)), Term(-1.0, spread[1])])

    few = measure(5)
    assert find_answer(*few.interval()) is Answer.UNKNOWN
    count = int(re.fullmatch(r"about (\d+) forks per point", describe_need(few, 0.95))[1])
    assert find_answer(*measure(count).interval()) is Answer.CHANGES
    assert find_answer(*measure(count - 2).interval()) is Answer.UNKNOWN


def test_an_effect_that_is_small_is_told_from_one_that_is_not_known():
    forks = make_forks().query("wait == 'YIELDING'")
    noisy = forks["capacity"] == 64
    random = np.random.default_rng(5)
    forks.loc[noisy, "ns_per_event"] *= np.exp(random.normal(0, 0.2, noisy.sum()))
    forks.loc[forks["capacity"] == 1024, "ns_per_event"] /= 0.9
    forks = pd.concat([forks] + [forks.assign(fork=forks["fork"] + 5 * n) for n in (1, 2)])
    table = effects.tabulate_effects(make_swept(forks), "ns_per_event")
    assert effect(table, "capacity", 1024)["answer"] == Answer.SAME
    assert effect(table, "capacity", 64)["answer"] == Answer.UNKNOWN
    same, unknown = report.describe_others(table, "time")
    assert same == "The time changes by at most 5% with capacity 1,024 in place of 8,192."
    assert re.search(r"with capacity 64 in place of 8,192 \(needs about \d+ forks", unknown)


def test_the_bounds_of_an_effect_are_rounded_outwards():
    (row,) = report.format_rows(pd.DataFrame([{"ratio": 1.0456, "low": 1.0349, "high": 1.0551}]))
    assert row == {"ratio": "1.05", "low": "1.03", "high": "1.06"}


@pytest.mark.parametrize(
    ("value", "text"), [(2_021_456.0, "2,021,000"), (-812.34, "-812.3"), (0.0123, "0.01230")]
)
def test_numbers_have_four_digits_and_no_exponent(value, text):
    assert report.format_number(value) == text


def test_the_page_shows_a_mechanism_without_the_axis_parameter_before_the_first_value():
    sweep = make_swept()
    chart = charts.draw_chart(sweep, Layout("wait", "", ("capacity",)), sweep.forks[["fork"]])
    assert {round(x) for trace in chart.data for x in trace.x} == {-1, 0, 1}
    assert chart.layout.xaxis.ticktext == (swept_axis.ANY, *WAITS)


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (format_number, 1.5, "1.5"),
        (format_number, 65536, "65,536"),
        (format_number, 5e6, "5 million"),
        (format_ns, 0.5, "0.5 ns"),
        (format_ns, 50_000, "50 µs"),
        (format_ns, 5e6, "5 ms"),
        (format_ns, 2e9, "2 s"),
    ],
)
def test_a_tick_has_its_own_value_in_a_readable_unit(write, value, text):
    assert write(value) == text
