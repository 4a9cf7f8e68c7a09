"""Measure one fork: one call of the jar for one point, and its acceptance."""

import errno
import json
import os
import re
import resource
import shutil
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.paths import JAR, display_path
from handoff.run.accept import Rejected, accept_fork, accept_runtime
from handoff.run.host import process
from handoff.run.host.machine import take_snapshot
from handoff.run.java.command import build_command, plan_flags, write_inputs
from handoff.run.java.jdk import Jdk
from handoff.run.plan.points import Point
from handoff.run.plan.settings import Jvm
from handoff.run.store.forkfile import SCHEMA, Evidence, compute_seal

MIN_FREE_BYTES = 2**24
"""Below this, a JVM fails for want of space for temporary files, and so would the next."""


class Job(NamedTuple):
    """One fork to measure, in a form that can be sent; `identity` goes into the fork's file."""

    jvm: Jvm
    point: Point
    identity: dict
    limit_s: float


class Outcome(NamedTuple):
    """The end of a fork, kept in the folder `state`: its file's `content`, or what is `wrong`."""

    state: str
    content: dict | None
    log: str = ""
    wrong: str = ""


def measure_fork(jdk: Jdk, job: Job) -> Outcome:
    """Run one fork; its temporary files are removed however this process ends."""
    point, planned = job.point, plan_flags(job.jvm, job.point, jdk.feature)
    with process.guard_folder("handoff-fork-", find_temporary()) as guarded:
        folder = guarded.folder
        write_inputs(jdk.jar, point, folder)
        before, started, used = take_snapshot(point.cpus), time.monotonic(), children_cpu_seconds()
        command = build_command(jdk, job.jvm, point, folder)
        code = process.run_process(command, guarded, job.limit_s)
        around = {
            "before": before,
            "after": take_snapshot(point.cpus),
            "seconds": round(time.monotonic() - started, 3),
            "used_s": round(children_cpu_seconds() - used, 3),
        }
        try:
            content = read_result(jdk, point, code, folder, job.limit_s, planned)
        except Rejected as rejected:
            if shutil.disk_usage(folder).free < MIN_FREE_BYTES:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder.parent)) from None
            log = (folder / "log.txt").read_text(errors="replace")
            return Outcome("timed-out" if code is None else "failed", None, log, str(rejected))
        content |= {"schema": SCHEMA, "study": point.study, "params": point.params}
        content |= job.identity | around
        return Outcome("forks", content | {"sha256": compute_seal(content)})


def find_temporary() -> Path:
    """Return the folder of forks' temporary files: the system's, or else one of the checkout.

    JNA loads a library from there. Raise BadInput where neither may hold programs.
    """
    system, ours = Path(tempfile.gettempdir()), JAR.with_name("tmp")
    if may_execute(system):
        return system
    ours.mkdir(parents=True, exist_ok=True)
    if may_execute(ours):
        return ours
    raise BadInput(
        f"{system} and {display_path(ours)} are mounted noexec, but a fork loads a library from"
        " its temporary folder: set TMPDIR to a folder on a file system without noexec."
    )


def may_execute(folder: Path) -> bool:
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC


def children_cpu_seconds() -> float:
    """Return the CPU seconds of all descendants that this process has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def read_result(
    jdk: Jdk, point: Point, code: int | None, folder: Path, limit_s: float, planned: list[str]
) -> dict:
    """Return JMH's row and the evidence; raise Rejected if the fork must not be counted."""
    if code is None:
        raise Rejected(f"it was still running after its limit of {limit_s:.0f} s")
    if code != 0:
        raise Rejected(f"the JVM ended with exit code {code}: {find_reason(folder / 'log.txt')}")
    try:
        rows = json.loads((folder / "jmh.json").read_text())
        evidence = json.loads((folder / "evidence.json").read_text())
        proof = Evidence.model_validate(evidence)
        accept_runtime(proof.jvm, jdk.runtime)
        row = accept_fork(point, rows, proof, planned)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Rejected(
            f"its result is not readable ({type(error).__name__}: {str(error).splitlines()[0]})"
        ) from None
    # No folder is named.
    arguments = [arg for arg in row["jvmArgs"] if str(folder) not in arg]
    return {"jmh": row | {"jvm": "java", "jvmArgs": arguments}, "evidence": evidence}


def find_reason(log: Path) -> str:
    """Return the log's most informative line: an exception, Java's refusal, or else the last."""
    text = log.read_text(errors="replace") if log.is_file() else ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.$]+(Exception|Error)(:|$)", line)]
    started = any(line.startswith("# JMH version") for line in lines)
    return (errors or (lines[-1:] if started else lines[:1]) or ["it said nothing"])[0]
