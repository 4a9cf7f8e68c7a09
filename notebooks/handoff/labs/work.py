"""A student's work on one lab, in the folder of the notebook: the prediction, and what followed."""

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tqdm import tqdm

from handoff.errors import BadInput
from handoff.files import read_json, write_json
from handoff.labs import ownclass
from handoff.labs.lab import Lab, check_prediction
from handoff.paths import display_path
from handoff.run import order, planning
from handoff.run.host import lock, readiness
from handoff.run.host.kernel_files import read_quotas
from handoff.run.host.machine import summarize_machine
from handoff.run.java import jar, jdk
from handoff.run.plan.points import make_label
from handoff.run.plan.selection import SweepRequest, select_sweep
from handoff.run.runner import measure_run
from handoff.run.store import state
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy
from handoff.text import pluralize

PREDICTION = "prediction.json"
RUNS = "runs"
PLAN = "plan.json"
TRIALS = "trials.json"

Findings = dict[str, dict[str, str]]
"""The fault that each test found in each subject, or ''."""


class Work:
    """Files of one student for one lab: prediction.json, and runs/ or trials.json.

    `refused` says why what was handed in does not count, or is ''.
    """

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.lab, self.folder, self.refused = lab, folder, ""

    def predict(self, prediction: Mapping[str, Any]) -> None:
        """Write the prediction; raise BadInput if it is invalid, or another was measured with."""
        stated = check_prediction(self.lab, prediction)
        file = self.folder / PREDICTION
        measured = self.run_folders or (self.folder / TRIALS).is_file()
        if measured and file.is_file() and self.require() != stated:
            raise BadInput(
                "You have measured with another prediction, which stays. To start over, move"
                f" {display_path(self.folder)} away."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(file, stated)

    def require(self) -> dict[str, Any]:
        """Return the prediction; raise BadInput before there is one."""
        file = self.folder / PREDICTION
        if not file.is_file():
            raise BadInput("Predict first: nothing is measured before the prediction is on disk.")
        return dict(read_json(file))

    @property
    def run_folders(self) -> list[Path]:
        """Return the folders of runs, the one that was measured last at the end."""
        plans = (self.folder / RUNS).glob(f"*/{PLAN}")
        return [plan.parent for plan in sorted(plans, key=lambda plan: plan.stat().st_mtime)]

    def find_measured(self) -> Any:
        """Return the complete run, or the findings of the trials; raise BadInput without these."""
        if self.refused:
            raise BadInput(f"{self.refused}.")
        self.require()
        trials = self.folder / TRIALS
        found = read_json(trials) if trials.is_file() else self.run_folders
        if len(found) < max(1, len(self.lab.trials)):
            raise BadInput("Nothing is measured yet, or not all: measure first.")
        if isinstance(found, dict):
            return found
        run = read_run(found[-1])
        if missing := run.missing():
            raise BadInput(f"{pluralize(len(missing), 'fork')} missing: measure again.")
        return run

    def make_sweep(self, yours: str = "") -> SweepRequest:
        """Return the lab's sweep with the prediction's changes and the student's class."""
        forks = self.require().get("forks")
        changes = [f"forks.{kind}={forks}" for kind in ("fitting", "oversubscribed") if forks]
        request = select_sweep(str(self.lab.sweep_file), [], changes, yours)
        name = f"lab{self.lab.number}"
        return request._replace(profile=name, source=name)


def measure_lab(work: Work) -> None:
    """Measure the missing forks of the lab's sweep, or make its trials, once it is predicted."""
    work.require()
    require_machine(work.lab)
    java = jdk.find_jdk()
    if work.lab.trials:
        make_trials(work, java)
        return
    lock.queue_for_machine()
    with lock.hold_lock(f"measuring lab {work.lab.number}"):
        jar.build_jar(java)
        request = work.make_sweep(ownclass.provide_own(java) if work.lab.own_class else "")
        planner = planning.LocalPlanner(java)
        run = planning.prepare_run(request, planner, work.folder / RUNS, create=True)
        # This one is measured last, even if it was planned before others.
        (run.folder / PLAN).touch()
        print(f"{summarize_machine(run.machine)}.")
        for finding in readiness.list_findings(request.sweep):
            if finding.ready is False:
                print(f"Not ready: {finding.sentence}")
        measure_missing(run)
    tidy.write_tables(run)


def measure_missing(run: Run) -> None:
    """Measure the missing forks, and show the number done and the time left."""
    pending = order.list_pending(run, state.scan_run(run, move=True))
    print(
        f"{len(pending)} of {pluralize(len(run.tasks()), 'fork')} to measure. Leave the machine"
        " alone meanwhile. You can interrupt, and measure again to continue."
    )
    label, ended = make_label(run.points), measure_run(run, run.identity["profile"])
    for task, outcome in tqdm(ended, total=len(pending), unit="fork", file=sys.stdout):
        if outcome.wrong:
            tqdm.write(f"{label(task.point)} failed: {outcome.wrong}", file=sys.stdout)
    if missing := run.missing():
        print(f"{pluralize(len(missing), 'fork')} failed: measure again.")


def make_trials(work: Work, java: jdk.Jdk) -> None:
    """Make the missing tests, and keep what each finds at once."""
    jar.build_jar(java)
    file = work.folder / TRIALS
    findings = read_json(file) if file.is_file() else {}
    for name in [name for name in work.lab.trials if name not in findings]:
        print(f"{name}, up to a minute ...", flush=True)
        findings[name] = work.lab.trials[name](java)
        write_json(file, findings)
        faulty = ", ".join(subject for subject, fault in findings[name].items() if fault)
        print(f"{name} finds a fault in {faulty or 'none of them'}")


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
    if platform.system() != "Linux":
        reason = "This is not Linux"
    elif not lab.trials and (readiness.is_binder() or read_quotas(jar.HERE)):
        reason = "A measurement on Binder or with a CPU quota would include other users' work"
    else:
        return
    borrow = BORROW if lab.forks_borrowed else ""
    raise BadInput(f"{reason}, so nothing is measured here. {INSTEAD}{borrow}.")
