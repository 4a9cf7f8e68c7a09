"""Words of figures 3 to 8: titles that say what came out, captions, and alternative texts."""

import pandas as pd

from handoff.draw.words import Words, capitalize, compare_times, format_brief, join_words
from handoff.studies.scaling import FREQUENCIES, STUDY
from handoff.studies.scaling.cost_figure import NAMES, choose_mechanisms
from handoff.studies.scaling.numbers import tabulate_ratios
from handoff.studies.scaling.paper_panel import FIGURES, PAPER_CONSUMERS, TIME
from handoff.text import pluralize

COLUMNS = (
    "Dots: forks, from left to right as measured; black bar and number: their geometric mean; band:"
    " its 95 % interval; line across: one thread alone."
)
LINES = (
    "Dots: forks; bars: 95 % interval of the mean; black line: one thread alone; dashed: its work"
    " shared evenly by the cores."
)


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
    """Return what one sees, and how many of the paper's points need more cores."""
    handed = forks[forks["mechanism"] != STUDY.sequential]
    consumers, shared = handed["consumers"].nunique(), handed["oversubscribed"].any()
    within = handed.loc[handed["consumers"] <= PAPER_CONSUMERS, "consumers"].nunique()
    missing = 0 if shared else PAPER_CONSUMERS - within
    if not consumers:
        return f"One thread alone. {COLUMNS}"
    who = f"One producer and {pluralize(int(handed['consumers'].max()), 'consumer')}."
    caption = LINES if consumers > 1 else f"{who} {COLUMNS}"
    if missing:
        caption += (
            f" The study's other {missing} numbers of consumers need more cores, or were not"
            " measured."
        )
    return caption


def describe_page(forks: pd.DataFrame, note: str) -> Words:
    """Return the words of figures 3 to 8 on one page."""
    table = tabulate_ratios(forks)
    table = table[table["sorts"].isin(FREQUENCIES)]
    alts = [describe_figure(forks, quantity, sorts, "") for quantity, sorts in FIGURES]
    return Words(write_page_title(table), write_caption(forks), " ".join(w.alt for w in alts), note)


def write_page_title(table: pd.DataFrame) -> str:
    """Return at how many loads each mechanism is surely slower, and surely faster, than one thread.

    Without intervals, return what is drawn.
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
    "Figures 3 to 8 with every number of consumers that was measured; hollow: threads share cores,"
    " which says nothing about the study's machine"
)


def describe_ratios(table: pd.DataFrame, note: str) -> Words:
    """Return the words of times over one thread's by consumers, from `tabulate_ratios`."""
    parts = []
    for name in choose_mechanisms(table):
        rows = table[table["mechanism"] == name]
        best = rows.loc[rows["ratio"].idxmin()]
        parts.append(
            f"the {NAMES[name]} is at best {format_brief(1 / best['ratio'])} times as fast as one"
            f" thread ({pluralize(int(best['consumers']), 'consumer')},"
            f" {pluralize(int(best['sorts']), 'sort')})"
        )
    caption = (
        "Time over one thread's alone, on a logarithmic axis: below 1, handing over pays. Bars:"
        " 95 % interval of the ratio. Dotted: one thread's work shared evenly, the best there is."
    )
    alts = [describe_rows(table[table["sorts"] == sorts], TIME) for sorts in FREQUENCIES]
    return Words(capitalize(join_words(parts)), caption, " ".join(alts), note, main=False)
