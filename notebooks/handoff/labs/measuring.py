"""Measuring a lab's sweep with the ordinary runner, or making the trials of a lab that has some."""

import platform

from handoff.errors import BadInput
from handoff.files import write_json, write_text
from handoff.labs import ownclass
from handoff.labs.bytecode import NAME
from handoff.labs.lab import Lab
from handoff.labs.work import MEASURED, RUNS, TRIALS, Work
from handoff.run import cost, order, planning
from handoff.run.host import lock, readiness
from handoff.run.host.kernel_files import read_quotas
from handoff.run.host.machine import summarize_machine
from handoff.run.java import jar, jdk
from handoff.run.java.command import locate_classes
from handoff.run.java.ownclass import provide_class
from handoff.run.plan.points import make_label
from handoff.run.plan.selection import SweepRequest, select_sweep
from handoff.run.runner import measure_run
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.text import pluralize

WIDTH = 100
"""Characters of a line that replaces the one before it."""


def report(line: str, end: str = "\n") -> None:
    """Print a line at once, also into a pipe."""
    print(line, end=end, flush=True)


def make_sweep(work: Work, yours: str = "") -> SweepRequest:
    """Return the lab's sweep with the prediction's changes and the student's class."""
    lab = work.lab
    request = select_sweep(str(lab.sweep_file), [], lab.adapt(work.require()), yours)
    return request._replace(profile=f"lab{lab.number}", source=f"lab {lab.number}")


def measure_lab(work: Work) -> None:
    """Measure the missing forks of the lab's sweep, once there is a prediction."""
    work.require()
    require_machine(work.lab)
    java = jdk.find_jdk()
    lock.queue_for_machine()
    with lock.hold_lock(f"measuring lab {work.lab.number}"):
        if jar.build_jar(java):
            report("Built the jar.")
        request = make_sweep(work, provide_own(work, java))
        planner = planning.LocalPlanner(java)
        run = planning.prepare_run(request, planner, work.folder / RUNS, create=True)
        report(f"{summarize_machine(run.machine)}.")
        for finding in readiness.list_findings(request.sweep):
            if finding.ready is False:
                report(f"Not ready: {finding.sentence}")
        measure_missing(run, work)
    tidy.write_tables(run)


def provide_own(work: Work, java: jdk.Jdk) -> str:
    """Compile and judge the student's class, and return its name and hash; '' without one."""
    if not work.lab.own_class:
        return ""
    word = provide_class(java, ownclass.read_source(NAME), NAME)
    _, fault = ownclass.judge_class(java, locate_classes(word))
    if fault:
        raise BadInput(f"It is not measured yet, because {fault}.")
    write_text(work.folder / MEASURED, word + "\n")
    return word


def measure_missing(run: Run, work: Work) -> None:
    """Measure the missing forks, and report each fork and the time left."""
    pending = order.list_pending(run, state.scan_run(run, move=True))
    if not pending:
        report(f"All {len(run.tasks())} forks are measured.")
        return
    costs = cost.CostModel(run.folder.parent, run.machine["id"])
    times = [costs.fork_seconds(task.point) for task in pending]
    report(
        f"{pluralize(len(pending), 'fork')}, about {cost.format_duration(sum(times))}. Leave the"
        " machine alone meanwhile. You can interrupt, and measure again to continue."
    )
    label = make_label(run.points)
    ended = measure_run(run, f"lab {work.lab.number}")
    for done, (task, outcome) in enumerate(ended, start=1):
        failure = f", failed: {outcome.wrong}" if outcome.wrong else ""
        left = cost.format_duration(sum(times[done:]))
        line = f"{done} of {len(pending)} forks, {left} left: {label(task.point)}{failure}"
        # A failure stays on the screen.
        report(f"\r{line:{WIDTH}}", end="\n" if failure else "")
    report("")
    if missing := run.missing():
        report(f"{pluralize(len(missing), 'fork')} failed: measure again.")


def make_trials(work: Work) -> None:
    """Make the missing tests, and keep each test's findings at once."""
    work.require()
    lab, findings = work.lab, work.read_trials()
    require_machine(lab)
    java = jdk.find_jdk()
    jar.build_jar(java)
    for number, (name, test) in enumerate(lab.trials.items(), start=1):
        if name in findings:
            continue
        report(f"{number} of {len(lab.trials)}: {name}, up to a minute ...")
        faults = dict(zip(lab.subjects, test(java, lab.subjects), strict=True))
        findings[name] = faults
        write_json(work.folder / TRIALS, findings)
        faulty = ", ".join(subject for subject, fault in faults.items() if fault)
        report(f"{name} finds a fault in {faulty or 'none of them'}")


INSTEAD = (
    "Measure on a Linux machine of your own (Windows: in WSL 2; macOS: in a Linux VM, which"
    " widens intervals)"
)
BORROW = (
    ", or use forks that come with the package: lab.borrow(), in a terminal ./run_all.sh lab N"
    " borrow"
)


def require_machine(lab: Lab) -> None:
    """Raise BadInput where nothing can be measured, or where other users share the CPUs.

    Trials, which time nothing, only need Linux.
    """
    system = platform.system()
    if system != "Linux":
        name = "macOS" if system == "Darwin" else system
        reason = f"This is {name}, where nothing is measured."
    elif not lab.trials and (readiness.is_binder() or read_quotas(jar.HERE)):
        where = "Binder" if readiness.is_binder() else "a container with a CPU quota"
        reason = (
            f"This is {where}: a measurement here would also measure the other users' work, so the"
            " lab measures nothing."
        )
    else:
        return
    raise BadInput(f"{reason} {INSTEAD}{BORROW if lab.forks_borrowed else ''}.")
