"""Check that this machine is ready to measure, and suggest commands to run as root."""

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
from handoff.run.host.kernel_files import read_cpus, read_quotas, read_text
from handoff.run.host.kernel_settings import check_kernel_settings
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
    """Check whether this is Binder, which is for reading notebooks."""
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
    findings: list[Finding | None] = [
        check_governor(root),
        check_turbo(root),
        check_siblings(root),
        check_load(measure_busy(root) if busy is None else busy),
    ]
    findings += [
        check_memory(root, sweep),
        check_swap(root),
        check_clock(root),
        check_virtualisation(root),
        check_container(root),
        check_isolation(root),
        check_huge_pages(root),
        check_numa_balancing(root),
        *check_kernel_settings(os.sched_getaffinity(0), root),
    ]
    return [finding for finding in findings if finding]


def measure_busy(root: Path = Path("/")) -> float | None:
    """Return how many usable cores others keep busy, or None if the kernel does not say.

    A load average would still include the build and the calibration of the last minute.
    """
    started, before = time.monotonic(), count_busy_seconds(root)
    if before is None:
        return None
    time.sleep(LOOK_S)
    ended, after = time.monotonic(), count_busy_seconds(root)
    return None if after is None else (after - before) / (ended - started)


def count_busy_seconds(root: Path) -> float | None:
    """Return the CPU time since boot that was neither idle nor taken by the hypervisor."""
    cpu_s = sum_cpu_seconds(read_text(root / "proc/stat"), os.sched_getaffinity(0))
    used = [seconds for kind, seconds in cpu_s.items() if kind not in IDLE and seconds is not None]
    return sum(used) if used else None


def check_load(busy: float | None) -> Finding:
    if busy is None:
        return Finding("load", None, "The kernel does not say what else is running.")
    if busy <= BUSY_CORES:
        return Finding("load", True, f"Other processes use {busy:.2f} cores: the machine is idle.")
    return Finding("load", False, f"Other processes use {busy:.2f} cores: the machine is busy.")


def check_memory(root: Path, sweep: Sweep) -> Finding:
    """Check that the heap fits into free memory, because it is touched before measuring."""
    heap = int(sweep.jvm.heap[:-1]) * (1 if sweep.jvm.heap.endswith("g") else 1 / 1024)
    free, node = find_free_memory(root)
    if free is None:
        return Finding("memory", None, "The kernel does not say how much memory is free.")
    where, harm = (f" on {node}", "swap or kill the JVM") if node else ("", "swap")
    text = f"{free:.1f} GiB of memory are free{where}, and each JVM takes {heap:g} GiB"
    enough = free > 1.5 * heap
    return Finding("memory", enough, text + ("." if enough else f", so the machine would {harm}."))


def find_free_memory(root: Path) -> tuple[float | None, str]:
    """Return the free GiB; with several NUMA nodes, the least on a usable one, and its name.

    A heap lies on the node of a pinned thread and nowhere else: any node with usable CPUs may be
    the one. Memory of cached files counts as free, that of tmpfs does not.
    """
    usable = os.sched_getaffinity(0)
    nodes = sorted((root / "sys/devices/system/node").glob("node[0-9]*"))
    free = {}
    for node in nodes if len(nodes) > 1 else []:
        text = read_text(node / "meminfo")
        kib = re.findall(r" (?:MemFree|(?:Ina|A)ctive\(file\)):\s*(\d+) kB$", text, re.MULTILINE)
        has_memory = kib and not re.search(r" MemTotal:\s*0 kB$", text, re.MULTILINE)
        if has_memory and not usable.isdisjoint(read_cpus(node / "cpulist", node / "cpumap")):
            free[node.name.replace("node", "NUMA node ")] = sum(map(int, kib)) / 2**20
    if free:
        node_name = min(free, key=lambda name: free[name])
        return free[node_name], node_name
    meminfo = read_text(root / "proc/meminfo")
    available = re.search(r"^MemAvailable:\s*(\d+) kB$", meminfo, re.MULTILINE)
    return (int(available[1]) / 2**20 if available else None), ""


def check_swap(root: Path) -> Finding:
    sizes = dict(
        re.findall(
            r"^(SwapTotal|SwapFree):\s*(\d+) kB$", read_text(root / "proc/meminfo"), re.MULTILINE
        )
    )
    used = (int(sizes.get("SwapTotal", 0)) - int(sizes.get("SwapFree", 0))) // 1024
    if used > 0:
        return Finding(
            "swap", False, f"{used} MiB are swapped out: memory has run short.", "swapoff -a"
        )
    return Finding("swap", True, "Nothing is swapped out.")


def check_clock(root: Path) -> Finding:
    source = read_text(
        root / "sys/devices/system/clocksource/clocksource0/current_clocksource"
    ).strip()
    if not source:
        return Finding("clock", None, "The kernel does not name its clock source.")
    good = source in GOOD_CLOCKS
    return Finding(
        "clock",
        good,
        f"The clock source is {source}"
        + ("." if good else ": reading it is slow and disturbs short measurements."),
    )


def check_virtualisation(root: Path) -> Finding:
    if re.search(r"^flags\s*:.*\bhypervisor\b", read_text(root / "proc/cpuinfo"), re.MULTILINE):
        text = (
            "This is a virtual machine: its host may hide siblings and nodes, and take CPU time"
            " (steal, recorded around every fork)."
        )
        return Finding("virtualisation", None, text)
    if not re.search(r"^flags\s*:", read_text(root / "proc/cpuinfo"), re.MULTILINE):
        return Finding("virtualisation", None, "Cannot tell whether this is a virtual machine.")
    return Finding("virtualisation", None, "No hypervisor detected.")


def check_container(root: Path) -> Finding | None:
    """Report a CPU quota, which stops all threads of a container at once, or a CPU mask."""
    quotas = read_quotas(root)
    allowed, online = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    if quotas:
        text = (
            f"This container has a quota of {min(quotas):g} CPUs, and all threads stop when"
            " it is used up."
        )
        return Finding("container", False, text)
    if allowed < online:
        return Finding(
            "container",
            None,
            f"This process may use {pluralize(allowed, 'CPU')} of {online}: threads are placed on"
            " these only.",
        )
    return None


def check_huge_pages(root: Path) -> Finding:
    chosen = re.search(r"\[(\w+)\]", read_text(root / "sys/kernel/mm/transparent_hugepage/enabled"))
    if not chosen:
        return Finding("huge pages", None, "The kernel has no transparent huge pages.")
    return Finding("huge pages", None, f"Transparent huge pages: {chosen[1]}.")


def check_numa_balancing(root: Path) -> Finding | None:
    """Report whether the kernel may move heap pages between nodes while measuring."""
    nodes = list((root / "sys/devices/system/node").glob("node[0-9]*"))
    if len(nodes) > 1 and read_text(root / "proc/sys/kernel/numa_balancing").strip() == "1":
        text = "The kernel may move memory between NUMA nodes at any time (numa_balancing)."
        return Finding("NUMA balancing", False, text, "echo 0 > /proc/sys/kernel/numa_balancing")
    return None
