"""Web site of a run: a folder with its papers and executed notebooks.

Any file server can publish it; it loads nothing from elsewhere.
"""

import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path

from jinja2 import DictLoader
from nbconvert import HTMLExporter

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.paths import PAPER, display_path, generated_folder
from handoff.run.store.run import Run
from handoff.web.document import POLICY

TEMPLATE = "offline.html.j2"
OFFLINE = {
    TEMPLATE: """\
{%- extends 'lab/index.html.j2' -%}
{%- block html_head_js -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
"""
}
"""JupyterLab's page without the scripts that it would load, which these notebooks do not need."""

SITE = "site"


def build_site(run: Run) -> Path:
    """Write generated/<run>/site/ again and return it; raise BadInput if the run has no pages."""
    folder = generated_folder(run.folder)
    notebooks = sorted((folder / "notebooks").glob("*.ipynb"))
    papers = sorted(folder.glob("*.html"))
    if not notebooks or not papers:
        raise BadInput(
            f"{display_path(folder)} has no pages yet: ./run_all.sh {run.folder.name} makes them."
        )
    site = folder / SITE
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir()
    exporter = HTMLExporter(extra_loaders=[DictLoader(OFFLINE)], template_file=TEMPLATE)
    for notebook in notebooks:
        text, _ = exporter.from_filename(str(notebook))
        write_text(site / f"{notebook.stem}.html", text.replace("<head>", f"<head>{POLICY}", 1))
    papers += sorted(folder.glob("*.pdf"))
    for paper in papers:
        shutil.copyfile(paper, site / paper.name)
    links = {
        "Papers": [paper.name for paper in papers],
        "Executed notebooks": [f"{notebook.stem}.html" for notebook in notebooks],
    }
    write_text(site / "index.html", "\n".join(write_index(run, links)))
    return site


def write_index(run: Run, links: dict[str, list[str]]) -> Iterator[str]:
    """Yield the lines of the index page, which lists the files of `links` below each heading."""
    title = f"Handoff: {run.folder.name}"
    yield f'<!DOCTYPE html><html lang="en"><head>{POLICY}<meta charset="utf-8">'
    yield f"<title>{escape(title)}</title>"
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>{(PAPER / 'page.css').read_text(encoding='utf-8')}</style></head><body><main>"
    yield f"<h1>{escape(title)}</h1><p>{escape(run.title())}</p>"
    for head, names in links.items():
        yield f"<h2>{head}</h2><ul>"
        yield from (f'<li><a href="{escape(n)}">{escape(n)}</a></li>' for n in names)
        yield "</ul>"
    yield "</main></body></html>"
