"""What a paper says about one study: introduction, readings, judged claims, sentences."""

import json

from handoff.analysis.forks import compute_fork_means
from handoff.claims.files import load_claim_files
from handoff.claims.report import ClaimsReport
from handoff.draw.words import capitalize
from handoff.paths import NOTEBOOKS
from handoff.registry import find_study
from handoff.report.claim_rows import group_untestable, tabulate_claims
from handoff.run.store.run import Run
from handoff.studies.scaling.paper import list_sizes
from handoff.tables import tidy


def build_section(run: Run, claims: ClaimsReport, study: str) -> dict:
    """Return what the paper says about another study; `source` is '' if it has no claims."""
    file = load_claim_files().get(study)
    rows = tabulate_claims(claims, study) if file else []
    forks = compute_fork_means(tidy.load_table(run, study))
    return {
        **read_introduction(study),
        "study": study,
        "title": find_study(study).title or study,
        "source": file.source if file else "",
        "sizes": list_sizes(run, study, "events"),
        "sentences": find_study(study).list_sentences(forks),
        "claims": [row for row in rows if row["judged"] or row["forced"]],
        **describe_claims(claims, study, rows),
    }


def read_introduction(study: str) -> dict:
    """Return the question, the plain paragraphs and the diagram of the notebook's first cell."""
    notebooks = sorted(NOTEBOOKS.glob(f"[0-9][0-9]_{study}.ipynb"))
    if not notebooks:
        return {"question": find_study(study).title or study, "about": [""], "diagram": ""}
    text = "".join(json.loads(notebooks[0].read_text(encoding="utf-8"))["cells"][0]["source"])
    words, _, rest = text.partition("```")
    title, *paragraphs = [part.strip() for part in words.split("\n\n") if part.strip()]
    question = title.removeprefix("# ").partition(": ")[2]
    plain = [" ".join(part.replace("*", "").replace("`", "").split()) for part in paragraphs]
    return {
        "question": capitalize(question),
        "about": plain or [""],
        "diagram": rest.partition("```")[0].strip("\n"),
    }


def describe_claims(claims: ClaimsReport, study: str, rows: list[dict]) -> dict:
    """Return a study's verdicts, under each reading too, and what belongs to them.

    `rows` are those of `tabulate_claims`. `readings` is None where there is one reading.
    """
    readings: dict | None = None
    drift: list[str] = []
    if study in load_claim_files():
        table, drift = claims.readings(study), claims.drift(study)
        if table.columns.size > 2:
            readings = {
                "head": table.columns.tolist(),
                "rows": [{"claim": c, "verdicts": list(row)} for c, *row in table.itertuples()],
            }
    return {
        "verdicts": claims.verdicts(study),
        "summary": claims.summary(study),
        "untestable": group_untestable(rows),
        "readings": readings,
        "joint": claims.joint(study) if readings else [],
        "drift": drift,
        "shown": claims.shown(study),
    }
