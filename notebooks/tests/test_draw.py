"""Figures show everything that they should, nothing that was not measured, and fit the page."""

import itertools
import json
from importlib import import_module

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from scipy.stats import gmean

from handoff.catalog import load_catalog
from handoff.draw import study_figures
from handoff.draw.page import (
    NOTE_GID,
    TEXT_INCHES,
    draw_note,
    draw_words,
    new_figure,
    save_figure,
    use_style,
)
from handoff.draw.words import Words
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.studies.scaling import (
    STUDY,
    cost_figure,
    cost_table,
    drift,
    paper_figures,
    paper_panel,
    sensitivity,
)
from handoff.study import Study, find_study

CHOICES = {"order": "ASCENDING", "wait": "YIELDING", "placement": "COMPACT", "element": "NEW"}
CHOICES |= {"collector": "PARALLEL", "memory": "PRODUCER", "events": 1000, "capacity": 8192}
CHOICES |= {"release": "3.4.4", "sort": "TODAY"}
ALONE, QUEUE, POOL = "SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "DISRUPTOR_WORKER_POOL"
GREY = to_rgb(paper_panel.GREY)


@pytest.fixture
def forks() -> pd.DataFrame:
    """Return five forks per point on two nodes of 6 cores, oversubscribed beyond 8 consumers."""
    use_style()
    points = [
        (mechanism, consumers, sorts)
        for sorts, mechanism in itertools.product((1, 15, 56, 300), (ALONE, QUEUE, POOL))
        for consumers in range(1, 2 if mechanism == ALONE else 12)
    ]
    points = pd.DataFrame(points, columns=["mechanism", "consumers", "sorts"])
    table = points.merge(pd.DataFrame({"fork": range(5)}), how="cross")
    consumers, sorts = table["consumers"], table["sorts"]
    return table.assign(
        **CHOICES,
        point=table["mechanism"] + consumers.astype(str) + sorts.astype(str),
        ns_per_event=20.0 * sorts + consumers + table["fork"],
        cpu_process=1.0 + consumers,
        oversubscribed=consumers > 8,
        sockets=1 + (consumers > 5),
        caches=1 + (consumers > 5),
        kinds=np.nan,
        ns_per_event_created=1.4,
        too_short=False,
        short_usage=False,
        disturbed="",
    )


@pytest.fixture
def small(forks) -> pd.DataFrame:
    """Return the forks of two cores: one consumer fits them, and others were measured."""
    return paper_figures.select_baseline(forks.assign(oversubscribed=forks["consumers"] > 1))


@pytest.fixture
def large(forks) -> pd.DataFrame:
    """Return the forks of two sockets of six cores: eleven consumers fit them."""
    return paper_figures.select_baseline(forks.assign(oversubscribed=False))


@pytest.fixture
def draw(forks):
    """Return a function that draws one panel and returns it; its figure is closed at the end."""

    def draw_panel(rows=forks, quantity=paper_panel.TIME):
        _, axes = plt.subplots()
        paper_panel.draw_panel(axes, paper_figures.select_baseline(rows), quantity, 1, 6)
        return axes

    yield draw_panel
    plt.close("all")


def find_line(axes, label: str):
    """Return the line of an axes whose label starts so."""
    return next(line for line in axes.lines if line.get_label().startswith(label))


def test_twelve_cores_on_two_sockets_have_the_papers_axes_sentences_and_the_border(large):
    figure = paper_figures.draw_page(large, 12)
    axes = figure.axes[0]
    assert list(axes.get_xticks()) == list(range(1, 12))
    words = [text.get_text() for text in axes.texts]
    assert any(text.startswith("The paper: ") for text in words)
    # In the legend: words within a panel would lie on its curves.
    assert "two sockets" in [text.get_text() for text in figure.legends[0].get_texts()]
    assert "two sockets" not in words
    assert any(line.get_xdata()[0] == 5.5 for line in axes.lines)
    plt.close(figure)


def test_titles_say_what_came_out_at_the_judged_points_or_what_is_drawn(small, large):
    few = paper_figures.describe_figure(
        small[~small["oversubscribed"]], paper_panel.TIME, 1, "note"
    )
    # 21 to 25 ns against the same times.
    assert few.title == (
        "Figure 3, 1 sort per event: the blocking queue does not clearly differ from one thread and"
        " the Disruptor does not clearly differ from one thread"
    )
    assert few.caption.startswith("One producer and 1 consumer. ") and few.note == "note"
    many = paper_figures.describe_page(large, "note")
    assert many.title.startswith("Figures 3 to 8, 11 numbers of consumers: against one thread")
    once = small[small["fork"] == 0]
    words = paper_figures.describe_figure(once[~once["oversubscribed"]], paper_panel.USAGE, 15, "")
    assert words.title == "Figure 7, 15 sorts per event: cores kept busy"
    costs = cost_table.tabulate_costs(cost_table.select_forks(once, once))
    assert cost_figure.write_words(costs, "").title.startswith("Time of an event, and cores")


def test_words_of_a_figure_are_kept_next_to_it_and_left_out_for_the_paper(small, tmp_path):
    words = Words("A message", "What one sees.", "The same in words.", "a note, trace 1a2b3c4d")
    costs = cost_table.tabulate_costs(cost_table.select_forks(small, small))
    save_figure(cost_figure.draw_costs(costs, 2), tmp_path, "cost", words)
    assert json.loads((tmp_path / "print" / "cost.json").read_text()) == words._asdict()
    assert "<dc:title>A message</dc:title>" in (tmp_path / "cost.svg").read_text()
    sizes = [(tmp_path / name).stat().st_size for name in ("print/cost.svg", "cost.svg")]
    assert sizes[0] < sizes[1]


def make_sessions(forks: pd.DataFrame, *factors: float) -> pd.DataFrame:
    """Return the forks of one session per factor, by which it is slower."""
    times = forks["ns_per_event"]
    return pd.concat(
        forks.assign(session=session, order_index=forks.index, ns_per_event=times * factor)
        for session, factor in enumerate(factors, 1)
    )


def test_drift_compares_sessions_by_the_same_points(forks):
    rows = drift.compute_residuals(make_sessions(forks, 1.2, 1.0))
    levels = drift.compare_sessions(rows)
    assert levels[1].ratio / levels[2].ratio == pytest.approx(1.2, rel=0.01)
    low, high = levels[1].interval()
    assert low < 1.2**0.5 < high
    title = drift.write_words(rows, "").title
    assert title.startswith("Session 1 against the mean of all 2, by the same points: +9.5 % (")
    rows = drift.compute_residuals(make_sessions(forks, 1.0))
    assert drift.compare_sessions(rows) == {}
    assert drift.write_words(rows, "").title.startswith("Each fork against its point")


def test_every_fork_is_a_dot_and_shared_cores_are_hollow_grey_and_without_a_line(draw):
    axes = draw()
    dots = axes.findobj(PathCollection)
    assert sum(len(c.get_offsets()) for c in dots) == 2 * 11 * 5
    hollow = [len(c.get_offsets()) for c in dots if np.allclose(c.get_facecolor()[:, :3], 1)]
    assert sum(hollow) == 2 * 3 * 5
    names = [STUDY.look(name).label for name in (QUEUE, POOL)]
    ends = [max(line.get_xdata()) for line in axes.lines if line.get_label() in names]
    assert len(ends) == len(names) and all(end < 8.5 for end in ends)
    grey = [p.get_x() + 0.5 for p in axes.patches if p.get_facecolor()[:3] == GREY]
    assert sorted(grey) == [9, 10, 11]


def test_times_and_the_limits_are_on_the_papers_axis(draw):
    axes = draw()
    # 20 ns + 1 consumer + fork 0 to 4, for 40 million.
    times = find_line(axes, STUDY.look(QUEUE).label).get_ydata()
    mean = gmean(range(21, 26))
    assert times[0] == pytest.approx(mean * 0.04)
    assert "40 million" in axes.get_ylabel()
    # 1.4 ns create the event; at most 6 cores share the rest.
    limit = find_line(axes, "ideal").get_ydata()
    assert limit == pytest.approx([(mean - 1.4) * 0.04 / min(n, 6) for n in range(1, 12)])
    limit = find_line(draw(quantity=paper_panel.USAGE), "ideal").get_ydata()
    assert limit.tolist() == [2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6]


def test_unlike_cores_are_striped_and_a_second_cache_starts_at_a_dotted_line(forks, draw):
    unlike = forks.assign(kinds=1 + (forks["consumers"] > 7), sockets=1)
    axes = draw(unlike)
    striped = [patch.get_x() + 0.5 for patch in axes.patches if patch.get_hatch()]
    assert striped == [8, 9, 10, 11]
    dotted = [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == ":"]
    assert dotted == [5.5]
    assert "unlike kinds of core" in paper_figures.describe_marks(unlike)
    assert "Striped" not in paper_figures.describe_marks(forks)


@pytest.mark.parametrize("changed", [{"order": "SHUFFLED"}, {"events": 500}, {"capacity": 1024}])
def test_points_with_other_choices_than_the_papers_are_not_drawn(forks, changed):
    other = forks[forks["mechanism"] != ALONE].assign(ns_per_event=9999.0, **changed)
    shown = paper_figures.select_baseline(pd.concat([forks, other], ignore_index=True))
    assert len(shown) and shown["ns_per_event"].max() < 9999


@pytest.mark.parametrize(
    ("alike", "changed"),
    [
        ({}, {"order": "SHUFFLED"}),
        ({"capacity": 1024, "placement": "PAPER"}, {"capacity": 128}),
        ({"release": "3.4.4"}, {"release": "3.2.0"}),
    ],
    ids=["the default", "what the sweep has in its place", "a release"],
)
def test_a_choice_is_compared_alone_with_its_own_reference(forks, alike, changed):
    first = forks[(forks["sorts"] == 1) & (forks["mechanism"] == POOL)].assign(**alike)
    slower = first.assign(**changed, ns_per_event=2 * first["ns_per_event"])
    measured = [
        rows.assign(collector=name, point=rows["point"] + f"{number}{name}")
        for number, rows in enumerate((first, slower))
        for name in ("PARALLEL", "G1")
    ]
    table = sensitivity.compute_arms(pd.concat(measured))
    ratios = table.groupby("choice")["ratio"].mean().round(9).to_dict()
    # Where both were changed, there is no ratio.
    assert ratios == {"collector G1": 1.0} | {f"{n} {value}": 2.0 for n, value in changed.items()}
    assert sensitivity.compute_arms(first).empty


def test_a_choice_is_drawn_per_number_of_consumers(forks):
    some = forks[forks["consumers"].isin([1, 3])]
    other = some.assign(wait="BLOCKING", point=some["point"] + "blocking")
    arms = sensitivity.compute_arms(pd.concat([some, other]))
    figure = sensitivity.draw_sensitivity(arms)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["1 consumer", "3 consumers"]
    title = sensitivity.write_words(arms, "").title
    assert "none surely changes the time by more than 5%; not known: 2 of 8 comp" in title
    known = arms.assign(low=0.99, high=1.01)
    assert sensitivity.describe_answers(known) == "none changes the time by more than 5%"
    plt.close(figure)


def test_the_same_data_gives_the_same_bytes(draw, tmp_path):
    for folder in ("one", "two"):
        save_figure(draw().figure, tmp_path / folder, "figure", Words(""))
    for name in ("figure.svg", "figure.pdf", "figure.png"):
        one, two = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two


def test_a_saved_figure_is_shown_by_its_file_until_it_is_changed(draw, tmp_path, capsys):
    figure = draw().figure
    save_figure(figure, tmp_path, "figure", Words(""))
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


LEAST_POINTS = 7
MOST_CHARACTERS = 200
"""Of a title, which has two or three lines."""
SLACK_INCHES = 0.15
"""Width by which a turned label may stick out."""

DRAWN = {
    "scaling": ("cost", "page", "oversubscribed_page", "drift"),
    "topologies": ("ratios",),
    "latency": ("percentiles",),
    "counters": ("figure",),
    "executors": ("ranking",),
    "ring": ("figure",),
    "actors": ("figure",),
}


@pytest.mark.parametrize("study", DRAWN)
def test_a_figure_is_as_wide_as_the_page_and_its_type_is_legible(study, monkeypatch, tmp_path):
    said = []
    monkeypatch.setattr(study_figures, "save_figure", lambda *given: said.append(given[-1]))
    kind = getattr(import_module(f"handoff.studies.{study}.figures"), f"{study.title()}Figures")
    figures = kind(read_run(find_run_folder("reference")), tmp_path)
    for name in DRAWN[study]:
        figure = getattr(figures, name)()
        assert figure is not None, name
        words = said.pop()
        assert words.title and words.caption and words.alt and " trace " in words.note, name
        assert len(words.title) <= MOST_CHARACTERS, words.title
        draw_words(figure, words)
        texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
        small = {text.get_text() for text in texts if text.get_fontsize() < LEAST_POINTS}
        assert not small, f"{name}: {small}"
        assert figure.get_figwidth() == TEXT_INCHES
        figure.canvas.draw()
        width = figure.get_tightbbox(figure.canvas.get_renderer()).width
        assert width <= TEXT_INCHES + SLACK_INCHES, f"{name}: {width:.2f} inches"
        plt.close(figure)


def test_the_note_is_wrapped_to_the_page_and_kept_whole_for_the_paper():
    use_style()
    figure, _ = new_figure()
    words = " ".join(["measured"] * 60)
    draw_note(figure, f"{words}\nrun")
    (note,) = figure.findobj(lambda artist: artist.get_gid() == NOTE_GID)
    assert note.get_label() == f"{words}\nrun"
    assert note.get_text().replace("\n", " ") == f"{words} run"
    figure.canvas.draw()
    assert note.get_window_extent().width / figure.dpi <= TEXT_INCHES
    plt.close(figure)
