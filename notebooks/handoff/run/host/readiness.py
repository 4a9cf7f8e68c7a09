"""Whether this machine is ready to measure, in sentences; what root could improve, as commands that
nobody runs for you.
"""

import os
import re
import time
from pathlib import Path

from handoff.errors import BadInput
from handoff.run.host.cpu_settings import (
    Finding,
    check_governor,
    check_isolation,
    check_siblings,
    check_turbo,
)
from handoff.run.host.machine import IDLE, list_control_groups, read_text, sum_cpu_seconds
from handoff.run.plan.sweep import Sweep
from handoff.text import pluralize

BINDER = "BINDER_SERVICE_HOST"
"""An environment variable of machines that many share for minutes."""

BUSY_CORES = 0.25
"""Cores kept busy while we do nothing, above which something else is running."""

LOOK_S = 0.5

GOOD_CLOCKS = (
    "tsc",
    "kvm-clock",
    "arch_sys_counter",
    "hyperv_clocksource_tsc_page",
    "timebase",
    "tod",
)


def is_binder() -> bool:
    """Whether this is Binder, where notebooks are read."""
    return bool(os.environ.get(BINDER))


def refuse_binder() -> None:
    """BadInput where every number would be its neighbours' too."""
    if is_binder():
        raise BadInput(
            "This is Binder, a machine that many share for minutes: what is measured here would be"
            " the others' work too, so nothing is. The notebooks read the shipped run;"
            " ./run_all.sh reference redraws it."
        )


def list_findings(sweep: Sweep, root: Path = Path("/"), busy: float | None = None) -> list[Finding]:
    """Everything that is worth knowing before measuring. `busy` is looked at, unless given."""
    looked: list[Finding | None] = [
        check_governor(root),
        check_turbo(root),
        check_siblings(root),
        check_load(measure_busy(root) if busy is None else busy),
    ]
    looked += [
        check_memory(root, sweep),
        check_swap(root),
        check_clock(root),
        check_virtualisation(root),
        check_container(root),
        check_isolation(root),
        check_huge_pages(root),
        check_numa_balancing(root),
    ]
    return [finding for finding in looked if finding]


def measure_busy(root: Path = Path("/")) -> float | None:
    """Cores that others keep busy while we wait, of those that we may use; None where the kernel
    does not tell. A load average would remember our own build and calibration for a minute.
    """
    began, before = time.monotonic(), count_busy_seconds(root)
    if before is None:
        return None
    time.sleep(LOOK_S)
    ended, after = time.monotonic(), count_busy_seconds(root)
    return None if after is None else (after - before) / (ended - began)


def count_busy_seconds(root: Path) -> float | None:
    """CPU time since boot that was neither idle nor taken by the hypervisor."""
    told = sum_cpu_seconds(read_text(root / "proc/stat"), os.sched_getaffinity(0))
    used = [seconds for kind, seconds in told.items() if kind not in IDLE and seconds is not None]
    return sum(used) if used else None


def check_load(busy: float | None) -> Finding:
    """Of cores kept busy by something else."""
    if busy is None:
        return Finding("load", None, "The kernel does not tell what else runs.")
    if busy <= BUSY_CORES:
        return Finding("load", True, f"Others keep {busy:.2f} cores busy: the machine is idle.")
    return Finding("load", False, f"Others keep {busy:.2f} cores busy: something else runs.")


def check_memory(root: Path, sweep: Sweep) -> Finding:
    """The heap is touched before measuring, so it must be free."""
    free = re.search(r"^MemAvailable:\s*(\d+) kB$", read_text(root / "proc/meminfo"), re.MULTILINE)
    heap = int(sweep.jvm.heap[:-1]) * (1 if sweep.jvm.heap.endswith("g") else 1 / 1024)
    if not free:
        return Finding("memory", None, "The kernel does not tell how much memory is free.")
    gib = int(free[1]) / 2**20
    text = f"{gib:.1f} GiB of memory are free, each JVM takes {heap:g} GiB"
    return Finding(
        "memory",
        gib > 1.5 * heap,
        text + ("." if gib > 1.5 * heap else ": too little room, it would swap."),
    )


def check_swap(root: Path) -> Finding:
    sizes = dict(
        re.findall(
            r"^(SwapTotal|SwapFree):\s*(\d+) kB$", read_text(root / "proc/meminfo"), re.MULTILINE
        )
    )
    used = (int(sizes.get("SwapTotal", 0)) - int(sizes.get("SwapFree", 0))) // 1024
    if used > 0:
        return Finding(
            "swap", False, f"{used} MiB are swapped out: memory was short.", "swapoff -a"
        )
    return Finding("swap", True, "Nothing is swapped out.")


def check_clock(root: Path) -> Finding:
    source = read_text(
        root / "sys/devices/system/clocksource/clocksource0/current_clocksource"
    ).strip()
    if not source:
        return Finding("clock", None, "The kernel does not tell its clock source.")
    good = source in GOOD_CLOCKS
    return Finding(
        "clock",
        good,
        f"The clock is {source}"
        + ("." if good else ": reading it is slow and disturbs short measurements."),
    )


def check_virtualisation(root: Path) -> Finding:
    if re.search(r"^flags\s*:.*\bhypervisor\b", read_text(root / "proc/cpuinfo"), re.MULTILINE):
        text = (
            "A virtual machine: its host may hide siblings and nodes, and take CPU time away"
            " (steal, recorded around every fork)."
        )
        return Finding("virtualisation", None, text)
    if not re.search(r"^flags\s*:", read_text(root / "proc/cpuinfo"), re.MULTILINE):
        return Finding("virtualisation", None, "Whether this is a virtual machine is not told.")
    return Finding("virtualisation", None, "No hypervisor is to be seen.")


def check_container(root: Path) -> Finding | None:
    """A CPU quota stops all threads of a container at once."""
    limits = [read_text(group / "cpu.max").split() for group in list_control_groups(root)]
    quotas = [
        int(words[0]) / int(words[1]) for words in limits if len(words) == 2 and words[0].isdigit()
    ]
    allowed, online = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    quotas += [
        int(quota) / int(period)
        for group in list_control_groups(root)
        if (quota := read_text(group / "cpu.cfs_quota_us").strip()).isdigit()
        and (period := read_text(group / "cpu.cfs_period_us").strip()).isdigit()
    ]
    if quotas:
        text = (
            f"This container has a quota of {min(quotas):g} CPUs: when it is used up, all threads"
            " stand still."
        )
        return Finding("container", False, text)
    if allowed < online:
        return Finding(
            "container",
            None,
            f"This process may use {pluralize(allowed, 'CPU')} of {online}: threads are placed on"
            " those only.",
        )
    return None


def check_huge_pages(root: Path) -> Finding:
    chosen = re.search(r"\[(\w+)\]", read_text(root / "sys/kernel/mm/transparent_hugepage/enabled"))
    if not chosen:
        return Finding("huge pages", None, "The kernel has no transparent huge pages.")
    return Finding("huge pages", None, f"Transparent huge pages: {chosen[1]}.")


def check_numa_balancing(root: Path) -> Finding | None:
    """The kernel may move a heap's pages to another node while it is measured."""
    nodes = list((root / "sys/devices/system/node").glob("node[0-9]*"))
    if len(nodes) > 1 and read_text(root / "proc/sys/kernel/numa_balancing").strip() == "1":
        text = "The kernel moves memory between NUMA nodes as it sees fit (numa_balancing)."
        return Finding("NUMA balancing", False, text, "echo 0 > /proc/sys/kernel/numa_balancing")
    return None
