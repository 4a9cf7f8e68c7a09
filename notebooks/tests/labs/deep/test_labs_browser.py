"""Labs in a real browser: from Run All Cells in JupyterLab to what is handed in.

Needs Playwright, which is not in the lock (pip install playwright), and Chromium (Debian: apt-get
install chromium).
"""

import contextlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from handoff.cli.notebook import kernel_environment
from handoff.labs.lab import load_lab
from handoff.paths import NOTEBOOKS

from ..solutions import read_notebook

playwright = pytest.importorskip("playwright.sync_api")

pytestmark = pytest.mark.machine
CHROMIUM = shutil.which("chromium")
PATIENCE_S = 900
START = """
import sys
from pathlib import Path
from handoff.labs import commands
commands.start_jupyter(Path(sys.argv[1]), sys.argv[2])
"""


@contextlib.contextmanager
def serve(folder: Path, number: int) -> Iterator[str]:
    """Start JupyterLab at a lab's notebook with solutions, and yield its address."""
    name = load_lab(number).name
    (folder / name).mkdir()
    nbformat.write(read_notebook(number), folder / name / f"{name}.ipynb")
    command = [sys.executable, "-c", START, str(folder), f"{name}/{name}.ipynb"]
    environment = kernel_environment()
    with subprocess.Popen(
        command, cwd=NOTEBOOKS, stderr=subprocess.PIPE, text=True, env=environment
    ) as child:
        found = (re.search(r"http://127\S+token=\w+", line) for line in child.stderr)
        try:
            yield next(filter(None, found))[0]
        finally:
            child.terminate()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
@pytest.mark.parametrize("number", [1, 6])
def test_a_lab_runs_whole_in_a_browser(java, tmp_path, number):
    saved = tmp_path / load_lab(number).name / "run.zip"
    with serve(tmp_path, number) as address, playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        open_page(page, address)
        page.wait_for_selector(".jp-Notebook", timeout=90_000)
        time.sleep(5)
        page.click("text=Run")
        page.click("text=Run All Cells")
        start = time.monotonic()
        while not saved.is_file():
            assert time.monotonic() - start < PATIENCE_S
            time.sleep(2)
        print(f"lab {number}: {time.monotonic() - start:.0f} s from Run All Cells to run.zip")
        errors = "[data-mime-type*='error'], [data-mime-type*='stderr']"
        assert page.query_selector_all(errors) == []
        require_steps(page)
        browser.close()


def open_page(page, address: str) -> None:
    """Open a page, and retry until the server listens."""
    for _ in range(60):
        try:
            page.goto(address)
            return
        except playwright.Error:
            time.sleep(1)
    raise TimeoutError(address)


def require_steps(page) -> None:
    """Step by button and by key."""
    frame = next(each for each in page.frames if each != page.main_frame)
    # A cell far from what is seen is not laid out, and a button in it not clicked.
    frame.frame_element().evaluate("element => element.scrollIntoView({block: 'center'})")
    assert frame.inner_text("#words").startswith("Step 1 of ")
    frame.click("#next")
    assert frame.inner_text("#words").startswith("Step 2 of ")
    frame.press("body", "ArrowRight")
    assert frame.inner_text("#words").startswith("Step 3 of ")
    frame.press("body", "ArrowLeft")
    assert frame.inner_text("#words").startswith("Step 2 of ")
