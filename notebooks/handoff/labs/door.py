"""Machines on which a lab measures nothing, in one sentence that offers another way."""

import platform

from handoff.errors import BadInput
from handoff.run.host import readiness
from handoff.run.host.kernel_files import read_quotas
from handoff.run.java.jar import HERE

LINUX = "Linux"
INSTEAD = (
    "Measure on a Linux machine of your own (Windows: in WSL 2; macOS: in a Linux VM, which"
    " widens intervals)"
)
BORROW = (
    ", or use forks that come with the package: lab.borrow(), in a terminal ./run_all.sh lab N"
    " borrow"
)


def describe_instead(borrows: bool) -> str:
    """Return what a student can do; `borrows` if shipped forks fit the lab."""
    return f"{INSTEAD}{BORROW if borrows else ''}."


def require_linux(borrows: bool = True) -> None:
    """Raise BadInput, before anything is built, on a system where nothing can be measured."""
    system = platform.system()
    if system != LINUX:
        name = SYSTEMS.get(system, system)
        raise BadInput(f"This is {name}, where nothing is measured. {describe_instead(borrows)}")


def require_own_cpus(borrows: bool = True) -> None:
    """Raise BadInput, before anything is built, where other users share the CPUs."""
    if readiness.is_binder() or read_quotas(HERE):
        require_own_machine({"topology": {"quota": 1}}, borrows)


SYSTEMS = {"Darwin": "macOS"}


def require_own_machine(machine: dict, borrows: bool = True) -> None:
    """Raise BadInput on a machine whose CPUs other users share."""
    quota = machine["topology"].get("quota")
    where = "Binder" if readiness.is_binder() else "a container with a CPU quota" if quota else ""
    if where:
        raise BadInput(
            f"This is {where}: a measurement here would also measure the other users' work, so the"
            f" lab measures nothing. {describe_instead(borrows)}"
        )
