"""Add the points and forks of a changed sweep to a run, and measure them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handoff.cli import measuring
from handoff.cli.preparing import announce_run
from handoff.errors import BadInput
from handoff.run import extension, order
from handoff.run.extension import Addition
from handoff.run.host import lock
from handoff.run.java import jdk
from handoff.run.nodes import Backend
from handoff.run.plan import selection
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.terminal import console
from handoff.text import pluralize

NOTHING = "has every point and fork of the sweep"


def measure_addition(
    run: Run,
    asked: selection.SweepRequest,
    java: jdk.Jdk,
    retry_failed: bool,
    deadline: float,
    backend: Backend,
) -> Run:
    """Measure what a sweep has beyond a complete run, with the anchors; return the run."""
    with hold_both(run.folder):
        run = add_points(run, asked, java)
        pending = announce_run(run, backend, retry_failed)
    if pending:
        measuring.measure_pending(run, deadline, backend)
    return measuring.look_again(measuring.judge_anchors(run), deadline, backend)


def add_points(run: Run, asked: selection.SweepRequest, java: jdk.Jdk) -> Run:
    """Return the run with what the sweep adds to it, which is reported."""
    # Calibrating takes half a minute, which a run that may not be extended yet need not cost.
    if not plan_addition(run, asked, java):
        console.print(f"{run.folder.name} {NOTHING}.")
        return run
    added = extension.plan_addition(run, asked, java, calibrate=True)
    run = extension.extend_run(measuring.judge_anchors(run), asked, added)
    console.print(f"Extended by {describe_added(run, added)}.")
    return run


def plan_addition(run: Run, asked: selection.SweepRequest, java: jdk.Jdk) -> Addition:
    """Return what the sweep adds; raise BadInput while forks planned before are missing."""
    measuring.build_jar(java, wanted=True)
    added = extension.plan_addition(run, asked, java)
    if added:
        require_measured(run)
    return added


@contextmanager
def hold_both(folder: Path) -> Iterator[None]:
    """Hold this machine and the run, which another machine may be measuring."""
    with lock.hold_lock(f"extending {folder.name}"), lock.hold_run(folder):
        yield


def require_measured(run: Run) -> None:
    """Raise BadInput while forks that it planned before are missing."""
    if pending := order.list_pending(run, state.scan_run(run)):
        raise BadInput(
            f"{run.folder.name} still misses {pluralize(len(pending), 'fork')}: measure these"
            f" first, ./run_all.sh extend {run.folder.name}."
        )


def describe_added(run: Run, added: Addition) -> str:
    """Return '1 point; 3 anchors: ...; 2 points that the sweep does not have stay'."""
    names = [str(point) for point in run.points if point.key in added.anchors]
    parts = [str(added)]
    parts += [f"{pluralize(len(names), 'anchor')}: {', '.join(names)}"] if names else []
    if added.kept:
        parts.append(f"{pluralize(added.kept, 'point')} that the sweep does not have stay")
    return "; ".join(parts)
