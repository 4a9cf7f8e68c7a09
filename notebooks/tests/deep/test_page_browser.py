"""The shipped run's page in a real browser: offline, by keyboard, on a telephone, accessible."""

import json
from pathlib import Path

import pytest

from handoff.cli.main import main
from handoff.paths import find_run_folder, generated_folder

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright and chromium")
axe = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")

CHROMIUM = "/usr/bin/chromium"
TELEPHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(params=["handoff", "sweep"])
def page(browser, request):
    """Open the page from disk, and record its requests and errors."""
    context = browser.new_context(offline=True)
    opened = context.new_page()
    opened.requests = []
    opened.errors = []
    opened.on("request", lambda request: opened.requests.append(request.url))
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    folder = generated_folder(find_run_folder("reference"))
    if not (folder / f"{request.param}.html").is_file():
        assert main(["reference"]) == 0
    opened.goto((folder / f"{request.param}.html").as_uri())
    opened.wait_for_selector("div.dt-container", state="attached")
    yield opened
    context.close()


def test_it_loads_nothing_else_and_has_no_errors(page):
    assert [url for url in page.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page.errors == []
    assert page.locator(".js-plotly-plot .scatterlayer .point").count() > 100


def test_a_dot_shows_its_file(page):
    dot = page.locator(".js-plotly-plot .scatterlayer .point").first
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".hoverlayer .hovertext")
    assert "file: forks/" in page.locator(".hoverlayer .hovertext").first.text_content()


def test_tables_sort_and_filter_by_keyboard(page):
    details = page.locator("main details").first
    details.locator("summary").focus()
    page.keyboard.press("Enter")
    assert details.get_attribute("open") is not None
    rows = details.locator("tbody tr")
    before = rows.count()
    details.locator("input[type=search]").focus()
    page.keyboard.type("no such fork")
    page.wait_for_function("() => document.querySelector('details .dt-empty')")
    assert before > 1 and rows.count() == 1
    details.locator("input[type=search]").fill("")
    heads = details.locator("thead th")
    heads.nth(heads.count() - 1).locator("[role=button]").first.focus()
    for order in ("ascending", "descending"):
        page.keyboard.press("Enter")
        page.wait_for_selector(f"details[open] th[aria-sort={order}]")
        shown = details.locator("tbody tr td:last-child").all_text_contents()
        assert shown == sorted(shown, reverse=order == "descending")


def test_a_telephone_scrolls_tables_and_not_the_page(page):
    page.set_viewport_size(TELEPHONE)
    page.wait_for_timeout(500)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= TELEPHONE["width"]


def test_axe_finds_nothing_serious(page):
    source = next(Path(axe.__file__).parent.rglob("axe.min.js"))
    page.evaluate(source.read_text())
    violations = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    serious = [rule for rule in violations if rule["impact"] in ("serious", "critical")]
    summary = [(rule["id"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in serious]
    assert summary == [], json.dumps(summary, indent=1)
