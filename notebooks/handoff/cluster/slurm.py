"""Workers as jobs of Slurm."""

import contextlib
import shlex
import shutil
import subprocess
from pathlib import Path

from handoff.cluster.clusterfile import Cluster, write_command
from handoff.cluster.connection import FILE
from handoff.errors import BadInput

ANSWER_S = 60


class SlurmJobs:
    """One array of jobs, one whole node each; surplus jobs wait to replace one that ends."""

    def __init__(self, cluster: Cluster, group: str, folder: Path) -> None:
        self.cluster, self.group, self.folder = cluster, cluster.groups[group], folder
        self.job = ""

    def start(self) -> list[str]:
        nodes = self.group.nodes or 1
        last = nodes + self.group.replacements * nodes - 1
        named = {
            "partition": self.group.partition,
            "account": self.group.account,
            "time": self.group.time,
            "constraint": self.group.constraint,
        }
        command = ["sbatch", "--parsable", f"--job-name=handoff-{self.folder.name}"]
        command += [f"--array=0-{last}%{nodes}", "--nodes=1", "--ntasks=1", "--exclusive"]
        command += ["--mem=0", f"--output={self.folder}/%a.log", "--open-mode=append"]
        command += [f"--{name}={value}" for name, value in named.items() if value]
        connection = shlex.quote(str(self.folder / FILE))
        script = f"#!/bin/sh\n{write_command(self.cluster, connection)}\n"
        try:
            answer = run_tool([*command, *self.group.options], script)
        except BadInput as refused:
            size = f"the request: {last + 1} array elements, nodes x (1 + replacements)"
            raise BadInput(f"{refused} ({size})") from None
        self.job = answer.partition(";")[0]
        return [self.job]

    def find_problem(self) -> str:
        try:
            if run_tool(["squeue", "--noheader", "--jobs", self.job, "--format=%T"]):
                return ""
        except BadInput as failed:
            # Slurm forgets a job some minutes after its end; other errors may be temporary.
            if "Invalid job id" not in str(failed):
                return ""
        return f"all jobs of Slurm's {self.job} have ended{quote_logs(self.folder)}"

    def cancel(self) -> None:
        if self.job:
            cancel_slurm([self.job])


def cancel_slurm(jobs: list[str]) -> None:
    """Cancel jobs; those that have already ended are ignored."""
    if jobs and shutil.which("scancel"):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(["scancel", *jobs], capture_output=True, timeout=ANSWER_S)


def quote_logs(folder: Path) -> str:
    """Return ': ' and the last line of the last log, or ''."""
    logs = sorted(folder.glob("*.log"), key=lambda log: log.stat().st_mtime)
    lines = [line for log in logs for line in log.read_text(errors="replace").splitlines() if line]
    return f": {lines[-1][:300]}" if lines else ""


def run_tool(command: list[str], stdin: str = "") -> str:
    """Return the output of a command of Slurm; raise BadInput with its error message."""
    try:
        ended = subprocess.run(
            command, input=stdin, capture_output=True, text=True, timeout=ANSWER_S
        )
    except FileNotFoundError:
        raise BadInput(
            f"{command[0]} was not found: does this host belong to a Slurm cluster?"
        ) from None
    except subprocess.TimeoutExpired:
        raise BadInput(f"{command[0]} did not answer within {ANSWER_S} s.") from None
    if ended.returncode != 0:
        raise BadInput(f"{command[0]}: {' '.join(ended.stderr.split())[:300]}")
    return ended.stdout.strip()
