"""A sweep on pretended nodes, under a real Slurm and over ssh: lost nodes, a killed driver.

Every fork exists once, and no process is left.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from ..drivers import WORKER, Driver, list_processes, require_nothing_left
from .slurm import PACKAGES, PROGRAMS, run_slurm

pytestmark = pytest.mark.machine


@pytest.fixture(autouse=True)
def set_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep keys in a separate home folder."""
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture(scope="module")
def slurm(tmp_path_factory) -> Iterator[dict[str, str]]:
    if os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)):
        pytest.skip(f"needs root and Debian's {PACKAGES}")
    with run_slurm(tmp_path_factory.mktemp("slurm")) as configuration:
        yield {"SLURM_CONF": str(configuration)}


SLURM = """
scheduler: slurm
nodes: 2
queue: bench
walltime: "00:20:00"
interface: lo
arrival: 3m
worker_extra_args: ["--preload", "{folder}/pretend.py"]
job_script_prologue: ["export SLURM_CONF={configuration}"]
"""


@pytest.fixture
def drive(slurm, tmp_path):
    """Return a function that starts a driver under Slurm, and waits until it has some forks."""
    started: list[Driver] = []

    def start(forks: int, **options) -> Driver:
        cluster = SLURM.format(folder=tmp_path, configuration=slurm["SLURM_CONF"])
        driver = Driver(tmp_path, cluster, **options, **slurm)
        started.append(driver)
        driver.wait_until(lambda: driver.count_forks() >= forks)
        return driver

    yield start
    for driver in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(driver.process.pid, signal.SIGKILL)
    subprocess.run(["scancel", "-u", "root"], env=os.environ | slurm)
    require_nothing_left(patience_s=150)


def list_jobs(slurm: dict[str, str]) -> list[str]:
    command = ["squeue", "-h", "-t", "R", "-o", "%i"]
    listed = subprocess.run(command, env=os.environ | slurm, capture_output=True, text=True)
    return listed.stdout.split()


def test_a_sweep_under_slurm_builds_its_paper(drive, slurm, tmp_path):
    driver = drive(forks=0, words=())
    driver.require_whole()
    run = driver.read_run()
    assert (run.folder / "generated" / "sweep.pdf").stat().st_size > 10_000
    assert list_jobs(slurm) == []
    kept = "".join(path.read_text() for path in run.folder.rglob("*.json"))
    assert '"n1"' not in kept and len(driver.list_hosts()) == 2
    secret = list((tmp_path / ".handoff").rglob("*.pem"))
    assert all(path.stat().st_mode & 0o077 == 0 for path in secret)


def test_the_block_of_a_cancelled_job_is_measured_by_another_node(drive, slurm):
    driver = drive(forks=4)
    # In the middle of the blocks that follow.
    time.sleep(3)
    subprocess.run(["scancel", list_jobs(slurm)[-1]], env=os.environ | slurm, check=True)
    driver.require_whole()
    assert "was lost with block" in driver.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_driver_that_ends_leaves_nothing_running_and_continues_later(drive, number):
    driver = drive(forks=4)
    os.kill(driver.process.pid, number)
    assert driver.process.wait(60) != 0
    require_nothing_left(patience_s=150)
    before = driver.count_forks()
    assert before >= 4
    driver.start()
    driver.require_whole()


@pytest.fixture
def ssh_server(tmp_path) -> Iterator[dict]:
    """Start a server on 127.0.0.1 and yield the options of a connection to it."""
    server = shutil.which("sshd", path="/usr/sbin:/usr/bin")
    if os.geteuid() != 0 or not server:
        pytest.skip("needs root and Debian's openssh-server")
    for name in ("host", "user"):
        key = str(tmp_path / name)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    (tmp_path / "authorized").write_text((tmp_path / "user.pub").read_text())
    Path("/run/sshd").mkdir(exist_ok=True)
    words = ["-D", "-e", "-f", "/dev/null", "-p", "17222", "-o", "ListenAddress=127.0.0.1"]
    words += ["-o", f"HostKey={tmp_path}/host", "-o", f"AuthorizedKeysFile={tmp_path}/authorized"]
    words += ["-o", f"PidFile={tmp_path}/sshd.pid", "-o", "StrictModes=no"]
    with (tmp_path / "sshd.log").open("w") as log:
        served = subprocess.Popen([server, *words], stderr=log)
    try:
        time.sleep(1)
        yield {"port": 17222, "client_keys": [str(tmp_path / "user")], "known_hosts": None}
    finally:
        served.terminate()
        served.wait()


def test_a_sweep_over_ssh_survives_a_lost_worker(tmp_path, ssh_server):
    cluster = f"""
scheduler: ssh
hosts: [127.0.0.1, localhost]
connect_options: {json.dumps(ssh_server)}
worker_options: {{preload: ["{tmp_path}/pretend.py"]}}
"""
    driver = Driver(tmp_path, cluster)
    driver.wait_until(lambda: driver.count_forks() >= 4)
    os.kill(list_processes(f"{WORKER}.*Nanny")[0], signal.SIGKILL)
    driver.require_whole()
