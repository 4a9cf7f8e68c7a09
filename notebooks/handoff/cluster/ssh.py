"""Workers at the other end of ssh."""

import contextlib
import io
import shlex
import shutil
import subprocess
import tarfile
import threading
import time
from pathlib import Path

from handoff.cluster.clusterfile import Cluster, quote_folder, write_command
from handoff.cluster.connection import FILE
from handoff.errors import BadInput

KEY_FILES = (FILE, "certificate.pem", "key.pem")
RESTART_S, ANSWER_S = 2, 60
ENDING_S = 5


class SshJobs:
    """One ssh process per host, with a worker at the other end, which ends with it."""

    def __init__(self, cluster: Cluster, group: str, folder: Path) -> None:
        self.cluster, self.group, self.folder = cluster, cluster.groups[group], folder
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
        folder = quote_folder(str(self.folder))
        clean = ""
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
