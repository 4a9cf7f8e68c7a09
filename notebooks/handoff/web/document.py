"""HTML pages made from the Typst sources of the PDFs.

A page adds charts of every fork and tables that can be sorted and searched; all scripts are inside.
"""

import base64
from html import escape
from importlib.resources import files
from pathlib import Path

import itables
from bs4 import BeautifulSoup, Tag
from plotly.offline import get_plotlyjs

from handoff.analysis.swept import load_swept
from handoff.draw.left_out import describe_left_out
from handoff.draw.swept_layout import MOST_FIGURES, plan_figures
from handoff.files import write_text
from handoff.paths import PAPER, generated_folder
from handoff.report.papers import SWEEP_SOURCE, compile_source, list_sources
from handoff.run.store.run import Run
from handoff.web.charts import PANEL_WIDTH, draw_chart, tabulate_forks

STYLE, SCRIPT = PAPER / "page.css", PAPER / "page.js"
FEWEST_ROWS = 6
"""Least number of rows for which a table can be sorted and searched."""

POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src'
    " 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; font-src data:;"
    " base-uri 'none'; form-action 'none'\">"
)
"""What a page may do: run what is inside it, and load nothing."""

CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "showSendToCloud": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d"],
}


def build_pages(run: Run, study: str = "") -> list[Path]:
    """Write generated/<run>/NAME.html for each source; raise BadInput as `list_sources` does."""
    folder, paths = generated_folder(run.folder), []
    for source in list_sources(run, study):
        page = BeautifulSoup(compile_source(source, folder, "html"), "html.parser")
        most = MOST_FIGURES if source.file == SWEEP_SOURCE else 1
        for place in page.select("div.forks"):
            fill_place(place, run, most)
        frame_tables(page)
        add_landmarks(page)
        add_scripts(page)
        assert page.head is not None
        page.head.insert(0, BeautifulSoup(POLICY, "html.parser"))
        paths.append(folder / f"{source.name}.html")
        write_text(paths[-1], str(page))
    return paths


def fill_place(place: Tag, run: Run, most: int) -> None:
    """Put charts of a study's forks, and their table, where the source leaves room for them."""
    swept = load_swept(run, str(place["data-study"]))
    if swept.forks.empty or not swept.responses:
        place.decompose()
        return
    study, forks = swept.study, tabulate_forks(run, swept)
    title = study.title or study.name
    hollow = " Hollow: threads share cores." if swept.forks["oversubscribed"].any() else ""
    parts = []
    for number, layout in enumerate(plan_figures(swept)[:most]):
        chart = draw_chart(swept, layout, forks).to_html(
            full_html=False,
            include_plotlyjs=False,
            div_id=f"chart-{study.name}-{number}",
            config=CONFIG,
        )
        width = len(layout.list_columns(swept)) * PANEL_WIDTH
        drawn = describe_left_out(study, layout.select(swept), swept.forks)
        words = escape(f"Forks of {title}, along {layout.along}. {drawn}".strip())
        parts.append(
            f'<figure><div class="wide" tabindex="0" role="group" aria-label="{words}"><div'
            f' style="min-width:{width}px">{chart}</div></div>'
            f"<figcaption>{words}{hollow} Each dot shows its values and its file, as the"
            " table below does.</figcaption></figure>"
        )
    table = forks.to_html(
        index=False, border=0, na_rep="", classes="long", float_format=lambda v: f"{v:,.10g}"
    )
    summary = escape(f"All {len(forks)} forks of {title}, each with its file")
    parts.append(f"<details><summary>{summary}</summary>{table}</details>")
    place.extend(list(BeautifulSoup("".join(parts), "html.parser").contents))


def frame_tables(page: BeautifulSoup) -> None:
    """Put each table in a frame that scrolls sideways, also by keyboard; mark the long ones."""
    for number, table in enumerate(page.find_all("table"), start=1):
        if table.find("thead") and len(table.select("tbody tr")) >= FEWEST_ROWS:
            table["class"] = " ".join([*table.get_attribute_list("class"), "sorted"])
        frame = {"class": "wide", "tabindex": "0", "role": "group", "aria-label": f"table {number}"}
        table.wrap(page.new_tag("div", attrs=frame))
        for cell in table.select("thead th"):
            cell["scope"] = "col"


def add_landmarks(page: BeautifulSoup) -> None:
    """Wrap the text in `main`, and put an index of its sections before it."""
    assert page.body is not None
    main = page.new_tag("main")
    main.extend(list(page.body.children))
    entries = []
    for number, heading in enumerate(main.find_all(["h2", "h3"]), start=1):
        heading["id"] = heading.get("id") or f"section-{number}"
        words, target = escape(heading.get_text(" ", strip=True)), f"#{heading['id']}"
        entries.append(f'<li class="in-{heading.name}"><a href="{target}">{words}</a></li>')
    index = (
        '<nav aria-label="Sections"><details><summary>Contents</summary>'
        f"<ul>{''.join(entries)}</ul></details></nav>"
    )
    page.body.extend([*BeautifulSoup(index, "html.parser").contents, main])


def add_scripts(page: BeautifulSoup) -> None:
    """Inline style sheets and scripts, so that the page loads nothing."""
    assert page.head is not None
    bundle = files(itables) / "html"
    tables = base64.b64encode((bundle / "dt_bundle.js").read_bytes()).decode()
    start = SCRIPT.read_text(encoding="utf-8")
    start = start.replace("TABLES", f"data:text/javascript;base64,{tables}")
    page.head.extend(
        [
            page.new_tag("style", string=(bundle / "dt_bundle.css").read_text("utf-8")),
            page.new_tag("style", string=STYLE.read_text(encoding="utf-8")),
            page.new_tag("script", string=get_plotlyjs()),
            page.new_tag("script", string=start, attrs={"type": "module"}),
        ]
    )
