"""Interactive charts with one dot per fork that shows its values and file, and their table."""

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from handoff.analysis.swept import Swept, describe_weakness, make_setting
from handoff.draw.marks import differ_widely
from handoff.draw.swept import View, plan_view
from handoff.draw.swept_layout import Layout, format_value
from handoff.run.store.run import Run

SYMBOLS = {
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
"""Plotly's names of matplotlib's markers, for one marker everywhere; others are circles."""

HEIGHT, PANEL_WIDTH = 420, 210
"""Height, and least width of a panel, in pixels; a narrow page scrolls."""

FILE, REMARK, SESSION = "file", "remark", "session"
WEAKNESSES = ["oversubscribed", "kinds", "too_short", "disturbed", "settled"]
"""Columns that `describe_weakness` reads."""


def draw_chart(swept: Swept, layout: Layout, forks: pd.DataFrame) -> go.Figure:
    """Draw the study's first response along one parameter, one panel per value of another.

    `forks` is the table of `tabulate_forks`, from which each dot has its text.
    """
    response, columns = swept.responses[0], layout.list_columns(swept)
    titles = [f"{layout.columns} {format_value(value)}" for value in columns if value is not None]
    figure = make_subplots(
        1, len(columns), shared_yaxes=True, subplot_titles=titles, horizontal_spacing=0.02
    )
    shown, view = layout.select(swept), plan_view(swept, layout)
    named: set[str] = set()
    for place, value in enumerate(columns, start=1):
        panel = layout.select_panel(shown, value).dropna(subset=[response.column])
        for trace in list_traces(view, panel, response.column, forks):
            trace.showlegend = trace.name not in named
            named.add(trace.name)
            figure.add_trace(trace, row=1, col=place)
    scale_axes(figure, view, shown, response.column)
    figure.update_yaxes(title_text=response.axis, col=1)
    figure.update_layout(
        template="plotly_white",
        height=HEIGHT,
        margin={"l": 70, "r": 40, "t": 90, "b": 50},
        # Beside the panels: above them is the legend.
        modebar={"orientation": "v"},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.1},
        hoverlabel={"align": "left"},
        hovermode="closest",
    )
    return figure


def scale_axes(figure: go.Figure, view: View, shown: pd.DataFrame, column: str) -> None:
    """Set the axes: x as the view says; y is logarithmic or starts at 0."""
    axis = view.axis
    places, labels = zip(*axis.labels, strict=True)
    figure.update_xaxes(tickvals=places, ticktext=labels, title_text=axis.title, range=axis.ends)
    wide = differ_widely(shown[column])
    figure.update_yaxes({"type": "log", "dtick": 1} if wide else {"rangemode": "tozero"})


def list_traces(
    view: View, panel: pd.DataFrame, column: str, forks: pd.DataFrame
) -> list[go.Scatter]:
    """Return one trace per line of the panel, with hollow dots where threads shared cores."""
    groups = {
        make_setting(key): rows for key, rows in panel.groupby(view.layout.keys, dropna=False)
    }
    traces = []
    for number, (key, look) in enumerate(view.looks.items()):
        if (rows := groups.get(key)) is None:
            continue
        shift = view.axis.spread * ((number + 0.5) / len(view.looks) - 0.5)
        symbol = SYMBOLS.get(look.marker, "circle")
        traces.append(
            go.Scatter(
                x=view.axis.locate(rows[view.layout.along]) + shift,
                y=rows[column],
                mode="markers",
                name=look.label,
                legendgroup=look.label,
                text=[describe_fork(row) for row in forks.loc[rows.index].to_dict("records")],
                hoverinfo="text",
                marker={
                    "symbol": [f"{symbol}-open" if s else symbol for s in rows["oversubscribed"]],
                    "color": look.colour,
                    "size": 8,
                },
            )
        )
    return traces


def describe_fork(row: dict) -> str:
    """Return a fork's known values, one per line, for the note at its dot."""
    known = {name: value for name, value in row.items() if not pd.isna(value) and value != ""}
    return "<br>".join(f"{name}: {value}" for name, value in known.items())


def tabulate_forks(run: Run, swept: Swept) -> pd.DataFrame:
    """Return one row per fork, with the index of `swept.forks`.

    The columns are the parameters varied, the responses to four digits, the session, a remark if
    the fork is weak, and its file in the run's folder.
    """
    forks = swept.forks
    points = {point.key: point for point in run.points}
    table = forks[swept.varied].map(format_value)
    for response in swept.responses:
        table[response.axis] = forks[response.column].map("{:.4g}".format, "ignore").astype(float)
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
