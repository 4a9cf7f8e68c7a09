"""The papers as pages: all in one file that loads nothing, and every fork in it with its file."""

import json
import re

import pytest
import typst
from bs4 import BeautifulSoup

from handoff.analysis.forks import compute_fork_means
from handoff.draw.swept_layout import plan_figures
from handoff.paths import PAPER, generated_folder
from handoff.report import swept
from handoff.studies.scaling.figures import ScalingFigures
from handoff.tables import tidy
from handoff.web import document
from handoff.web.charts import FILE, REMARK, draw_chart, tabulate_forks

from .conftest import save_numbers


@pytest.fixture(scope="module")
def pages(small):
    """Of the shipped run, by name, with two figures: the others are drawn by notebooks."""
    figures = ScalingFigures(small, generated_folder(small.folder))
    figures.page()
    figures.cost()
    save_numbers(small)
    made = document.build_pages(small)
    return {path.stem: BeautifulSoup(path.read_text(), "html.parser") for path in made}


def test_each_pdf_has_a_page_that_loads_nothing_and_is_read_by_keyboard_and_aloud(small, pages):
    assert set(pages) == {"handoff", "sweep"}
    for page in pages.values():
        loaded = [tag.get("src") or tag.get("href") for tag in page.select("[src], link[href]")]
        assert all(address.startswith("data:") for address in loaded)
        assert page.title.string and page.html["lang"] == "en" and page.find("h1")
        styles = "".join(style.text for style in page("style"))
        assert not re.search(r"@import|url\((?![\"']?data:)", styles)
        policy = page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
        assert policy.startswith("default-src 'none'; ") and "http" not in policy
        frames = page.select("div.wide")
        assert frames and all(frame["tabindex"] == "0" and frame["aria-label"] for frame in frames)
        assert all(image.get("alt") for image in page("img"))
        targets = {tag["id"] for tag in page.select("[id]")}
        links = [link["href"] for link in page.select("nav a")]
        assert links and all(link.removeprefix("#") in targets for link in links)
        assert all(cell.get("scope") == "col" for cell in page.select("thead th"))
    first = pages["handoff"].find("img")
    assert first and first.find_previous("h2") is None


def test_every_fork_stands_in_the_page_with_a_file_that_is_there(small, pages):
    studies = {point.study for point in small.points}
    files = {f"forks/{name}.json" for name, _ in tidy.list_forks(small)}
    counted = sum(len(compute_fork_means(tidy.load_table(small, study))) for study in studies)
    for page in pages.values():
        assert {place["data-study"] for place in page.select("div.forks")} == studies
        listed = [cell.text for cell in page.select("table.long tr td:last-child")]
        assert len(listed) == len(set(listed)) == counted and set(listed) <= files


@pytest.mark.parametrize("name", ["handoff", "sweep"])
def test_nothing_of_the_pdf_is_lost_on_the_way_to_the_page(small, pages, name):
    """Typst drops in HTML what it cannot set, with all that is in it."""
    page, words = pages[name], {"folder": str(generated_folder(small.folder)), "study": ""}
    for element, tag in (("table", "table"), ("heading", "h2, h3")):
        asked = typst.query(str(PAPER / f"{name}.typ"), element, root="/", sys_inputs=words)
        own = [found for found in page.select(tag) if not found.find_parent("details")]
        assert len(json.loads(asked)) == len(own)


@pytest.mark.parametrize("study", ["scaling", "counters"])
def test_a_dot_is_a_fork_and_tells_its_value_and_file(small, study):
    sweep = swept.load_swept(small, study)
    forks, layout = tabulate_forks(small, sweep), plan_figures(sweep)[0]
    chart, shown = draw_chart(sweep, layout, forks), layout.select(sweep)
    drawn = {
        text.rpartition("file: ")[2]: value
        for trace in chart.data
        for value, text in zip(trace.y, trace.text, strict=True)
    }
    values = shown[sweep.responses[0].column]
    assert drawn == dict(zip(forks.loc[shown.index, FILE], values, strict=True))
    assert all("session: 1" in text for trace in chart.data for text in trace.text)
    hollow = sum(symbol.endswith("-open") for trace in chart.data for symbol in trace.marker.symbol)
    assert hollow == shown["oversubscribed"].sum()


def test_what_is_weak_in_a_fork_is_said(small):
    sweep = swept.load_swept(small, "scaling")
    forks, shared = tabulate_forks(small, sweep), sweep.forks["oversubscribed"]
    assert forks.loc[shared, REMARK].str.contains("threads share cores").all()
    assert not forks.loc[~shared, REMARK].str.contains("share").any()
