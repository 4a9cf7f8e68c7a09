"""What a paper says about one study: introduction, judged claims, sentences."""

import json

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.claims.claim_rows import describe_untestable, describe_usual
from handoff.claims.files import load_claim_files
from handoff.claims.history import list_history
from handoff.claims.report import ClaimsReport
from handoff.claims.run_judging import describe_judging
from handoff.draw.words import capitalize
from handoff.paths import NOTEBOOKS
from handoff.run.store.run import Run
from handoff.studies.ladder import order
from handoff.studies.scaling.paper import list_sizes
from handoff.study import find_study
from handoff.tables import tidy


def build_section(run: Run, claims: ClaimsReport, study: str) -> dict:
    """Return what the paper says about another study; `source` is '' if it has no claims."""
    file = load_claim_files().get(study)
    rows = claims.claims(study) if file else []
    forks = compute_fork_means(tidy.load_table(run, study))
    return {
        **read_introduction(study),
        "study": study,
        "title": find_study(study).title or study,
        "source": file.source if file else "",
        "sizes": list_sizes(run, study, "events"),
        "sentences": list_sentences(run, study, forks),
        "claims": [row for row in rows if row["judged"] or row["forced"]],
        **describe_claims(run, claims, study, rows),
    }


def list_sentences(run: Run, study: str, forks: pd.DataFrame) -> list[str]:
    """Return a study's sentences; those on the ladder quote another run, too."""
    sentences = find_study(study).list_sentences(forks)
    more = order.describe_order(run, forks) if study == order.STUDY.name else []
    return [*sentences, *more]


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


def describe_claims(run: Run, claims: ClaimsReport, study: str, rows: list[dict]) -> dict:
    """Return what belongs to a study's verdicts; `rows` are those of `claims.claims`."""
    return {
        "judging": describe_judging(run, study) if rows else "",
        "summary": claims.summary(study) if rows else "",
        "usual": describe_usual(study, claims.of(study)) if rows else "",
        "untestable": describe_untestable(rows),
        "drift": claims.drift(study),
        "shown": claims.shown(study),
        "history": list_history([study]),
    }
