"""The commands gate and compare: judge two sides of one run, or two runs."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handoff.cli import dry_run, measuring, pipeline
from handoff.cli.answers import CompareAnswer, GateAnswer
from handoff.cli.command import Command, add_data, add_json, resolve_path
from handoff.cli.request import (
    BUILD,
    MEASURE,
    RunRequest,
    add_measuring,
    add_set,
    make_request,
    refuse_unused,
)
from handoff.errors import BadInput, Unjudged
from handoff.files import write_text
from handoff.paths import display_path, find_run_folder, generated_folder
from handoff.run import planning
from handoff.run.host import lock, readiness
from handoff.run.java import arms, jdk
from handoff.run.java.jar import hash_jar
from handoff.run.nodes import Backend
from handoff.run.plan import selection
from handoff.run.plan.points import Point
from handoff.run.store.run import Run, read_run
from handoff.text import pluralize

if TYPE_CHECKING:
    from handoff.analysis.arms import ArmComparison
    from handoff.analysis.comparison import Comparison

BASELINE, CANDIDATE = "baseline", "candidate"
MOST = 1000
"""Greatest margin in percent."""


def run_gate(given: argparse.Namespace) -> int:
    """Measure both arms of a sweep, write what they show, and return the exit code."""
    margin, detect = parse_limits(given)
    refuse_unused(given)
    request = make_request(given, stages=(BUILD, MEASURE))
    asked = select_arms(request, given.baseline)
    if not request.dry_run:
        readiness.refuse_binder()
    if request.wait:
        lock.queue_for_machine()
    java = jdk.find_jdk()
    measuring.build_jar(java, wanted=True)
    if given.baseline:
        require_unlike(arms.resolve_arms(asked.sweep, java, asked.source), asked)
    planner = planning.LocalPlanner(java)
    require_judgeable(planner.preview(asked), asked)
    if request.dry_run:
        return dry_run.print_dry_run(asked, request, java)
    run = pipeline.measure(asked, java, request, Backend(planner))
    return report_gate(run, margin, detect, given)


def select_arms(request: RunRequest, baseline: str | None) -> selection.SweepRequest:
    """Return the sweep with its arms: its own, or the given baseline and this checkout's jar."""
    asked = selection.select_sweep(request.target, request.only, request.sets)
    if asked.sweep.arms and baseline:
        raise BadInput(
            f"{asked.source} lists arms, of which the first is the baseline: leave out --baseline."
        )
    if len(asked.sweep.arms) == 1:
        raise BadInput(f"{asked.source}: arms: a gate compares two or more, got one.")
    if asked.sweep.arms:
        return asked
    if not baseline:
        raise BadInput(f"{asked.source} lists no arms: give --baseline a jar or a commit.")
    is_jar = Path(baseline).is_file()
    # A commit is named by its hash, because its branch moves on.
    jar = str(Path(baseline).resolve()) if is_jar else arms.find_commit(baseline) or baseline
    return selection.add_arms(asked, {BASELINE: {"jar": jar}, CANDIDATE: {}})


def require_unlike(resolved: dict[str, jdk.Jdk], asked: selection.SweepRequest) -> None:
    """Raise BadInput if the candidate is the baseline: that would pass after any change.

    A sweep that lists its arms may measure the same thing twice, to see how much it differs.
    """
    jars = {hash_jar(java.jar) for java in resolved.values()}
    if len(jars) == 1:
        raise BadInput(
            f"{asked.source}: baseline and candidate are the same jar (sha256 {jars.pop()[:12]}):"
            " build the candidate, or name another baseline."
        )


def require_judgeable(points: list[Point], asked: selection.SweepRequest) -> None:
    """Raise Unjudged if some point can never be judged, before hours are spent."""
    from handoff.analysis.intervals import MIN_FORKS

    flaws = {
        "left out here": [point for point in points if point.unavailable],
        "of threads that share cores": [point for point in points if point.oversubscribed],
        f"of fewer than {MIN_FORKS} forks": [p for p in points if p.forks < MIN_FORKS],
    }
    for reason, chosen in flaws.items():
        if chosen:
            raise Unjudged(
                f"{asked.source}: a gate cannot judge {pluralize(len(chosen), 'point')} {reason},"
                f" such as {chosen[0]}: nothing was measured. Narrow the sweep with --only or"
                " exclude, or set forks.fitting to 5 or more."
            )


def report_gate(run: Run, margin: float, detect: float, given: argparse.Namespace) -> int:
    """Judge a measured run, write table, JUnit XML and summary, and return the exit code."""
    from handoff.analysis import arms as comparison
    from handoff.report import gate as report
    from handoff.tables import tidy

    tidy.write_tables(run)
    compared = comparison.compare_arms(run, margin, detect)
    print(*compared.describe(margin), sep="\n")
    folder = given.report or generated_folder(run.folder)
    folder.mkdir(parents=True, exist_ok=True)
    csv, junit, summary = (folder / f"gate.{ending}" for ending in ("csv", "xml", "md"))
    compared.rows.to_csv(csv, index=False)
    write_text(junit, report.format_junit(run, compared, margin))
    write_text(summary, report.format_markdown(run, compared, margin))
    for name, path in (("Table", csv), ("JUnit", junit), ("Summary", summary)):
        print(f"{name + ':':9}{display_path(path)}")
    return GateAnswer(
        run=run.folder.name,
        baseline=compared.baseline,
        arms=list(run.sweep.arms),
        table=str(csv),
        junit=str(junit),
        summary=str(summary),
        **summarize_points(compared),
    ).end(given.json)


def compare_runs(given: argparse.Namespace) -> int:
    """Print what changed between two runs and write it as a table; return the exit code."""
    margin, detect = parse_limits(given)
    from handoff.analysis import comparison

    before, after = (
        read_run(find_run_folder(word, given.runs)) for word in (given.before, given.after)
    )
    if before.folder == after.folder:
        raise BadInput(f"{given.before} and {given.after} are the same run.")
    compared = comparison.compare_runs(before, after, margin, detect)
    lines = comparison.describe_comparison(compared, before, after, margin, given.all)
    print(*lines, sep="\n")
    path = generated_folder(after.folder) / f"compared-with-{before.folder.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    compared.rows.to_csv(path, index=False)
    print(f"Table: {display_path(path)}")
    return CompareAnswer(
        before=before.folder.name,
        after=after.folder.name,
        same_kind=not compared.unlike,
        changed=compared.unlike or compared.changed,
        table=str(path),
        **summarize_points(compared),
    ).end(given.json)


def summarize_points(compared: "ArmComparison | Comparison") -> dict[str, Any]:
    """Return what the answers of both commands have: exit code, keys of points, and points."""
    from handoff.analysis.gate import NOT_JUDGED, SLOWER

    rows = compared.rows.astype(object).where(compared.rows.notna(), None)
    slower, not_judged = (
        list(rows.loc[rows["outcome"] == word, "point"]) for word in (SLOWER, NOT_JUDGED)
    )
    return {
        "exit": compared.code,
        "slower": slower,
        "not_judged": not_judged,
        "missing": compared.missing,
        "points": rows.to_dict("records"),
    }


def parse_limits(given: argparse.Namespace) -> tuple[float, float]:
    """Return margin and detectable slowdown as shares; raise BadInput for impossible ones.

    Without --detect, three times the margin, and at least a doubling.
    """
    margin = given.margin
    detect = max(100.0, 3 * margin) if given.detect is None else given.detect
    for name, percent, most in (("margin", margin, MOST), ("detect", detect, 3 * MOST)):
        if not 0 <= percent <= most:
            raise BadInput(f"--{name} is {percent:g}; expected a percentage from 0 to {most:g}.")
    if detect <= margin:
        raise BadInput(f"--detect is {detect:g}; expected more than the margin, {margin:g}.")
    return margin / 100, detect / 100


def add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="BEFORE", help="the run before: its name or folder")
    parser.add_argument("after", metavar="AFTER", help="the run after")
    add_limits(parser)
    parser.add_argument("--all", action="store_true", help="also print what did not change")
    add_json(parser)
    add_data(parser)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the limits that say what counts as slower, and as judged."""
    margin = "how many percent slower a point must be to count (default 5)"
    parser.add_argument("--margin", type=float, default=5.0, metavar="PERCENT", help=margin)
    detect = (
        "a point whose forks would not show such a slowdown is not judged (default 100, or three"
        " times the margin if that is more)"
    )
    parser.add_argument("--detect", type=float, metavar="PERCENT", help=detect)


def add_gate(parser: argparse.ArgumentParser) -> None:
    sweep = "the sweep: a profile or a file; one that lists arms is gated against its first arm"
    parser.add_argument("target", metavar="SWEEP", help=sweep)
    baseline = "what to compare this checkout's jar with: a benchmarks.jar, or a commit to build"
    parser.add_argument("--baseline", metavar="JAR-OR-COMMIT", help=baseline)
    add_limits(parser)
    only = "keep a study, or the points with these values: --only consumers=1"
    parser.add_argument("--only", action="append", default=[], metavar="WHAT", help=only)
    add_set(parser)
    add_measuring(parser)
    folder = "write gate.csv, gate.xml and gate.md there, not into the run's generated folder"
    parser.add_argument("--report", type=resolve_path, metavar="DIR", help=folder)
    add_data(parser)
    add_json(parser)


COMMANDS = {
    "gate": Command(
        "measure a baseline and a candidate in the same blocks; exit code 4: slower, 6: not judged",
        add_gate,
        run_gate,
    ),
    "compare": Command(
        "what changed between two runs; exit code 4: slower, 6: not judged",
        add_compare,
        compare_runs,
    ),
}
