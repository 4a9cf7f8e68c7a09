"""From a sweep to the paper: which stages of which run."""

from dataclasses import replace
from pathlib import Path

from handoff.cli import clustered, dry_run, measuring, stages
from handoff.cli.request import BUILD, MEASURE, READING_STAGES, STAGES, RunRequest
from handoff.errors import COMPLETE, BadInput
from handoff.paths import LATEST, SHIPPED, find_latest_run, find_run_folder, locate_run
from handoff.run.host import lock, readiness
from handoff.run.java import jdk
from handoff.run.plan import selection
from handoff.run.store.run import read_run


def run_stages(request: RunRequest) -> int:
    """The stages asked for, of a sweep or of a run that exists, whatever machine it comes from;
    returns the exit code.
    """
    folder = find_run(request.target, request.runs)
    request = replace(request, stages=request.stages or (READING_STAGES if folder else STAGES))
    if folder:
        require_reading_only(folder.name, request)
        return stages.run_reading_stages(read_run(folder), request)
    asked = selection.select_sweep(request.target, request.only, request.sets)
    if request.source:
        # Before hours of measuring, not after.
        from handoff.report.papers import require_source

        require_source(request.source, [study for study, _ in asked.sweep.entries()], asked.source)
    require_measuring(request)
    if request.wait:
        lock.queue_for_machine()
    if request.strict and not request.cluster:
        measuring.require_ready(asked)
    java = jdk.find_jdk()
    if request.cluster and request.stages != (BUILD,):
        return clustered.run_on_cluster(asked, java, request)
    if request.dry_run:
        measuring.build_jar(java, wanted=True)
        return dry_run.print_dry_run(asked, request, java)
    if request.stages == (BUILD,):
        measuring.build_jar(java, wanted=True)
        return COMPLETE
    return stages.run_reading_stages(measuring.provide_run(asked, java, request), request)


def require_measuring(request: RunRequest) -> None:
    """BadInput where nodes would be asked for, and nothing given to them; and where this machine
    would measure, and is not for that.
    """
    measures = MEASURE in request.stages and not request.dry_run
    if measures and not request.cluster:
        readiness.refuse_binder()
    if request.cluster and not (measures or request.dry_run):
        raise BadInput(
            "--cluster belongs to the stage measure; to read a run, give its name:"
            " ./run_all.sh runs lists them."
        )


def find_run(profile: str, runs: Path) -> Path | None:
    """The folder of a run that the word names: the shipped one, the latest, one by name, or one by
    path; None when it names a sweep.
    """
    if profile == SHIPPED:
        return find_run_folder(SHIPPED)
    if profile == LATEST:
        return find_latest_run(runs)
    found = locate_run(Path(profile)) or locate_run(runs / profile)
    return found.resolve() if found else None


def require_reading_only(name: str, request: RunRequest) -> None:
    """BadInput when something is asked of a run that only a sweep can have."""
    measuring = [stage for stage in request.stages if stage not in READING_STAGES]
    if measuring:
        raise BadInput(
            f"{name} is a run, not a sweep: its stages are tidy, figures, paper and html, not"
            f" {measuring[0]}."
        )
    measuring_options = {
        "--only": request.only,
        "--set": request.sets,
        "--dry-run": request.dry_run,
        "--strict": request.strict,
        "--retry-failed": request.retry_failed,
        "--session": request.session,
        "--budget": request.budget_s,
        "--points": request.points,
        "--wait": request.wait,
        "--cluster": request.cluster,
    }
    given = [option for option, value in measuring_options.items() if value]
    if given:
        raise BadInput(f"{name} is a run, not a sweep: {given[0]} belongs to sweeps.")
