"""Step-throughs: states that a notebook shows one at a time, and lists in words."""

import html
from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """Labelled row of cells; `marked` are the indices of those that the step is about."""

    label: str
    cells: Sequence[str]
    marked: Sequence[int] = ()


class State(NamedTuple):
    """One step in words, and the state after it."""

    words: str
    rows: Sequence[Row] = ()


SCRIPT = """
const [back, next, words] = ['back', 'next', 'words'].map(id => document.getElementById(id));
const tables = [...document.querySelectorAll('table')];
let now = 0;
const go = by => {
  now = Math.min(tables.length - 1, Math.max(0, now + by));
  tables.forEach((table, i) => { table.hidden = i !== now; });
  words.textContent = tables[now].dataset.words;
  back.disabled = now === 0;
  next.disabled = now === tables.length - 1;
};
back.onclick = () => go(-1);
next.onclick = () => go(1);
document.onkeydown = event => {
  const by = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
  if (by) { go(by); event.preventDefault(); }
};
go(0);
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

PAGE = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><style>{STYLE}</style></head>
<body><button id="back">Back</button> <button id="next">Next</button> or the arrow keys
<p id="words" aria-live="polite"></p>%s<script>{SCRIPT}</script></body></html>"""


class Steps:
    """Step-through in a sandboxed frame, followed by the same steps as a folded list.

    The list is all that an untrusted copy of the notebook shows.
    """

    def __init__(self, title: str) -> None:
        self.title, self.states = title, list[State]()

    def add(self, words: str, *rows: Row) -> None:
        """Add a step: what happens, and the state after it."""
        self.states.append(State(words, rows))

    def __repr__(self) -> str:
        lines = [f"{number}. {describe_state(s)}" for number, s in enumerate(self.states, 1)]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        title, height = html.escape(self.title), 150 + 34 * max(len(s.rows) for s in self.states)
        items = "".join(f"<li>{html.escape(describe_state(state))}</li>" for state in self.states)
        return (
            f'<p><b>{title}</b></p><iframe title="{title}" sandbox="allow-scripts" tabindex="0"'
            f' style="width:100%;border:1px solid #777;height:{height}px"'
            f' srcdoc="{html.escape(self.page)}"></iframe>'
            f"<details><summary>All steps in words</summary><ol>{items}</ol></details>"
        )

    @property
    def page(self) -> str:
        """HTML page inside the frame."""
        number = len(self.states)
        tables = [
            format_table(f"Step {i} of {number}: {state.words}", state.rows)
            for i, state in enumerate(self.states, 1)
        ]
        return PAGE % "".join(tables)


def format_table(words: str, rows: Sequence[Row]) -> str:
    """Return an HTML table; marked cells are bold and framed, not only coloured."""
    parts = []
    for row in rows:
        cells = "".join(
            f"<td{' class=marked' if i in row.marked else ''}>{html.escape(cell)}</td>"
            for i, cell in enumerate(row.cells)
        )
        parts.append(f'<tr><th scope="row">{html.escape(row.label)}</th>{cells}</tr>')
    return f'<table data-words="{html.escape(words)}" hidden>{"".join(parts)}</table>'


def describe_state(state: State) -> str:
    """Return a state in words, such as 'Claims place 3. [ring: a, b, (c)]', (c) being marked."""
    rows = [
        f"{row.label}: "
        + ", ".join(f"({cell})" if i in row.marked else cell for i, cell in enumerate(row.cells))
        for row in state.rows
    ]
    return " ".join([state.words, *(f"[{text}]" for text in rows)])
