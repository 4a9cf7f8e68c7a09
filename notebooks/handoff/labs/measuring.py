"""A lab's sweep, measured by the ordinary runner, with its cost and the time left said in a
notebook or a terminal.
"""

from collections.abc import Callable

from handoff.errors import BadInput
from handoff.files import write_text
from handoff.labs import ownclass
from handoff.labs.sweeps import make_sweep
from handoff.labs.work import MEASURED, RUNS, Work
from handoff.run import cost, order, planning
from handoff.run.host import lock, readiness
from handoff.run.host.machine import describe_machine
from handoff.run.java import jar, jdk
from handoff.run.java.command import locate_classes
from handoff.run.progress import make_label
from handoff.run.runner import measure_run
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.text import pluralize

Tell = Callable[[str, bool], None]
"""Called with a line, and whether it takes the place of the last one of its kind."""


def tell_plainly(line: str, again: bool) -> None:
    """Each line as a line."""
    print(line, flush=True)


def measure_lab(work: Work, tell: Tell = tell_plainly) -> Run:
    """Measures what is missing of the lab's sweep for this prediction, and returns the run.

    BadInput before there is a prediction, and on a machine where measuring would say nothing.
    """
    prediction, java = work.require(), jdk.find_jdk()
    lock.queue_for_machine()
    with lock.hold_lock(f"measuring lab {work.lab.number}"):
        if jar.build_jar(java):
            tell("Built the jar.", False)
        asked = make_sweep(work.lab, prediction, work.ticket, provide_own(work, java))
        require_own_machine(describe_machine(jar.query_topology(java)))
        planner = planning.LocalPlanner(java)
        run = planning.prepare_run(asked, planner, work.folder / RUNS, create=True)
        for finding in readiness.list_findings(asked.sweep):
            if finding.ready is False:
                tell(f"Not ready: {finding.sentence}", False)
        measure_missing(run, work, tell)
    tidy.write_tables(run)
    return run


def provide_own(work: Work, java: jdk.Jdk) -> str | None:
    """The student's own class, compiled; None in a lab without one. BadInput where it is not
    written, cannot be compiled, or breaks a rule.
    """
    answer = work.lab.own_class
    if answer is None:
        return None
    source = work.read_answer(answer)
    if source is None:
        raise BadInput(f"Write it first: a cell that begins with %%answer {answer.name}.")
    word = ownclass.provide_class(java, source)
    if fault := ownclass.find_fault(java, locate_classes(word)):
        raise BadInput(f"It is not measured yet, for {fault}.")
    write_text(work.folder / MEASURED, word + "\n")
    return word


def require_own_machine(machine: dict) -> None:
    """BadInput where others' work would be measured along: shipped forks can be read there."""
    quota = machine["topology"].get("quota")
    where = "Binder" if readiness.is_binder() else "a container with a CPU quota" if quota else ""
    if where:
        raise BadInput(
            f"This is {where}: what is measured here would be the others' work too, so the lab"
            " measures nothing. Measure on a machine of your own; the parts that read shipped forks"
            " work here."
        )


def measure_missing(run: Run, work: Work, tell: Tell) -> None:
    """Says what it costs, and after each fork what is left."""
    found = state.scan_run(run, move=True)
    pending = order.list_pending(run, found)
    if not pending:
        tell(f"All {len(run.tasks())} forks are there.", False)
        return
    costs = cost.CostModel(run.folder.parent, run.machine["id"])
    left = sum(costs.fork_seconds(task.point) for task in pending)
    tell(
        f"{pluralize(len(pending), 'fork')}, about {cost.format_duration(left)}. Interrupt at any"
        " time: measuring again goes on. Leave the machine alone meanwhile.",
        False,
    )
    label = make_label(run.points)
    ended = measure_run(run, f"lab {work.lab.number}")
    for done, (task, outcome) in enumerate(ended, start=1):
        left -= costs.fork_seconds(task.point)
        said = f", failed: {outcome.wrong}" if outcome.wrong else ""
        tell(
            f"{done} of {len(pending)} forks, {cost.format_duration(max(0, left))} left:"
            f" {label(task.point)}{said}",
            True,
        )
    missing = run.missing()
    if missing:
        tell(f"{pluralize(len(missing), 'fork')} failed: measure again.", False)
