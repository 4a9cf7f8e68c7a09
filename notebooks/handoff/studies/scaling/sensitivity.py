"""Figure of the sensitivity sweep: effect of each choice that the paper leaves open, alone."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handoff.analysis.forks import compare_times
from handoff.catalog import load_catalog
from handoff.draw import marks
from handoff.draw.page import collect_handles, draw_legend, draw_note, hide_rest, new_figure
from handoff.studies.scaling import STUDY
from handoff.text import pluralize

CHOICES = ("capacity", "wait", "order", "element", "collector", "placement", "memory")
MOST_COLUMNS, ROW_INCHES = 3, 0.27
COLUMNS = ["choice", "mechanism", "consumers", "ratio", "low", "high", "oversubscribed"]


def compute_arms(forks: pd.DataFrame) -> pd.DataFrame:
    """Return the time under one changed choice over the time under all defaults.

    `choice` is such as 'wait BLOCKING'; `low` and `high` are the 95 % interval, or missing. Only
    points that differ in exactly one choice, at the same load and number of events, are compared.
    """
    if forks.empty:
        return pd.DataFrame(columns=COLUMNS)
    changed = find_changes(forks)
    reference = forks[changed.sum(axis=1) == 0]
    rows = []
    for name in CHOICES:
        arm = forks[changed[name] & (changed.sum(axis=1) == 1)]
        for (value, mechanism, consumers, sorts, events), group in arm.groupby(
            [name, "mechanism", "consumers", "sorts", "events"]
        ):
            same = (reference["mechanism"] == mechanism) & (reference["consumers"] == consumers)
            against = reference[
                same & (reference["sorts"] == sorts) & (reference["events"] == events)
            ]
            if len(against):
                compared = compare_times(group, against)
                rows.append([f"{name} {value}", mechanism, consumers, *compared])
    return pd.DataFrame(rows, columns=COLUMNS)


def find_changes(forks: pd.DataFrame) -> pd.DataFrame:
    """Return, for each fork and choice, whether the value differs from the default."""
    defaults = {
        name: int(value) if value.isdigit() else value
        for name, value in load_catalog()["scaling"].defaults().items()
    }
    values = forks[list(CHOICES)]
    # A value is missing in a run that was measured before the parameter existed.
    return values.ne(pd.Series({name: defaults[name] for name in CHOICES})) & values.notna()


def draw_sensitivity(forks: pd.DataFrame, note: str) -> Figure:
    """Draw the ratios to the defaults, one row per choice, one panel per number of consumers."""
    table = compute_arms(forks)
    choices = list(dict.fromkeys(table["choice"]))[::-1]
    panels = sorted(table["consumers"].unique())
    columns = min(len(panels), MOST_COLUMNS)
    deep = -(-len(panels) // columns)
    height = deep * (ROW_INCHES * len(choices) + 0.6) + 0.4
    figure, grid = new_figure(deep, columns, height, sharex=True, sharey=True)
    for axes, consumers in zip(grid.flat, panels, strict=False):
        draw_panel(axes, table[table["consumers"] == consumers], choices, consumers)
    hide_rest(grid, len(panels))
    grid[0][0].set_yticks(range(len(choices)), choices)
    marks.format_log_axis(grid[0][0].xaxis)
    draw_legend(figure, collect_handles(grid))
    draw_note(figure, note)
    return figure


def draw_panel(axes: Axes, rows: pd.DataFrame, choices: list[str], consumers: int) -> None:
    shared = bool(rows["oversubscribed"].any())
    title = pluralize(consumers, "consumer") + (" (oversubscribed)" if shared else "")
    axes.set(title=title, xscale="log", xlabel="time / time under the defaults")
    axes.set_facecolor(marks.OVERSUBSCRIBED_GROUND if shared else "white")
    axes.axvline(1, color="black", lw=0.8)
    for place, (mechanism, group) in enumerate(rows.groupby("mechanism")):
        look = STUDY.look(mechanism)
        height = [choices.index(choice) + 0.16 * (place - 1.5) for choice in group["choice"]]
        fill = "white" if shared else look.colour
        axes.scatter(
            group["ratio"],
            height,
            marker=look.dot,
            s=14,
            color=look.colour,
            fc=fill,
            label=look.label,
        )
        axes.hlines(
            height,
            group["low"].astype(float),
            group["high"].astype(float),
            color=look.colour,
            lw=1.2,
        )
