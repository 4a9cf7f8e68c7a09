"""A sweep on pretended nodes, under Slurm, over ssh and on a scheduler started by hand.

After any kill, every fork exists once and no process is left.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from distributed import Client
from distributed.security import Security

from handoff.paths import ROOT
from handoff.run.store import state
from handoff.run.store.run import read_run

from ..drivers import FORKS, WORKER, Driver, list_processes, require_nothing_left, start_worker
from .slurm import PACKAGES, PROGRAMS, run_slurm

pytestmark = pytest.mark.machine


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a separate home folder for keys and pseudonyms."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture(scope="module")
def slurm(tmp_path_factory) -> Iterator[dict[str, str]]:
    if os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)):
        pytest.skip(f"needs root and Debian's {PACKAGES}")
    with run_slurm(tmp_path_factory.mktemp("slurm")) as configuration:
        yield {"SLURM_CONF": str(configuration)}


SLURM = """
scheduler: slurm
listen: 127.0.0.1
patience: 5s
arrival: 2m
groups:
  pair: {nodes: 2, partition: bench, replacements: 3, pretend: A}
"""


@pytest.fixture
def drive(slurm, tmp_path, home):
    """Return a function that starts a driver under Slurm, and waits until it has some forks."""
    started: list[Driver] = []

    def start(forks: int, **options) -> Driver:
        driver = Driver(tmp_path, SLURM, **options, **slurm)
        started.append(driver)
        driver.wait_until(lambda: driver.count_forks() >= forks)
        return driver

    yield start
    for driver in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(driver.process.pid, signal.SIGKILL)
    require_nothing_left()


def list_jobs(slurm: dict[str, str]) -> list[str]:
    listed = subprocess.run(
        ["squeue", "-h", "-o", "%i"], env=os.environ | slurm, capture_output=True, text=True
    )
    return listed.stdout.split()


def test_a_sweep_under_slurm_builds_its_paper(drive, slurm, home):
    driver = drive(forks=0, words=())
    driver.require_whole()
    run = driver.read_run()
    assert (run.folder / "generated" / "sweep.pdf").stat().st_size > 10_000
    assert list_jobs(slurm) == [] and list((home / ".handoff/connections").iterdir()) == []
    kept = "".join(path.read_text() for path in run.folder.rglob("*.json"))
    names = json.loads((home / ".handoff/nodes.json").read_text())
    assert "n1" not in names and '"n1"' not in kept and set(names.values()) == {"n1", "n2"}
    secret = [path for path in (home / ".handoff").rglob("*") if path.is_file()]
    assert all(path.stat().st_mode & 0o077 == 0 for path in secret)


def test_other_clients_are_refused_and_nothing_listens_beyond_the_address(drive, home):
    driver = drive(forks=2)
    (file,) = (home / ".handoff" / "connections").glob("*/connection.json")
    address = json.loads(file.read_text())["address"]
    assert address.startswith("tls://127.0.0.1:")
    for security in (Security.temporary(), None):
        with pytest.raises((OSError, TypeError)):
            Client(address, security=security, timeout="5s", set_as_default=False)
    out = subprocess.run(["ss", "-ltnpH"], capture_output=True, text=True, check=True).stdout
    places = [line.split()[3] for line in out.splitlines() if "python" in line]
    assert places and all(place.startswith("127.0.0.1:") for place in places)
    driver.require_whole()


def kill_worker(slurm):
    os.kill(list_processes(WORKER)[0], signal.SIGKILL)


def cancel_job(slurm):
    subprocess.run(["scancel", list_jobs(slurm)[-1]], env=os.environ | slurm, check=True)


@pytest.mark.parametrize("lose", [kill_worker, cancel_job])
def test_a_lost_worker_is_replaced_and_its_block_continues(drive, slurm, lose):
    driver = drive(forks=5)
    lose(slurm)
    driver.require_whole()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_a_driver_that_ends_leaves_nothing_running_and_continues_later(drive, slurm, number, code):
    """An interrupted one also cancels its jobs; those of a killed one are cancelled later."""
    driver = drive(forks=5)
    os.kill(driver.process.pid, number)
    assert driver.process.wait(60) == code
    require_nothing_left()
    assert number == signal.SIGKILL or list_jobs(slurm) == []
    assert driver.count_forks() >= 5
    driver.start()
    driver.require_whole()
    assert list_jobs(slurm) == []


def test_the_block_of_a_stalled_node_is_measured_elsewhere(drive):
    driver = drive(forks=5)
    os.kill(list_processes(WORKER)[0], signal.SIGSTOP)
    driver.require_whole()
    assert any((driver.read_run().folder / "abandoned").iterdir())


@pytest.fixture
def ssh_server(tmp_path) -> Iterator[list[str]]:
    """Start a server on 127.0.0.1 and yield the options of ssh that reach it."""
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
        options = ["-p", "17222", "-i", str(tmp_path / "user"), "-o", "StrictHostKeyChecking=no"]
        yield [*options, "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
    finally:
        served.terminate()
        served.wait()


@pytest.mark.parametrize("shared", ["true", "false"])
def test_a_sweep_over_ssh_survives_a_lost_connection(tmp_path, home, ssh_server, shared):
    cluster = f"""
scheduler: ssh
listen: 127.0.0.1
shared: {shared}
folder: {tmp_path}/keys
patience: 20s
groups:
  pair: {{hosts: [127.0.0.1, localhost], pretend: A, options: {json.dumps(ssh_server)}}}
"""
    driver = Driver(tmp_path, cluster)
    driver.wait_until(lambda: driver.count_forks() >= 4)
    os.kill(list_processes("ssh -o BatchMode=yes.*localhost")[0], signal.SIGKILL)
    driver.require_whole()
    assert [path for path in (tmp_path / "keys").rglob("*") if path.is_file()] == []


def test_two_kinds_of_node_are_two_runs(tmp_path, home):
    groups = "{old: {nodes: 1, pretend: Old}, new: {nodes: 1, pretend: New}}"
    driver = Driver(tmp_path, f"scheduler: none\nlisten: 127.0.0.1\ngroups: {groups}\n")
    workers = [start_worker(driver, number) for number in (1, 2)]
    driver.finish()
    for worker in workers:
        worker.wait(30)
    runs = [read_run(plan.parent) for plan in driver.runs.glob("*/plan.json")]
    assert sorted(run.machine["cpu"] for run in runs) == ["New (pretended)", "Old (pretended)"]
    assert all(len(state.scan_run(run).measured) == FORKS for run in runs)
    assert "Side by side: ./run_all.sh compare" in driver.log.read_text()


def test_a_scheduler_that_is_already_running_can_be_used(tmp_path, home):
    programs = Path(sys.executable).parent
    scheduler = subprocess.Popen(
        [programs / "dask", "scheduler", "--host", "127.0.0.1", "--port", "17300", "--no-dashboard"]
    )
    env = os.environ | {"PYTHONPATH": str(ROOT / "notebooks")}
    words = ["tcp://127.0.0.1:17300", "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    worker = subprocess.Popen([programs / "dask", "worker", *words, "--name", "byhand"], env=env)
    try:
        cluster = "scheduler: tcp://127.0.0.1:17300\ninsecure: true\ngroups: {one: {nodes: 1}}\n"
        driver = Driver(tmp_path, cluster)
        driver.finish()
        run = driver.read_run()
        forks = [json.loads(path.read_text()) for path in run.folder.glob("forks/*.json")]
        hosts = Counter(fork["host"] for fork in forks)
        assert list(hosts.values()) == [FORKS] and worker.poll() is None
    finally:
        worker.terminate()
        scheduler.terminate()
        worker.wait()
        scheduler.wait()
    require_nothing_left()
