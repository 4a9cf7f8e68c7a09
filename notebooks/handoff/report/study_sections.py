"""What the paper says of the studies beside its own, those that the run measured."""

from handoff.analysis.forks import compute_fork_means
from handoff.claims import verdict_table
from handoff.claims.report import ClaimsReport
from handoff.registry import find_study
from handoff.run.store import Run
from handoff.tables.tidy import load_table


def build_section(run: Run, claims: ClaimsReport, study: str) -> dict:
    """The sizes of its shots, sentences, and what its claims come to; without a source, and so
    without claims, `source` is ''.
    """
    file = verdict_table.load_claim_files().get(study)
    sizes = sorted(
        {
            (int(p.params["events"]), p.shots, p.warmup)
            for p in run.points
            if p.study == study and not p.unavailable
        }
    )
    return {
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
