"""The node's side: describe itself, plan, and measure a block with the ordinary runner."""

import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from handoff.errors import BadInput, HandoffError
from handoff.files import parse_yaml
from handoff.paths import JAR, NOTEBOOKS, ROOT, STUDIES
from handoff.run import planning
from handoff.run.host import lock
from handoff.run.host.kernel_files import CPU, read_text
from handoff.run.java import jar, jdk
from handoff.run.order import list_pending
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweep import validate_sweep
from handoff.run.runner import measure_run
from handoff.run.store.provenance import list_starts
from handoff.run.store.run import Run, read_run
from handoff.run.store.state import FAILURE_FOLDERS, RunState, Task
from handoff.text import parse_cpus

LOST, REFUSED, VALUE = "lost", "refused", "value"
RETURNED = ("forks", *FAILURE_FOLDERS)
"""Folders of a run whose files a node returns."""


def answer(function: Callable[..., Any], *words: Any) -> tuple[str, Any]:
    """Return VALUE and what a function below returns, or REFUSED and a sentence.

    Nothing is raised, because Dask would have to carry the traceback. First wait for the machine.
    """
    lock.queue_for_machine()
    try:
        return VALUE, function(*words)
    except HandoffError as wrong:
        return REFUSED, str(wrong).splitlines()[0]
    except Exception as wrong:
        return REFUSED, getattr(wrong, "strerror", None) or repr(wrong)[:200]


def hash_checkout() -> str:
    """Return a hash of the package's code and of the jar."""
    digest = hashlib.sha256(jar.hash_jar().encode() if JAR.is_file() else b"")
    for file in [*sorted((NOTEBOOKS / "handoff").rglob("*.py")), STUDIES]:
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()


def find_java() -> jdk.Jdk:
    """Return the JDK; raise BadInput where a driver would install one."""
    if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
        raise BadInput("it has no Java: set java: FOLDER in the cluster's file")
    return jdk.find_jdk()


def describe_node(checkout: str) -> dict[str, Any]:
    """Return name, JDK and machine; raise BadInput where it cannot measure for this driver."""
    if hash_checkout() != checkout:
        raise BadInput("its checkout of Handoff has other code or another jar than this one")
    # The mask of a job on a whole node has no CPU that the kernel isolates.
    isolated = read_text(Path("/", CPU, "isolated"))
    allowed = os.sched_getaffinity(0).union(parse_cpus(isolated) if isolated[:1].isdigit() else [])
    present = os.cpu_count() or 1
    if len(allowed) < present:
        raise BadInput(f"its job has {len(allowed)} of its {present} CPUs: ask for whole nodes")
    java = find_java()
    machine = planning.describe_here(java)
    return {"host": name_host(), "jdk": java.runtime, "feature": java.feature, "machine": machine}


def name_host() -> str:
    return os.environ.get("SLURMD_NODENAME") or platform.node()


def plan_points(profile: str, source: str, text: str) -> dict[str, Any]:
    """Plan the sweep's points on this node, and calibrate work such as NS_2225."""
    request = SweepRequest(profile, source, text, validate_sweep(parse_yaml(text), source))
    points, amounts = planning.LocalPlanner(find_java()).plan(request)
    return {"points": [point.model_dump() for point in points], "amounts": amounts}


def measure_block(
    name: str, files: Mapping[str, str], forks: Sequence[str], command: str
) -> dict[str, Any]:
    """Measure some forks of a run in a scratch folder, and return the files that the runner wrote.

    `files` make the folder `name` a run; `forks` are names of fork files without
    repetitions, which follow. Raise BadInput where this machine is not as the run says.
    """

    def choose(run: Run, scan: RunState) -> list[Task]:
        pending = list_pending(run, scan)
        return [task for task in pending if task.point.fork_name(task.number) in forks]

    with tempfile.TemporaryDirectory(prefix="handoff-block-") as scratch:
        folder = Path(scratch) / name
        (folder / "forks").mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        for _ in measure_run(read_run(folder), command, choose=choose):
            pass
        (start,) = list_starts(folder)
        written = [file for kind in RETURNED for file in sorted((folder / kind).glob("*.*"))]
        return {
            "files": {str(file.relative_to(folder)): file.read_text() for file in written},
            "start": start.read_text(),
        }
