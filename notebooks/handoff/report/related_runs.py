"""Other runs of the same machine that the paper quotes: sensitivity, warm-up, JDKs, decisions."""

from handoff.report import jdks
from handoff.run.store.related import find_related
from handoff.run.store.run import Run
from handoff.studies.ladder import order
from handoff.studies.scaling import paper
from handoff.tables import tidy

PROFILES = {
    "sensitivity": paper.summarize_sensitivity,
    "warmup": paper.summarize_warmup,
    jdks.PROFILE: jdks.describe_jdks,
    order.PROFILE: order.name_run,
}
"""What numbers.json has of a run, by profile."""


def list_quoted_forks(related: dict[str, Run | None]) -> dict[str, list]:
    """Return the forks of the quoted runs, which show whether a quotation is still current."""
    return {run.folder.name: tidy.list_forks(run) for run in related.values() if run}


def build_related(run: Run) -> dict:
    """Return what is quoted by profile, None without such a run, and the quoted `forks`."""
    related = find_related(run, PROFILES)
    quoted = {name: other and PROFILES[name](other) for name, other in related.items()}
    return {"forks": list_quoted_forks(related), **quoted}
