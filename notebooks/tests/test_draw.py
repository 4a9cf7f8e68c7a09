"""Figures show everything that they should and nothing that was not measured."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from handoff.catalog import load_catalog
from handoff.draw.save import save_figure, use_style
from handoff.registry import find_study
from handoff.studies.scaling import (
    STUDY,
    drift,
    load,
    paper_figures,
    paper_panel,
    sensitivity,
    speedup_figure,
)
from handoff.study import Study

CHOICES = {
    "order": "ASCENDING",
    "wait": "YIELDING",
    "placement": "COMPACT",
    "element": "NEW",
    "collector": "PARALLEL",
    "memory": "PRODUCER",
}


@pytest.fixture
def forks() -> pd.DataFrame:
    """Return five forks per point on two nodes of 6 cores, oversubscribed beyond 8 consumers."""
    rows = []
    for sorts, mechanism in itertools.product(
        (1, 15, 56, 300), ("SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL")
    ):
        for consumers, fork in itertools.product(
            range(1, 2 if mechanism == "SEQUENTIAL" else 12), range(5)
        ):
            row = {
                "mechanism": mechanism,
                "consumers": consumers,
                "sorts": sorts,
                "fork": fork,
                "point": f"{mechanism}{consumers}{sorts}",
            }
            row |= {
                "ns_per_event": 20.0 * sorts + consumers + fork,
                "cpu_process": 1.0 + consumers,
                "oversubscribed": consumers > 8,
            }
            row |= {
                "sockets": 1 if consumers < 6 else 2,
                "caches": 1 if consumers < 6 else 2,
                "kinds": float("nan"),
                "ns_per_event_created": 1.4,
                "events": 1000,
                "capacity": 8192,
            }
            rows.append(CHOICES | row | {"too_short": False, "short_usage": False, "disturbed": ""})
    return pd.DataFrame(rows)


def geometric_mean(first: int) -> float:
    """Return the mean of five times, each a nanosecond more than the one before."""
    return float(np.exp(np.log(np.arange(first, first + 5)).mean()))


def draw(forks, quantity=paper_panel.TIME, sorts=1):
    use_style()
    figure, axes = plt.subplots()
    paper_panel.draw_panel(axes, paper_figures.select_baseline(forks), quantity, sorts, 6)
    return figure, axes


def test_speed_up_covers_only_points_with_a_core_per_thread(forks):
    table = speedup_figure.compute_speedups(forks)
    assert sorted(table["consumers"].unique()) == list(range(1, 9))
    assert "SEQUENTIAL" not in set(table["mechanism"])
    row = table.query("mechanism == 'ARRAY_BLOCKING_QUEUE' and sorts == 1 and consumers == 8")
    # Geometric means of 21 to 25 and of 28 to 32 ns.
    assert row["speed-up"].item() == pytest.approx(geometric_mean(21) / geometric_mean(28))
    assert row["efficiency"].item() == pytest.approx(row["speed-up"].item() / 8)
    assert row["low"].item() < row["speed-up"].item() < row["high"].item()
    figure = speedup_figure.draw_speedups(table[table["sorts"] != 56], "note")
    assert len(figure.axes) == 6
    plt.close(figure)


def test_there_is_no_speed_up_unless_one_consumer_and_several_fit_the_cores(forks):
    alone = forks[forks["consumers"] != 1]
    assert speedup_figure.compute_speedups(alone).empty
    shared = forks.assign(oversubscribed=forks["consumers"] > 1)
    assert speedup_figure.compute_speedups(shared).empty


def test_a_drift_is_estimated_from_shuffled_blocks_with_a_mean_per_point():
    generator = np.random.default_rng(3)
    points, blocks = 6, 5
    hits = 0
    for _ in range(300):
        order = np.concatenate(
            [generator.permutation(points) + points * block for block in range(blocks)]
        )
        point = np.tile(np.arange(points), blocks)
        # 10 % slower from the first fork to the last, points of different cost, 3 % between forks.
        times = (100 + 50 * point) * np.exp(
            np.log(1.1) * order / (points * blocks - 1) + generator.normal(0, 0.03, points * blocks)
        )
        table = pd.DataFrame(
            {"point": point.astype(str), "order_index": order, "ns_per_event": times}
        )
        change, low, high = drift.fit_slope(drift.compute_residuals(table))
        hits += low <= 9.53 <= high
        assert 0 < change < 25
    # A slope of log(1.1) is 9.53 % in logarithms; the nominal coverage is 95 %.
    assert 0.92 <= hits / 300 <= 0.98


def test_every_fork_is_a_dot_and_oversubscribed_ones_are_hollow(forks):
    _, axes = draw(forks)
    dots = [c for c in axes.collections if c.__class__.__name__ == "PathCollection"]
    assert sum(len(c.get_offsets()) for c in dots) == 2 * 11 * 5 + 5
    hollow = [len(c.get_offsets()) for c in dots if np.allclose(c.get_facecolor()[:, :3], 1)]
    assert sum(hollow) == 2 * 3 * 5


def test_lines_end_at_the_last_point_with_a_core_per_thread(forks):
    _, axes = draw(forks)
    names = [STUDY.look(name).label for name in set(forks["mechanism"]) - {"SEQUENTIAL"}]
    ends = [max(line.get_xdata()) for line in axes.lines if line.get_label() in names]
    alone = forks.loc[~forks["oversubscribed"] & (forks["mechanism"] != "SEQUENTIAL"), "consumers"]
    assert len(ends) == len(names)
    assert all(end < alone.max() + 0.5 for end in ends)
    dots = [c for c in axes.collections if c.__class__.__name__ == "PathCollection"]
    assert max(c.get_offsets()[:, 0].max() for c in dots if len(c.get_offsets())) > 10


def test_times_are_on_the_papers_axis(forks):
    _, axes = draw(forks)
    line = next(
        line for line in axes.lines if line.get_label() == STUDY.look("ARRAY_BLOCKING_QUEUE").label
    )
    # 20 ns + 1 consumer + fork 0 to 4, for 40 million.
    assert line.get_ydata()[0] == pytest.approx(geometric_mean(21) * 0.04)
    assert "40 million" in axes.get_ylabel()


def test_the_limit_is_the_work_shared_by_consumers_and_cores(forks):
    _, axes = draw(forks)
    limit = next(line for line in axes.lines if line.get_label().startswith("ideal")).get_ydata()
    # 1.4 ns create the event; at most 6 cores share the rest.
    work = geometric_mean(21) - 1.4
    assert limit == pytest.approx([work * 0.04 / min(n, 6) for n in range(1, 12)])


def test_the_limit_of_cpu_usage_is_the_number_of_cores(forks):
    _, axes = draw(forks, paper_panel.USAGE)
    line = next(line for line in axes.lines if line.get_label().startswith("ideal"))
    assert line.get_ydata().tolist() == [2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6]


def test_two_nodes_and_shared_cores_are_shaded(forks):
    _, axes = draw(forks)
    spans = [patch.get_x() + 0.5 for patch in axes.patches if patch.get_x() > 0]
    assert sorted(spans) == [6, 7, 8, 9, 9, 10, 10, 11, 11]


def test_unlike_cores_are_striped_and_a_second_cache_starts_at_a_dotted_line(forks):
    unlike = forks.assign(kinds=forks["consumers"].map(lambda n: 2 if n > 7 else 1))
    _, axes = draw(unlike)
    striped = [patch.get_x() + 0.5 for patch in axes.patches if patch.get_hatch()]
    assert striped == [8, 9, 10, 11]
    dotted = [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == ":"]
    assert dotted == [5.5]
    assert "unlike kinds of core" in paper_figures.describe_marks(unlike)
    assert "Striped" not in paper_figures.describe_marks(forks)


def test_choices_other_than_the_papers_are_not_drawn(forks):
    other = forks.assign(order="SHUFFLED", ns_per_event=9999.0)
    assert paper_figures.select_baseline(pd.concat([forks, other]))["ns_per_event"].max() < 9999


def test_only_one_of_several_capacities_is_drawn(forks):
    other = forks.assign(capacity=1024, ns_per_event=9999.0)
    queues = paper_figures.select_baseline(
        pd.concat([forks, other[other["mechanism"] != "SEQUENTIAL"]])
    )
    assert set(queues["capacity"]) == {8192}


def test_only_the_largest_number_of_events_is_drawn(forks):
    other = forks.assign(events=500, ns_per_event=9999.0)
    assert paper_figures.select_baseline(pd.concat([forks, other]))["events"].unique().tolist() == [
        1000
    ]


def test_a_choice_is_compared_alone_with_its_own_reference(forks):
    slower = forks[forks["sorts"] == 1].assign(
        wait="BLOCKING", ns_per_event=lambda table: 2 * table["ns_per_event"]
    )
    both = slower.assign(order="SHUFFLED")
    table = sensitivity.compute_arms(pd.concat([forks, slower, both]))
    assert set(table["choice"]) == {"wait BLOCKING"} and set(table["ratio"].round(9)) == {2.0}
    assert sensitivity.compute_arms(forks).empty


def test_the_load_figure_needs_loads_and_compares_like_with_like(forks):
    base = paper_figures.select_baseline(forks)
    assert load.has_loads(base) and not load.has_loads(base[base["sorts"] == 1])
    assert not load.has_loads(base[base["mechanism"] != "SEQUENTIAL"])
    table = load.compute_ratios(base)
    assert (
        set(table["ratio"].round(9)) == {1.0}
        and (table["low"].dropna() <= 1).all()
        and (table["high"].dropna() >= 1).all()
    )


@pytest.mark.parametrize("consumers", [[1], [1, 3, 9]])
def test_every_figure_can_be_drawn(forks, tmp_path, consumers):
    some = forks[forks["consumers"].isin(consumers)]
    slower = some.assign(wait="BLOCKING")
    few = paper_figures.select_baseline(some)
    pictures = [
        paper_figures.draw_figure(few, paper_panel.USAGE, 15, 2, "a note"),
        paper_figures.draw_page(few, 2, "a note"),
        load.draw_load(few, "a note"),
    ]
    for number, picture in enumerate(
        [*pictures, sensitivity.draw_sensitivity(pd.concat([some, slower]), "a note")]
    ):
        assert all(
            path.stat().st_size > 1000 for path in save_figure(picture, tmp_path, str(number))
        )


def test_the_same_data_gives_the_same_bytes(forks, tmp_path):
    for folder in ("one", "two"):
        save_figure(draw(forks)[0], tmp_path / folder, "figure")
    for kind in ("svg", "pdf", "png"):
        assert (tmp_path / "one" / f"figure.{kind}").read_bytes() == (
            tmp_path / "two" / f"figure.{kind}"
        ).read_bytes()


def test_a_saved_figure_is_shown_by_its_file_until_it_is_changed(forks, tmp_path, capsys):
    figure = draw(forks)[0]
    save_figure(figure, tmp_path, "figure")
    figure._ipython_display_()
    assert capsys.readouterr().out.startswith("<IPython.core.display.Image")
    figure.axes[0].set_title("another")
    assert not hasattr(figure, "_ipython_display_")


@pytest.mark.parametrize("name", load_catalog())
def test_no_two_mechanisms_of_a_study_look_alike(name):
    mechanisms = load_catalog()[name].mechanisms
    for study in (find_study(name), Study(name)):
        looks = [study.look(mechanism) for mechanism in mechanisms]
        assert len({look.marker for look in looks}) == len(looks)
        assert len({(look.colour, look.line) for look in looks}) == len(looks)


def test_a_mechanism_missing_from_the_jar_is_drawn_grey_under_its_code_name():
    assert STUDY.look("SOMETHING_NEW")[:3] == ("something new", "something new", "#777777")
