"""Figures 3 to 8 of the paper: time and CPU usage by consumers, at three loads; their words."""

import textwrap

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis import baseline
from handoff.claims.check import Value
from handoff.claims.files import load_claim_files
from handoff.draw.marks import write_near
from handoff.draw.page import collect_handles, draw_legend, new_figure
from handoff.draw.words import Words, compare_times, format_brief, join_words
from handoff.studies.scaling import FREQUENCIES, STUDY
from handoff.studies.scaling.cost_table import NAMES, choose_mechanisms
from handoff.studies.scaling.numbers import tabulate_ratios
from handoff.studies.scaling.paper_panel import (
    CLAIMS,
    FIGURES,
    PAPER_EVENTS,
    TIME,
    USAGE,
    draw_panel,
)
from handoff.text import pluralize


def select_baseline(forks: pd.DataFrame, setting: str = "") -> pd.DataFrame:
    """Return the forks under the choices that we take for the paper's, with `seconds_40m`.

    With a setting, its release and its sort count; without one, `analysis.baseline` says which
    value stands in for a choice that the run does not have. Of several numbers of events, the
    largest at each load is kept.
    """
    fixed = find_values(setting) if setting else {}
    kept = baseline.select_baseline(forks, STUDY.name, ("consumers", "sorts"), **fixed)
    kept = kept[kept["events"] == kept.groupby("sorts")["events"].transform("max")]
    return kept.assign(**{TIME: kept["ns_per_event"] * PAPER_EVENTS / 1e9})


def find_values(setting: str) -> dict[str, Value]:
    """Return the values of parameters in a setting, whose placeholders have their names."""
    settings = load_claim_files()[STUDY.name].settings
    return {name.lower(): value for name, value in settings[setting].items()}


def list_settings(forks: pd.DataFrame) -> list[str]:
    """Return the settings in which the Disruptor was measured; '' where that is only one."""
    ring = forks[forks["mechanism"].str.startswith("DISRUPTOR")]
    measured = [
        setting
        for setting in load_claim_files()[STUDY.name].settings
        if all((ring[name] == value).any() for name, value in find_values(setting).items())
    ]
    return measured if len(measured) > 1 else [""]


def describe_marks(forks: pd.DataFrame) -> str:
    """Return the meaning of the backgrounds, lines and marks that the figures have."""
    handed = forks[forks["mechanism"] != STUDY.sequential]
    caches = (handed["caches"] > 1) & ~(handed["sockets"] > 1)
    sentences = {
        "Hollow, on grey: threads share cores, and no line joins them.": handed["oversubscribed"],
        "Striped: unlike kinds of core, not judged.": handed["kinds"] > 1,
        "Dotted line: from there on several last-level caches.": caches,
    }
    return " ".join(sentence for sentence, shown in sentences.items() if shown.any())


PAGE_INCHES, FLAT_INCHES = 8.2, 4.6
"""Heights of a page of six panels: with an axis of consumers, and with columns of dots."""


def draw_figure(forks: pd.DataFrame, quantity: str, sorts: int, cores: int) -> Figure:
    """Draw one of figures 3 to 8."""
    figure, grid = new_figure(height=3.4 if shows_axis(forks) else 2.7)
    draw_panel(grid[0][0], forks, quantity, sorts, cores)
    if shows_axis(forks):
        write_claim(grid[0][0], forks, FIGURES[quantity, sorts], 2)
        draw_legend(figure, collect_handles(grid))
    return figure


def draw_page(forks: pd.DataFrame, cores: int) -> Figure:
    """Draw all six on one page: one row per load with an axis of consumers, else per quantity."""
    wide = shows_axis(forks)
    figure, grid = new_figure(*((3, 2, PAGE_INCHES) if wide else (2, 3, FLAT_INCHES)))
    for row, quantity in zip(grid.T if wide else grid, (TIME, USAGE), strict=True):
        for axes, sorts in zip(row, FREQUENCIES, strict=True):
            draw_panel(axes, forks, quantity, sorts, cores)
            if wide:
                write_claim(axes, forks, FIGURES[quantity, sorts])
    if wide:
        draw_legend(figure, collect_handles(grid))
    else:
        for axes in grid[:, 1:].flat:
            axes.set_ylabel("")
    return figure


def shows_axis(forks: pd.DataFrame) -> bool:
    return forks.loc[forks["mechanism"] != STUDY.sequential, "consumers"].nunique() > 1


LINE_CHARACTERS = 48
"""Characters of a published sentence that fit below a panel of half a page's width."""


def write_claim(axes: Axes, forks: pd.DataFrame, number: int, wide: int = 1) -> None:
    """Write below a panel of judged points what the paper says of it."""
    if forks["oversubscribed"].any():
        return
    words = textwrap.fill(CLAIMS[number], LINE_CHARACTERS * wide)
    below = (0, -3.9 * plt.rcParams["font.size"])
    style = {"xycoords": "axes fraction", "style": "italic", "color": "#444444", "va": "top"}
    write_near(axes, words, (0, 0), below, **style)


CAPTION = "Dots: forks; bars and bands: 95 % interval of their geometric mean."


def describe_figure(forks: pd.DataFrame, quantity: str, sorts: int, note: str) -> Words:
    """Return the words of one of figures 3 to 8, from the forks that it shows."""
    table = tabulate_ratios(forks)
    table = table[table["sorts"] == sorts]
    head = f"Figure {FIGURES[quantity, sorts]}, {pluralize(sorts, 'sort')} per event"
    parts = [
        part
        for name in choose_mechanisms(table)
        if (part := describe_series(table[table["mechanism"] == name], quantity))
    ]
    drawn = "time" if quantity == TIME else "cores kept busy"
    message = f"{head}: {join_words(parts) or drawn}"
    return Words(message, write_caption(forks), describe_rows(table, quantity), note)


def describe_series(rows: pd.DataFrame, quantity: str) -> str:
    """Return what a mechanism's points say; '' without intervals."""
    if rows["low"].isna().any():
        return ""
    name = NAMES[rows["mechanism"].iloc[0]]
    several = len(rows) > 1
    if quantity == TIME:
        best = rows.loc[rows["ratio"].idxmin()]
        at = f" at best ({pluralize(int(best['consumers']), 'consumer')})" if several else ""
        compared = compare_times(best["ratio"], (best["low"], best["high"]))
        return f"the {name} {compared} one thread{at}"
    last = rows.sort_values("consumers").iloc[-1]
    at = f" ({pluralize(int(last['consumers']), 'consumer')})" if several else ""
    return f"the {name} keeps {format_brief(last['cores'])} cores busy{at}"


def describe_rows(table: pd.DataFrame, quantity: str) -> str:
    """Return every judged point in words."""
    column = "ratio" if quantity == TIME else "cores"
    parts = [
        f"{STUDY.look(name).label}: "
        + ", ".join(
            f"{format_brief(getattr(row, column))} ({pluralize(int(row.consumers), 'consumer')})"
            for row in rows.itertuples()
        )
        for name, rows in table.groupby("mechanism")
    ]
    what = "Time over one thread's" if quantity == TIME else "Cores kept busy"
    return f"{what}. {'; '.join(parts)}." if parts else f"{what}: no judged point."


def write_caption(forks: pd.DataFrame) -> str:
    """Return what one sees."""
    consumers = set(forks.loc[forks["mechanism"] != STUDY.sequential, "consumers"])
    if len(consumers) != 1:
        return CAPTION
    return f"One producer and {pluralize(int(consumers.pop()), 'consumer')}. {CAPTION}"


def describe_page(forks: pd.DataFrame, note: str) -> Words:
    """Return the words of figures 3 to 8 on one page."""
    table = tabulate_ratios(forks)
    table = table[table["sorts"].isin(FREQUENCIES)]
    alts = [describe_figure(forks, quantity, sorts, "") for quantity, sorts in FIGURES]
    return Words(write_page_title(table), write_caption(forks), " ".join(w.alt for w in alts), note)


def write_page_title(table: pd.DataFrame) -> str:
    """Return at how many loads each mechanism is slower, and faster, than one thread.

    Only intervals that exclude 1 count. Without intervals, return what is drawn.
    """
    if not choose_mechanisms(table) or table["low"].isna().any():
        return "Figures 3 to 8: time, and cores kept busy, at the paper's three loads"
    consumers = table["consumers"].nunique()
    who = "one consumer" if consumers == 1 else f"{consumers} numbers of consumers"
    loads, parts = table["sorts"].nunique(), []
    for name in choose_mechanisms(table):
        rows = table[table["mechanism"] == name]
        faster = (rows["high"] < 1).groupby(rows["sorts"]).any().sum()
        slower = (rows["low"] > 1).groupby(rows["sorts"]).all().sum()
        found = [(faster, "faster"), (slower, "slower")]
        said = join_words([f"{word} at {number}" for number, word in found if number])
        said = f"{said} of {loads} loads" if said else "not clearly different"
        parts.append(f"the {NAMES[name]} is {said}")
    return f"Figures 3 to 8, {who}: against one thread alone, {', '.join(parts)}"


OVERSUBSCRIBED = (
    "Figures 3 to 8 with points whose threads share cores, which say nothing about the study's"
    " machine"
)
