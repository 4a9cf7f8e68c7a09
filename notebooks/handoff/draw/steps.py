"""Step-throughs: states that a notebook shows one at a time, and lists in words."""

import html
import json
from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """Labelled row of cells; `marked` are the indices of those that the step is about."""

    label: str
    cells: Sequence[str]
    marked: Sequence[int] = ()


class State(NamedTuple):
    """One step: what happens, in words, and the state after it."""

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
<button id="back">Back</button> <button id="next">Next</button> or the arrow keys
<p id="words" aria-live="polite"></p><div id="rows"></div>
<script>{script}</script></body></html>"""


class Steps:
    """Step-through in a sandboxed frame, followed by the same steps as a folded list.

    The list is all that an untrusted copy of the notebook shows.
    """

    def __init__(self, title: str, states: Sequence[State]) -> None:
        self.title, self.states = title, states

    def __repr__(self) -> str:
        lines = [
            f"{number}. {describe_state(state)}" for number, state in enumerate(self.states, 1)
        ]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        frame = (
            f'<iframe title="{html.escape(self.title)}" sandbox="allow-scripts" tabindex="0"'
            f' style="width:100%;border:1px solid #777;height:{self.height}px"'
            f' srcdoc="{html.escape(self.page)}"></iframe>'
        )
        items = "".join(f"<li>{html.escape(describe_state(state))}</li>" for state in self.states)
        return (
            f"<p><b>{html.escape(self.title)}</b></p>{frame}"
            f"<details><summary>All steps in words</summary><ol>{items}</ol></details>"
        )

    @property
    def height(self) -> int:
        """Height of the frame in pixels."""
        return 150 + 34 * max((len(state.rows) for state in self.states), default=0)

    @property
    def page(self) -> str:
        """HTML page inside the frame."""
        states = [{"words": state.words, "rows": format_rows(state.rows)} for state in self.states]
        # A '</script>' in the content would end the script.
        content = json.dumps(states).replace("</", "<\\/")
        title = html.escape(self.title)
        return PAGE.format(title=title, style=STYLE, script=SCRIPT % content)


def format_rows(rows: Sequence[Row]) -> str:
    """Return an HTML table; marked cells are bold and framed, not only coloured."""
    parts = []
    for row in rows:
        cells = "".join(
            f"<td{' class=marked' if i in row.marked else ''}>{html.escape(cell)}</td>"
            for i, cell in enumerate(row.cells)
        )
        parts.append(f'<tr><th scope="row">{html.escape(row.label)}</th>{cells}</tr>')
    return f"<table>{''.join(parts)}</table>"


def describe_state(state: State) -> str:
    """Return a state in words, such as 'Claims place 3. [ring: a, b, (c)]', (c) being marked."""
    rows = [
        f"{row.label}: "
        + ", ".join(f"({cell})" if i in row.marked else cell for i, cell in enumerate(row.cells))
        for row in state.rows
    ]
    return " ".join([state.words, *(f"[{text}]" for text in rows)])
