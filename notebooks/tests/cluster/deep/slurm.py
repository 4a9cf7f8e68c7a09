"""A real Slurm with two nodes on this machine; its daemons listen only on 127.0.0.1."""

import contextlib
import os
import platform
import secrets
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from ...test_process import eventually

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
PACKAGES = "slurmctld slurmd slurm-client munge slurm-wlm-basic-plugins"
UP_S = 20

CONFIGURATION = """
ClusterName=toy
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={port}
AuthInfo=socket={base}/run/munge.sock
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool/%n
SlurmdPidFile={base}/run/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
KillWait=5
SlurmdTimeout=60
NodeName=n[1-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs={cpus}
PartitionName=bench Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""


@contextlib.contextmanager
def run_slurm(base: Path, port: int = 17100) -> Iterator[Path]:
    """Run Slurm while the block lasts; yield the file of its configuration."""
    for folder in ("state", "spool/n1", "spool/n2", "run", "munge"):
        (base / folder).mkdir(parents=True)
    (base / "munge").chmod(0o700)
    key = base / "munge" / "munge.key"
    key.write_bytes(secrets.token_bytes(1024))
    key.chmod(0o400)
    configuration = base / "slurm.conf"
    configuration.write_text(
        CONFIGURATION.format(
            host=platform.node().partition(".")[0],
            base=base,
            port=port,
            first=port + 1,
            last=port + 2,
            cpus=os.cpu_count(),
        )
    )
    env = os.environ | {"SLURM_CONF": str(configuration)}
    daemons = []
    try:
        for command in list_daemons(base, configuration):
            daemons.append(subprocess.Popen(command, env=env, cwd=base))
            # Slurm's daemons need munged's socket.
            assert eventually((base / "run" / "munge.sock").exists), "munged is not running"
        wait_until_idle(env)
        yield configuration
    finally:
        subprocess.run(["scancel", "-u", "root"], env=env, timeout=60)
        time.sleep(1)
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(10)


def list_daemons(base: Path, configuration: Path) -> list[list[str]]:
    munge = {
        "key-file": "munge/munge.key",
        "socket": "run/munge.sock",
        "pid-file": "run/munged.pid",
        "seed-file": "munge/munged.seed",
    }
    options = [f"--{name}={base / path}" for name, path in munge.items()]
    return [
        ["munged", "--foreground", "--force", *options],
        ["slurmctld", "-D", "-c", "-f", str(configuration)],
        *(["slurmd", "-D", "-N", node, "-f", str(configuration)] for node in ("n1", "n2")),
    ]


def wait_until_idle(env: dict[str, str]) -> None:
    def list_states() -> str:
        command = ["sinfo", "-h", "-p", "bench", "-o", "%t"]
        listed = subprocess.run(command, env=env, capture_output=True, text=True)
        return listed.stdout or listed.stderr

    idle = eventually(lambda: list_states().split() == ["idle"], UP_S)
    assert idle, f"Slurm's nodes are not idle: {list_states()}"
