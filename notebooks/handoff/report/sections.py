"""What a paper says about one study: introduction, readings, judged claims, sentences."""

import json

from handoff.analysis.forks import compute_fork_means
from handoff.claims.files import load_claim_files
from handoff.claims.report import ClaimsReport
from handoff.paths import NOTEBOOKS
from handoff.registry import find_study
from handoff.report.claim_rows import group_untestable, tabulate_claims
from handoff.run.store.run import Run
from handoff.tables import tidy


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
        "question": question[:1].upper() + question[1:],
        "about": plain or [""],
        "diagram": rest.partition("```")[0].strip("\n"),
    }


def describe_readings(claims: ClaimsReport, study: str) -> dict:
    """Return each claim's verdict under each reading, and what belongs together.

    The table is None where there is one reading.
    """
    if study not in load_claim_files():
        return {"readings": None, "joint": [], "drift": []}
    table = claims.readings(study)
    several = table.columns.size > 2
    columns = {"head": table.columns.tolist()}
    rows = [{"claim": claim, "verdicts": list(row)} for claim, *row in table.itertuples()]
    return {
        "readings": columns | {"rows": rows} if several else None,
        "joint": claims.joint(study) if several else [],
        "drift": claims.drift(study),
    }


def build_section(run: Run, claims: ClaimsReport, study: str) -> dict:
    """Return what the paper says about another study; `source` is '' if it has no claims."""
    file = load_claim_files().get(study)
    rows = tabulate_claims(claims, study) if file else []
    sizes = sorted(
        {
            (int(p.params["events"]), p.shots, p.warmup)
            for p in run.points
            if p.study == study and not p.unavailable
        }
    )
    return {
        **read_introduction(study),
        "study": study,
        "title": find_study(study).title or study,
        "source": file.source if file else "",
        "sizes": [dict(zip(("events", "shots", "warmup"), size, strict=True)) for size in sizes],
        "sentences": find_study(study).list_sentences(
            compute_fork_means(tidy.load_table(run, study))
        ),
        "verdicts": claims.verdicts(study),
        "claims": [row for row in rows if row["judged"] or row["forced"]],
        "untestable": group_untestable(rows),
        "summary": claims.summary(study),
        **describe_readings(claims, study),
        "shown": claims.shown(study),
    }
