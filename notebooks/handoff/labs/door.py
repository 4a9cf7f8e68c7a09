"""Machines on which a lab measures nothing, in one sentence that offers another way."""

import platform
from typing import NoReturn

from handoff.errors import BadInput
from handoff.run.host import readiness
from handoff.run.host.kernel_files import read_quotas
from handoff.run.java.jar import HERE

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
    if system != "Linux":
        refuse(f"This is {NAMES.get(system, system)}, where nothing is measured.", borrows)


def require_own_cpus(borrows: bool = True) -> None:
    """Raise BadInput also on a machine whose CPUs other users share."""
    require_linux(borrows)
    where = "Binder" if readiness.is_binder() else "a container with a CPU quota"
    if readiness.is_binder() or read_quotas(HERE):
        refuse(
            f"This is {where}: a measurement here would also measure the other users' work, so the"
            " lab measures nothing.",
            borrows,
        )


def refuse(reason: str, borrows: bool) -> NoReturn:
    raise BadInput(f"{reason} {INSTEAD}{BORROW if borrows else ''}.")
