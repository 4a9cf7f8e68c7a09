"""Every figure of the shipped run fits the printed page and has legible type."""

from importlib import import_module

import pytest
from matplotlib import pyplot as plt
from matplotlib.text import Text

from handoff.draw import study_figures
from handoff.draw.page import NOTE_GID, TEXT_INCHES, draw_note, draw_words, new_figure, use_style
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run

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
