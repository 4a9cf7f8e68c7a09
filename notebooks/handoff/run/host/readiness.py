"""Check that this machine is ready to measure, and suggest commands to run as root."""

import os
import time
from pathlib import Path

from handoff.errors import BadInput
from handoff.run.host.kernel_files import NODE, read_quotas, read_sizes, read_text
from handoff.run.host.kernel_settings import (
    Finding,
    check_governor,
    check_kernel_settings,
    check_turbo,
    make_unknown,
)
from handoff.run.host.machine import IDLE, sum_cpu_seconds
from handoff.run.plan.sweep import Sweep
from handoff.text import pluralize

BINDER = "BINDER_SERVICE_HOST"
"""Environment variable set on Binder, whose machines are shared for minutes at a time."""

BUSY_CORES = 0.25
"""Cores kept busy while this process idles, above which something else is running."""

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
    return bool(os.environ.get(BINDER))


def refuse_binder() -> None:
    """Raise BadInput on Binder, where every number would include its neighbours' work."""
    if is_binder():
        raise BadInput(
            "This is Binder, a machine shared by many people: a measurement would include their"
            " work, so Handoff refuses to measure. The notebooks read the shipped run;"
            " ./run_all.sh reference redraws it."
        )


def list_findings(sweep: Sweep, root: Path = Path("/"), busy: float | None = None) -> list[Finding]:
    """Return every finding about this machine; `busy` is measured unless given."""
    findings = [
        check_governor(root),
        check_turbo(root),
        check_load(measure_busy(root) if busy is None else busy),
        check_memory(root, sweep),
        check_clock(root),
        check_container(root),
        check_numa_balancing(root),
        *check_kernel_settings(os.sched_getaffinity(0), root),
    ]
    return [finding for finding in findings if finding]


def measure_busy(root: Path = Path("/")) -> float | None:
    """Return how many usable cores others keep busy, or None if the kernel does not say."""
    # A load average would still include the build and the calibration of the last minute.
    before = count_busy_seconds(root)
    if before is None:
        return None
    time.sleep(LOOK_S)
    after = count_busy_seconds(root)
    return None if after is None else (after - before) / LOOK_S


def count_busy_seconds(root: Path) -> float | None:
    """Return the CPU time since boot that was neither idle nor taken by the hypervisor."""
    cpu_s = sum_cpu_seconds(read_text(root / "proc/stat"), os.sched_getaffinity(0))
    used = [seconds for kind, seconds in cpu_s.items() if kind not in IDLE and seconds is not None]
    return sum(used) if used else None


def check_load(busy: float | None) -> Finding:
    if busy is None:
        return make_unknown("load", "what else is running")
    idle = busy <= BUSY_CORES
    state = "idle" if idle else "busy"
    return Finding("load", idle, f"Other processes use {busy:.2f} cores: the machine is {state}.")


def check_memory(root: Path, sweep: Sweep) -> Finding:
    """Check that the heap fits into free memory, because it is touched before measuring."""
    available = read_sizes(root / "proc/meminfo").get("MemAvailable")
    if available is None:
        return make_unknown("memory", "how much memory is free")
    free, heap = available / 2**20, sweep.jvm.heap_mib / 2**10
    enough = free > 1.5 * heap
    text = f"{free:.1f} GiB of memory are free, and each JVM takes {heap:g} GiB"
    return Finding("memory", enough, text + ("." if enough else ", so the machine would swap."))


def check_clock(root: Path) -> Finding:
    folder = root / "sys/devices/system/clocksource/clocksource0"
    source = read_text(folder / "current_clocksource")
    if not source:
        return make_unknown("clock", "what its clock source is")
    good = source in GOOD_CLOCKS
    harm = "" if good else ": reading it is slow and disturbs short measurements"
    return Finding("clock", good, f"The clock source is {source}{harm}.")


def check_container(root: Path) -> Finding | None:
    """Report a CPU quota, which stops all threads of a container at once, or a CPU mask."""
    allowed, online = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    if quotas := read_quotas(root):
        text = (
            f"This container has a quota of {min(quotas):g} CPUs, and all threads stop when"
            " it is used up."
        )
        return Finding("container", False, text)
    if allowed < online:
        limit = f"{pluralize(allowed, 'CPU')} of {online}"
        text = f"This process may use {limit}: threads are placed on these only."
        return Finding("container", None, text)
    return None


def check_numa_balancing(root: Path) -> Finding | None:
    """Report whether the kernel may move heap pages between nodes while measuring."""
    nodes = list((root / NODE).glob("node[0-9]*"))
    if len(nodes) > 1 and read_text(root / "proc/sys/kernel/numa_balancing") == "1":
        text = "The kernel may move memory between NUMA nodes at any time (numa_balancing)."
        return Finding("NUMA balancing", False, text, "echo 0 > /proc/sys/kernel/numa_balancing")
    return None
