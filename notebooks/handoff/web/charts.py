"""Interactive charts with one dot per fork that shows its values and file, and their table."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from handoff.analysis.swept import Swept, describe_weakness, make_setting
from handoff.draw.swept_axis import ANY, WIDE, Axis, plan_axis
from handoff.draw.swept_layout import Layout, Styles, format_value, plan_styles
from handoff.run.store.run import Run

SYMBOLS = {
    "o": "circle",
    "_": "circle",
    "s": "square",
    "^": "triangle-up",
    "v": "triangle-down",
    "<": "triangle-left",
    ">": "triangle-right",
    "D": "diamond",
    "d": "diamond-tall",
    "P": "cross",
    "X": "x",
    "x": "x",
    "h": "hexagon",
    "H": "hexagon2",
    "p": "pentagon",
    "*": "star",
    "8": "octagon",
    "1": "y-down",
}
"""Plotly's names of matplotlib's markers, so that a mechanism has one marker everywhere."""

HEIGHT, PANEL_WIDTH = 420, 210
"""Height, and least width of a panel, in pixels; a narrow page scrolls."""


def draw_chart(swept: Swept, layout: Layout, forks: pd.DataFrame) -> go.Figure:
    """Draw the study's first response along one parameter, one panel per value of another.

    `forks` is the table of `tabulate_forks`, from which each dot has its text.
    """
    response = swept.responses[0]
    columns = swept.values(layout.columns) if layout.columns else [None]
    titles = [f"{layout.columns} {format_value(value)}" for value in columns if value is not None]
    figure = make_subplots(
        1, len(columns), shared_yaxes=True, subplot_titles=titles, horizontal_spacing=0.02
    )
    shown = layout.select(swept)
    styles, axis = plan_styles(swept, layout), plan_axis(swept, layout.along, len(columns))
    named: set[str] = set()
    for place, value in enumerate(columns, start=1):
        panel = layout.select_panel(shown, value)
        for trace in list_traces(swept, panel, layout, (axis, styles), forks):
            trace.showlegend = trace.name not in named
            named.add(trace.name)
            figure.add_trace(trace, row=1, col=place)
    scale_axes(figure, swept, axis, shown, bool(shown[layout.along].isna().any()))
    figure.update_yaxes(title_text=response.axis, col=1)
    figure.update_layout(
        template="plotly_white",
        height=HEIGHT,
        margin={"l": 70, "r": 10, "t": 90, "b": 50},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.1},
        hoverlabel={"align": "left"},
        hovermode="closest",
    )
    return figure


def scale_axes(
    figure: go.Figure, swept: Swept, axis: Axis, shown: pd.DataFrame, outside: bool
) -> None:
    """Set the axes: x as `axis` says, with `ANY` first; y is logarithmic or starts at 0."""
    labels = ([(axis.outside, ANY)] if outside else []) + axis.labels
    figure.update_xaxes(
        tickvals=[place for place, _ in labels],
        ticktext=[name for _, name in labels],
        title_text=axis.title,
        range=axis.limits(outside),
    )
    values = shown[swept.responses[0].column]
    positive = values[values > 0]
    if len(positive) and positive.max() > WIDE * positive.min():
        figure.update_yaxes(type="log", dtick=1)
    else:
        figure.update_yaxes(rangemode="tozero")


def list_traces(
    swept: Swept,
    panel: pd.DataFrame,
    layout: Layout,
    how: tuple[Axis, Styles],
    forks: pd.DataFrame,
) -> list[go.Scatter]:
    """Return one trace per line of the panel, with hollow dots where threads shared cores."""
    axis, styles = how
    column = swept.responses[0].column
    groups = {
        make_setting(key): rows
        for key, rows in panel.dropna(subset=[column]).groupby(layout.keys, dropna=False)
    }
    traces, names, marked = [], layout.name_lines(swept), layout.mark_lines(swept)
    for number, (key, name) in enumerate(names.items()):
        if key not in groups:
            continue
        rows = groups[key]
        shift = axis.spread * ((number + 0.5) / len(names) - 0.5)
        symbol = SYMBOLS.get(marked[key], "circle")
        at = [axis.place(value) + shift for value in rows[layout.along]]
        traces.append(
            go.Scatter(
                x=at,
                y=rows[column],
                mode="markers",
                name=name,
                legendgroup=name,
                text=[describe_fork(row) for row in forks.loc[rows.index].to_dict("records")],
                hoverinfo="text",
                marker={
                    "symbol": [f"{symbol}-open" if s else symbol for s in rows["oversubscribed"]],
                    "color": styles[key][0],
                    "size": 8,
                },
            )
        )
    return traces


FILE, REMARK, SESSION = "file", "remark", "session"
WEAKNESSES = ["oversubscribed", "kinds", "too_short", "disturbed", "settled"]
"""Columns that `describe_weakness` reads."""


def tabulate_forks(run: Run, swept: Swept) -> pd.DataFrame:
    """Return one row per fork, with the index of `swept.forks`.

    The columns are the parameters varied, the responses to four digits, the session, a remark if
    the fork is weak, and its file in the run's folder.
    """
    forks = swept.forks
    points = {point.key: point for point in run.points}
    table = pd.DataFrame(
        {name: [format_value(value) for value in forks[name]] for name in swept.varied},
        index=forks.index,
    )
    for response in swept.responses:
        table[response.axis] = [round_digits(value) for value in forks[response.column]]
    table[SESSION] = forks["session"].astype(int)
    table[REMARK] = ""
    # Forks that are weak in the same way have the same remark.
    signs = forks.assign(disturbed=forks["disturbed"] != "").reindex(columns=WEAKNESSES)
    for _, alike in signs.groupby(WEAKNESSES, dropna=False, sort=False):
        remark = describe_weakness(forks.loc[alike.index[:1]]).replace("1 of 1 forks ", "")
        table.loc[alike.index, REMARK] = remark
    table[FILE] = [
        f"forks/{points[row.point].fork_name(row.fork, row.again)}.json"
        for row in forks.itertuples()
    ]
    return table


def round_digits(value: float) -> float | None:
    """Return the value to four significant digits; None if it is missing."""
    return None if pd.isna(value) else float(f"{value:.4g}")


def describe_fork(row: dict) -> str:
    """Return a fork's known values, one per line, for the note at its dot."""
    known = {name: value for name, value in row.items() if not pd.isna(value) and value != ""}
    return "<br>".join(f"{name}: {value}" for name, value in known.items())
