"""Step-throughs: a list of states, shown one at a time in a notebook, and all of them in words."""

import html
import json
from collections.abc import Sequence
from typing import NamedTuple

BACK, FORWARD = "Back", "Next"


class Row(NamedTuple):
    """A labelled row of cells; `marked` are the places of those that the step is about."""

    label: str
    cells: Sequence[str]
    marked: Sequence[int] = ()


class State(NamedTuple):
    """One step: what happens, in words, and how things stand then."""

    words: str
    rows: Sequence[Row] = ()


SCRIPT = """
const states = %s;
let now = 0;
const show = () => {
  document.getElementById('rows').innerHTML = states[now].rows;
  document.getElementById('words').textContent =
    'Step ' + (now + 1) + ' of ' + states.length + ': ' + states[now].words;
  document.getElementById('back').disabled = now === 0;
  document.getElementById('next').disabled = now === states.length - 1;
};
const go = by => { now = Math.min(states.length - 1, Math.max(0, now + by)); show(); };
document.getElementById('back').onclick = () => go(-1);
document.getElementById('next').onclick = () => go(1);
document.onkeydown = event => {
  const by = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
  if (by) { go(by); event.preventDefault(); }
};
show();
"""

STYLE = """
body { font: 15px sans-serif; margin: 8px; color: #111; background: #fff; }
td, th { border: 1px solid #777; padding: 3px 8px; min-width: 2em; text-align: center; }
th { text-align: left; border: 0; font-weight: normal; }
td.marked { font-weight: bold; border: 3px solid #111; background: #ffe9b3; }
button { font-size: 15px; padding: 4px 12px; }
button:focus { outline: 3px solid #0072B2; }
#words { min-height: 3.2em; }
"""

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>{style}</style></head><body>
<button id="back">{back}</button> <button id="next">{forward}</button> or the arrow keys
<p id="words" aria-live="polite"></p><div id="rows"></div>
<script>{script}</script></body></html>"""


class Steps:
    """Buttons and arrow keys in a frame that cannot touch the notebook, followed by the same steps
    as a list, which is all that an untrusted copy keeps.
    """

    def __init__(self, title: str, states: Sequence[State]) -> None:
        self.title, self.states = title, states

    def __repr__(self) -> str:
        lines = [f"{number}. {describe_state(each)}" for number, each in enumerate(self.states, 1)]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        frame = (
            f'<iframe title="{html.escape(self.title)}" sandbox="allow-scripts" tabindex="0"'
            f' style="width:100%;border:1px solid #777;height:{self.height}px"'
            f' srcdoc="{html.escape(self.page)}"></iframe>'
        )
        items = "".join(f"<li>{html.escape(describe_state(each))}</li>" for each in self.states)
        return (
            f"<p><b>{html.escape(self.title)}</b></p>{frame}"
            f"<details open><summary>The same in words</summary><ol>{items}</ol></details>"
        )

    @property
    def height(self) -> int:
        """Of the frame, in pixels."""
        return 150 + 34 * max((len(state.rows) for state in self.states), default=0)

    @property
    def page(self) -> str:
        """The frame's own page."""
        states = [{"words": each.words, "rows": format_rows(each.rows)} for each in self.states]
        # '</script>' inside would end the script.
        content = json.dumps(states).replace("</", "<\\/")
        return PAGE.format(
            title=html.escape(self.title),
            style=STYLE,
            script=SCRIPT % content,
            back=BACK,
            forward=FORWARD,
        )


def format_rows(rows: Sequence[Row]) -> str:
    """A table in HTML; what is marked is bold and framed, not coloured alone."""
    parts = []
    for row in rows:
        cells = "".join(
            f"<td{' class=marked' if i in row.marked else ''}>{html.escape(cell)}</td>"
            for i, cell in enumerate(row.cells)
        )
        parts.append(f'<tr><th scope="row">{html.escape(row.label)}</th>{cells}</tr>')
    return f"<table>{''.join(parts)}</table>"


def describe_state(state: State) -> str:
    """'the producer claims place 3. ring: a, b, (c)': what is marked stands in brackets."""
    rows = [
        f"{row.label}: "
        + ", ".join(f"({cell})" if i in row.marked else cell for i, cell in enumerate(row.cells))
        for row in state.rows
    ]
    return " ".join([state.words, *(f"[{text}]" for text in rows)])
