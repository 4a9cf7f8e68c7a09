"""Sessions: when one starts, what is planned, and how contrasts are combined over them."""

import shutil
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from handoff.analysis import averages
from handoff.analysis.contrast import Term, estimate_contrast
from handoff.analysis.session_variance import estimate_session_variance
from handoff.analysis.sessions import compare_forks, describe_sessions, estimate_over_sessions
from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run import merge, order
from handoff.run.store import session
from handoff.run.store.run import read_run
from handoff.run.store.session import add_session, number_sessions
from handoff.tables import tidy

from .conftest import sealed


def test_a_pause_of_six_hours_starts_a_session_in_any_reading_order_of_forks():
    clock = ["00:00", "05:59", "11:59", "23:00"]
    started = [f"2026-11-22T{time}:00+00:00" for time in clock]
    assert number_sessions(started) == [1, 1, 2, 3]
    assert number_sessions(started[::-1]) == [3, 2, 1, 1]


def cell(weight, *sessions):
    """Return a cell's term from the logarithms of each session's forks."""
    labels = np.repeat(np.arange(len(sessions)) + 1, [len(logs) for logs in sessions])
    return Term(weight, np.concatenate([np.asarray(logs, float) for logs in sessions]), 0.0, labels)


def test_one_session_is_welchs_ratio():
    top, bottom = cell(1, [1, 1.2, 1.1]), cell(-1, [0, 0.1, 0.3])
    assert estimate_over_sessions([top, bottom]) == estimate_contrast([top, bottom])


def test_an_effect_of_a_session_on_both_sides_cancels():
    # The second hour is slower by e^5 on both sides; pooled, the ratio's interval would be useless.
    top = cell(1, [1.0, 1.1], [6.0, 6.1])
    bottom = cell(-1, [0.0, 0.1], [5.0, 5.1])
    estimate = estimate_over_sessions([top, bottom])
    # Four deviations of 0.05 per side: variance 0.005 with 2 degrees, over 4 forks, on two sides.
    assert estimate.log == pytest.approx(1.0) and estimate.error == pytest.approx(0.05)
    assert estimate.freedom == pytest.approx(4) and estimate.forks == 4
    assert estimate_contrast([top, bottom]).error > 1


def test_single_forks_per_node_are_compared_in_pairs():
    # A node slows both sides alike: the three pairs differ by 0.9, 1.0 and 1.1.
    top, bottom = cell(1, [1.9], [5.0], [8.1]), cell(-1, [1.0], [4.0], [7.0])
    estimate = estimate_over_sessions([top, bottom])
    assert estimate.log == pytest.approx(1.0) and estimate.freedom == 2
    assert estimate.error == pytest.approx(0.1 / np.sqrt(3)) and estimate.forks == 3
    two = estimate_over_sessions([cell(1, [1.9], [5.0]), cell(-1, [1.0], [4.0])])
    assert two.log == pytest.approx(0.95) and two.interval() is None


def test_intervals_of_pairs_cover_the_truth_at_their_level():
    generator, held = np.random.default_rng(5), 0
    for _ in range(2000):
        nodes = generator.normal(0, 1, 5)
        values = [nodes + generator.normal(shift, 0.05, 5) for shift in (0.3, 0.0)]
        top, bottom = (
            cell(sign, *([log] for log in logs)) for sign, logs in zip((1, -1), values, strict=True)
        )
        low, high = estimate_over_sessions([top, bottom]).interval()
        held += low < np.exp(0.3) < high
    # 90 % of 2000 are 1800; the bounds are four standard deviations, of 13 each, away.
    assert 1746 < held < 1854


def test_an_effect_over_nodes_with_one_block_each_has_an_interval():
    cells = {
        (mechanism, sorts): Term(
            1.0,
            np.array([0.0, 3.0, 6.0]) + shift + 0.01 * np.array([sorts, -sorts, 0]),
            0.0,
            np.array([1, 2, 3]),
        )
        for mechanism, shift in (("queue", 1.0), ("ring", 0.0))
        for sorts in (1, 15)
    }
    groups = [(("queue", sorts), ("ring", sorts)) for sorts in (1, 15)]
    estimate = averages.average_contrasts(cells, groups, (1, -1))
    assert estimate.log == pytest.approx(1.0) and not np.isnan(estimate.error)


def test_a_missing_fork_removes_only_its_node_from_an_average_over_nodes():
    cells = {
        setting: Term(1.0, np.array([0.0, 3.0, 6.0, 9.0]) + shift, 0.0, np.array([1, 2, 3, 4]))
        for setting, shift in ((("queue", 1), 1.0), (("ring", 1), 0.0), (("queue", 15), 1.0))
    }
    cells["ring", 15] = Term(1.0, np.array([0.01, 3.0, 6.0]), 0.0, np.array([1, 2, 3]))
    groups = [(("queue", sorts), ("ring", sorts)) for sorts in (1, 15)]
    estimate = averages.average_contrasts(cells, groups, (1, -1))
    assert estimate.log == pytest.approx(1.0, abs=0.01) and estimate.freedom == 2


def test_sessions_without_one_of_the_sides_are_left_out():
    top, bottom = cell(1, [1.0, 1.1], [9.0, 9.1]), cell(-1, [0.0, 0.1])
    alone = [cell(1, [1.0, 1.1]), cell(-1, [0.0, 0.1])]
    assert estimate_over_sessions([top, bottom]) == estimate_contrast(alone)


def test_without_a_session_in_common_nothing_is_decided():
    top, bottom = cell(1, [1.0, 1.1]), cell(-1, [0.0, 0.1])
    bottom = bottom._replace(sessions=bottom.sessions + 1)
    assert estimate_over_sessions([top, bottom]).interval() is None


def test_forks_without_any_spread_in_two_sessions_have_no_error():
    estimate = estimate_over_sessions([cell(1, [1, 1], [1, 1]), cell(-1, [0, 0], [0, 0])])
    assert estimate.log == pytest.approx(1) and estimate.error == pytest.approx(0, abs=1e-9)


def draw_sessions(random, number, between, within=0.05, forks=5):
    """Draw a cell of `number` sessions whose levels differ by `between`, and a steady one."""
    levels = random.normal(0, between, number)
    top = cell(1, *[level + random.normal(0.3, within, forks) for level in levels])
    return top, cell(-1, *[random.normal(0, within, forks) for _ in range(number)])


@pytest.mark.parametrize("number", [1, 2, 3, 5])
@pytest.mark.parametrize("between", [0.0, 0.1])
def test_intervals_hold_the_truth_and_from_three_sessions_on_other_hours_too(number, between):
    random = np.random.default_rng(number)
    inside = 0
    for _ in range(800):
        low, high = estimate_over_sessions(draw_sessions(random, number, between)).interval(0.95)
        inside += low <= np.exp(0.3) <= high
    if number < 3 and between:
        # As the sentence warns, the machine's other hours are not in these.
        assert inside / 800 < 0.8
    else:
        assert inside / 800 >= 0.93 - 3 * (0.05 * 0.95 / 800) ** 0.5


def draw_points(random, number, alike, single, within=0.05, forks=5, sessions=3):
    """Yield the logarithms and sessions of `number` points.

    Sessions differ by `alike` for all points together, and by `single` for each point alone.
    """
    labels = np.repeat(np.arange(sessions), forks)
    common = random.normal(0, alike, sessions)
    for _ in range(number):
        levels = common + random.normal(0, single, sessions)
        yield levels[labels] + random.normal(0, within, len(labels)), labels


@pytest.mark.parametrize(("alike", "single"), [(0.5, 0.0), (0.0, 0.1), (0.5, 0.1)])
def test_all_points_together_show_by_how_much_sessions_differ(alike, single):
    random = np.random.default_rng(3)
    estimates = [
        estimate_session_variance(draw_points(random, 20, alike, single)) for _ in range(200)
    ]
    assert estimates[0].each_freedom == 38 and estimates[0].all_freedom == 2
    # Three in four bounds lie above the truth; with 200, the standard deviation is 3 %.
    assert np.mean([estimate.each >= single**2 for estimate in estimates]) >= 0.65 or single == 0
    assert np.mean([estimate.all_alike >= alike**2 for estimate in estimates]) >= 0.65 or alike == 0
    # The median is at most a third of the variance within, or 1.6 times the truth.
    assert np.median([estimate.each for estimate in estimates]) <= max(1.6 * single**2, 0.05**2 / 3)


def test_two_sessions_or_one_point_give_no_variance_between_sessions():
    random = np.random.default_rng(3)
    assert estimate_session_variance(draw_points(random, 20, 0, 0, sessions=2)) is None
    assert estimate_session_variance(draw_points(random, 1, 0, 0)) is None
    assert estimate_session_variance(draw_points(random, 20, 0, 0, forks=1)) is None
    assert estimate_session_variance([]) is None


def test_points_missing_in_a_session_are_ignored():
    random = np.random.default_rng(3)
    whole = list(draw_points(random, 20, 0.1, 0.1))
    incomplete = [(logs[:10], labels[:10]) for logs, labels in draw_points(random, 9, 9, 9)]
    assert estimate_session_variance(whole + incomplete) == estimate_session_variance(whole)


@pytest.mark.parametrize("single", [0.0, 0.02, 0.1])
def test_the_variance_of_all_points_gives_narrower_intervals_that_hold_the_truth(single):
    random = np.random.default_rng(11)
    inside, alone, together = 0, [], []
    for _ in range(400):
        points = list(draw_points(random, 20, 0.1, single))
        known = estimate_session_variance(points)
        terms = [Term(s, logs, 0.0, n) for s, (logs, n) in zip((1, -1), points[:2], strict=True)]
        estimate = estimate_over_sessions([term._replace(between=known) for term in terms])
        low, high = estimate.interval(0.95)
        inside += low <= 1 <= high
        together.append(np.log(high / low))
        low, high = estimate_over_sessions(terms).interval(0.95)
        alone.append(np.log(high / low))
    assert inside / 400 >= 0.93 - 3 * (0.05 * 0.95 / 400) ** 0.5
    assert np.median(together) < 0.8 * np.median(alone)


def test_the_interval_of_a_level_covers_what_sessions_do_to_all_points():
    random = np.random.default_rng(11)
    inside = 0
    for _ in range(400):
        points = list(draw_points(random, 20, 0.1, 0.02))
        (logs, labels), known = points[0], estimate_session_variance(points)
        low, high = estimate_over_sessions([Term(1, logs, 0.0, labels, known)]).interval(0.95)
        inside += low <= 1 <= high
    assert inside / 400 >= 0.93 - 3 * (0.05 * 0.95 / 400) ** 0.5


def test_the_sentence_says_what_the_interval_covers():
    assert "one session: what the machine does at other hours" in describe_sessions(1)
    assert "other hours is not" in describe_sessions(2)
    assert describe_sessions(3).startswith("3 sessions, hours apart")
    assert "2 nodes of one kind: what differs between them is not in" in describe_sessions(2, 2)
    assert "3 nodes of one kind: what differs between them is in" in describe_sessions(3, 3)


def test_tables_and_figures_compare_within_sessions():
    top, bottom = cell(1, [1.0, 1.1], [6.0, 6.1]), cell(-1, [0.0, 0.1], [5.0, 5.1])
    frames = [
        pd.DataFrame({"ns_per_event": np.exp(term.logs), "session": term.sessions})
        for term in (top, bottom)
    ]
    assert compare_forks(*frames).error == pytest.approx(0.05)


def measured(run, golden, session_of=lambda number: 0, day="2026-11-21"):
    """Fill the run with a golden fork per task, seven hours later in each further session."""
    for place, (point, number) in enumerate(run.tasks()):
        start = datetime.fromisoformat(f"{day}T00:00:00.000+00:00")
        start += timedelta(hours=7 * session_of(number), minutes=place)
        spans = {
            name: golden[name]
            | {"utc": (start + timedelta(seconds=end)).isoformat(timespec="milliseconds")}
            for name, end in (("before", 0), ("after", 9))
        }
        content = sealed(
            golden, **spans, params=point.params, fork=number, order=place, block=number
        )
        write_json(run.folder / "forks" / f"{point.fork_name(number)}.json", content)
    return run


def test_another_session_plans_every_point_again(fake_run, golden):
    run = fake_run(loads=1, forks=2)
    with pytest.raises(BadInput, match="is missing 2 forks of its last session"):
        add_session(run)
    measured(run, golden)
    early = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
    with pytest.raises(BadInput, match=r"can start six hours .* at 2026-11-21 06:01 UTC"):
        add_session(run, early)
    assert read_run(run.folder).sessions == 1
    again = add_session(run, early + timedelta(minutes=2))
    assert [number for _, number in again.tasks()] == [0, 1, 2, 3]
    assert [(task.block, task.number) for task in order.plan_order(again)] == [
        (0, 0), (1, 1), (2, 2), (3, 3),
    ]  # fmt: skip
    assert [number for _, number in again.missing()] == [2, 3]
    assert tidy.write_tables(again)["points"]["asked"].tolist() == [4]


def test_tables_show_the_session_of_a_fork(fake_run, golden):
    run = session.set_sessions(fake_run(loads=1, forks=2), 2)
    measured(run, golden, lambda number: number // 2)
    table = tidy.write_tables(run)["scaling"].drop_duplicates("fork").sort_values("fork")
    assert table["session"].tolist() == [1, 1, 2, 2]
    assert tidy.load_table(run, "scaling")["session"].nunique() == 2


def test_a_run_takes_over_the_sessions_of_the_one_merged_into_it(fake_run, golden, tmp_path):
    run = fake_run(loads=1, forks=2)
    other = tmp_path / "elsewhere"
    shutil.copytree(run.folder, other)
    measured(session.set_sessions(read_run(other), 2), golden, lambda number: number // 2)
    assert merge.merge_runs(other, run.folder).copied == 4
    assert read_run(run.folder).missing() == []


def test_a_session_with_a_single_fork_of_a_point_gives_no_interval():
    cells = {
        ("a",): Term(1.0, np.zeros(3), 0.0, np.array([1, 1, 2])),
        ("b",): Term(1.0, np.zeros(4), 0.0, np.array([1, 1, 2, 2])),
    }
    assert averages.weigh_sessions(cells, (("a",), ("b",))) == {1: 1.0}
