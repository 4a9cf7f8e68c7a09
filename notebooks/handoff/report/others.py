"""What the paper says of the other sources' studies, those that the run measured."""

import pandas as pd

from handoff import tidy
from handoff.judge import actors, executors, latency, results, ring, soft, topologies
from handoff.judge.forks import fork_means
from handoff.report.claims import Claims
from handoff.run.store import Run


def build(run: Run, claims: Claims, study: str) -> dict:
    """The sizes of its shots, sentences, and what its claims come to."""
    sizes = sorted({(int(p.params["events"]), p.shots, p.warmup) for p in run.points if p.study == study and not p.unavailable})
    return {
        "study": study,
        "source": results.files()[study].source,
        "sizes": [dict(zip(("events", "shots", "warmup"), size, strict=True)) for size in sizes],
        "sentences": sentences(study, fork_means(tidy.load(run, study))),
        "verdicts": claims.verdicts(study),
        "summary": claims.summary(study),
        "divided": claims.divided(study),
        "shown": claims.shown(study),
    }


def sentences(study: str, forks: pd.DataFrame) -> list[str]:
    """What a reader of the figures must know: the clock and the recorder, what part of a lead is accounting, what one choice changes."""
    if forks.empty:
        return []
    match study:
        case "actors":
            return [*soft.in_words(forks), *actors.in_words(forks)]
        case "executors":
            return executors.VARIED.in_words(forks)
        case "latency":
            return [latency.clock(forks), latency.recorder(forks)]
        case "ring":
            return ring.in_words(forks)
        case "topologies":
            return topologies.in_words(topologies.accounting(topologies.baseline(forks)))
    return []
