"""Machines on which a lab measures nothing, in one sentence that offers another way."""

import platform

from handoff.errors import BadInput
from handoff.run.host import readiness
from handoff.run.host.kernel_files import read_quotas
from handoff.run.java.jar import HERE

LINUX = "Linux"
NAMES = {"Darwin": "macOS"}
INSTEAD = (
    "Measure on a Linux machine of your own (Windows: in WSL 2; macOS: in a Linux VM, which"
    " widens intervals)"
)
BORROW = (
    ", or use forks that come with the package: lab.borrow(), in a terminal ./run_all.sh lab N"
    " borrow"
)


def require_linux(borrows: bool = True) -> None:
    """Raise BadInput on a system where nothing can be measured.

    The sentence offers shipped forks if some fit the lab, which `borrows` says.
    """
    system = platform.system()
    if system != LINUX:
        name = NAMES.get(system, system)
        raise BadInput(f"This is {name}, where nothing is measured. {describe_instead(borrows)}")


def require_own_cpus(borrows: bool = True) -> None:
    """Raise BadInput on a machine whose CPUs other users share."""
    if readiness.is_binder():
        where = "Binder"
    elif read_quotas(HERE):
        where = "a container with a CPU quota"
    else:
        return
    raise BadInput(
        f"This is {where}: a measurement here would also measure the other users' work, so the"
        f" lab measures nothing. {describe_instead(borrows)}"
    )


def describe_instead(borrows: bool) -> str:
    """Return what a student can do; `borrows` says whether shipped forks fit the lab."""
    return f"{INSTEAD}{BORROW if borrows else ''}."
