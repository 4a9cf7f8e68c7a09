"""What the paper says of the studies beside its own, those that the run measured."""

import json

from handoff.analysis.forks import compute_fork_means
from handoff.claims.files import load_claim_files
from handoff.claims.report import ClaimsReport
from handoff.paths import NOTEBOOKS
from handoff.registry import find_study
from handoff.run.store.run import Run
from handoff.tables.tidy import load_table


def read_introduction(study: str) -> dict:
    """What the study's notebook begins with: `question`, its title's; `about`, paragraphs as plain
    text; and its `diagram`.
    """
    found = sorted(NOTEBOOKS.glob(f"[0-9][0-9]_{study}.ipynb"))
    if not found:
        return {"question": find_study(study).title or study, "about": [""], "diagram": ""}
    text = "".join(json.loads(found[0].read_text(encoding="utf-8"))["cells"][0]["source"])
    words, _, rest = text.partition("```")
    title, *paragraphs = [part.strip() for part in words.split("\n\n") if part.strip()]
    question = title.removeprefix("# ").partition(": ")[2]
    plain = [" ".join(part.replace("*", "").replace("`", "").split()) for part in paragraphs]
    return {
        "question": question[:1].upper() + question[1:],
        "about": plain or [""],
        "diagram": rest.partition("```")[0].strip("\n"),
    }


def build_section(run: Run, claims: ClaimsReport, study: str) -> dict:
    """The sizes of its shots, sentences, and what its claims come to; without a source, and so
    without claims, `source` is ''.
    """
    file = load_claim_files().get(study)
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
        "sentences": find_study(study).list_sentences(compute_fork_means(load_table(run, study))),
        "verdicts": claims.verdicts(study),
        "summary": claims.summary(study),
        "divided": claims.divided(study),
        "shown": claims.shown(study),
    }
