"""Start workers on nodes: by hand, as jobs of Slurm, or over ssh."""

import contextlib
import io
import json
import platform
import shlex
import shutil
import subprocess
import tarfile
import threading
import time
from pathlib import Path

from handoff.cluster.clusterfile import SLURM, SSH, Cluster, quote_folder, write_command
from handoff.cluster.connection import DRIVER, FILE
from handoff.errors import BadInput

ANSWER_S = 60
KEY_FILES = (FILE, "certificate.pem", "key.pem")
RESTART_S, ENDING_S = 2, 5


class Jobs:
    """The workers of one group: here started by hand; a subclass starts and ends them."""

    def __init__(self, cluster: Cluster, group: str, folder: Path) -> None:
        self.cluster, self.group, self.folder = cluster, cluster.groups[group], folder

    def start(self) -> list[str]:
        """Start the workers, or print how; return what to cancel if this driver is killed.

        Raise BadInput when a request is refused.
        """
        if not self.cluster.address:
            path = shlex.quote(str(self.folder / FILE))
            print(f"Start this on every node: {write_command(self.cluster, path)}", flush=True)
        return []

    def find_problem(self) -> str:
        """Return why no worker will arrive any more, or ''."""
        return ""

    def cancel(self) -> None:
        """End all workers; those started by hand end with the scheduler."""


class SlurmJobs(Jobs):
    """One array of jobs, one whole node each; surplus jobs wait to replace one that ends."""

    job = ""

    def start(self) -> list[str]:
        nodes = self.group.nodes or 1
        last = nodes + self.group.replacements * nodes - 1
        command = ["sbatch", "--parsable", f"--job-name=handoff-{self.folder.name}"]
        command += [f"--array=0-{last}%{nodes}", "--nodes=1", "--ntasks=1", "--exclusive"]
        command += ["--mem=0", f"--output={self.folder}/%a.log", "--open-mode=append"]
        named = self.group.model_dump(include={"partition", "account", "time", "constraint"})
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
    if jobs:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(["scancel", *jobs], capture_output=True, timeout=ANSWER_S)


def remove_orphans(connections: Path) -> None:
    """Cancel the jobs of this host's killed drivers, and remove their keys."""
    for file in connections.glob(f"*/{DRIVER}"):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            driver = json.loads(file.read_text())
            here = driver["host"] == platform.node()
            if here and not Path(f"/proc/{int(driver['pid'])}").exists():
                cancel_slurm([str(job) for job in driver["jobs"]])
                shutil.rmtree(file.parent, ignore_errors=True)


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


class SshJobs(Jobs):
    """One ssh process per host, with a worker at the other end, which ends with it."""

    def __init__(self, cluster: Cluster, group: str, folder: Path) -> None:
        super().__init__(cluster, group, folder)
        self.stopping = threading.Event()
        self.running: dict[str, subprocess.Popen] = {}
        self.errors: dict[str, str] = {}
        self.threads: list[threading.Thread] = []

    def start(self) -> list[str]:
        if not shutil.which("ssh"):
            raise BadInput(
                "ssh was not found: install it (Debian: apt-get install openssh-client)."
            )
        for host in self.group.hosts[: self.group.nodes]:
            self.threads.append(threading.Thread(target=self.attend, args=[host], daemon=True))
            self.threads[-1].start()
        return []

    def attend(self, host: str) -> None:
        """Keep one host's worker running; restart it as often as the group allows."""
        for again in range(self.group.replacements + 1):
            if self.stopping.is_set():
                return
            try:
                self.serve(host)
            except OSError as refused:
                self.errors[host] = str(refused.strerror)
            except subprocess.TimeoutExpired:
                self.errors[host] = f"it did not answer within {ANSWER_S} s"
            # A machine that reboots needs minutes.
            self.stopping.wait(RESTART_S * 10**again)

    def serve(self, host: str) -> None:
        """Start a worker and wait until it ends."""
        alive = ["-o", "ConnectTimeout=30", "-o", "ServerAliveInterval=15"]
        ssh = ["ssh", "-o", "BatchMode=yes", *self.group.options, *alive, host]
        folder, clean = quote_folder(str(self.folder)), ""
        if not self.cluster.shared:
            # One folder per host: hosts may share a home, with each other and with the driver.
            folder = quote_folder(f"{self.cluster.folder}/nodes/{self.folder.name}-{host}")
            clean = f"; code=$?; rm -rf {folder}; exit $code"
            unpack = f"umask 077; mkdir -p {folder} && tar -xf - -C {folder}"
            sent = subprocess.run(
                [*ssh, unpack], input=self.pack_keys(), capture_output=True, timeout=ANSWER_S
            )
            if sent.returncode != 0:
                self.errors[host] = sent.stderr.decode(errors="replace").strip()
                return
        if self.stopping.is_set():
            return
        command = write_command(self.cluster, f"{folder}/{FILE}", "--name", host)
        child = subprocess.Popen(
            [*ssh, f"sh -c {shlex.quote(f'({command}){clean}')}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.running[host] = child
        if self.stopping.is_set() and child.stdin:
            child.stdin.close()
        output = (child.stderr or io.BytesIO()).read()
        child.wait()
        self.errors[host] = output.decode(errors="replace").strip()[-300:]

    def pack_keys(self) -> bytes:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for name in KEY_FILES:
                if (self.folder / name).is_file():
                    archive.add(self.folder / name, name)
        return packed.getvalue()

    def find_problem(self) -> str:
        if any(thread.is_alive() for thread in self.threads):
            return ""
        errors = "; ".join(f"{host}: {text}" for host, text in self.errors.items() if text)
        return f"all workers started by ssh have ended{f': {errors}' if errors else ''}"

    def cancel(self) -> None:
        """End all workers by closing their input."""
        self.stopping.set()
        children = list(self.running.values())
        for child in children:
            if child.stdin:
                with contextlib.suppress(OSError):
                    child.stdin.close()
        latest = time.monotonic() + ENDING_S
        for child in children:
            try:
                child.wait(max(0.1, latest - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()


KINDS: dict[str, type[Jobs]] = {SLURM: SlurmJobs, SSH: SshJobs}
"""The class of a scheduler's workers; those of any other scheduler are started by hand."""
