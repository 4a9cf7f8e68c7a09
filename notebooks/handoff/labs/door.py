"""Machines on which a lab measures nothing, in one sentence that offers another way."""

import platform
from collections.abc import Sequence
from pathlib import Path

from handoff.errors import BadInput
from handoff.run.host import readiness

LINUX = "Linux"
INSTEAD = (
    "Measure on a Linux machine of your own (Windows: in WSL 2; macOS: in a Linux VM, which"
    " widens intervals), or use forks that come with the package: lab.borrow(), in a terminal"
    " ./run_all.sh lab N borrow."
)
QUOTAS = (Path("/sys/fs/cgroup/cpu.max"), Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"))


def require_linux() -> None:
    """Raise BadInput, before anything is built, where nothing can be measured."""
    system = platform.system()
    if system != LINUX:
        raise BadInput(
            f"This is {SYSTEMS.get(system, system)}, where nothing is measured. {INSTEAD}"
        )
    if readiness.is_binder() or has_quota():
        require_own_machine({"topology": {"quota": 1}})


SYSTEMS = {"Darwin": "macOS"}


def has_quota(files: Sequence[Path] = QUOTAS) -> bool:
    """Return whether this container's own control group limits its CPU time."""
    texts = [file.read_text() for file in files if file.is_file()]
    return any(text.split()[0] not in ("max", "-1") for text in texts)


def require_own_machine(machine: dict) -> None:
    """Raise BadInput on a machine whose CPUs other users share."""
    quota = machine["topology"].get("quota")
    where = "Binder" if readiness.is_binder() else "a container with a CPU quota" if quota else ""
    if where:
        raise BadInput(
            f"This is {where}: a measurement here would also measure the other users' work, so the"
            f" lab measures nothing. {INSTEAD}"
        )
