"""The machine that measures: what it is (its identity), and what it was doing (a snapshot around every fork)."""

import hashlib
import json
import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

from handoff.names import counted
from handoff.run.jar import ask
from handoff.run.jdk import Jdk


def describe(jdk: Jdk) -> dict:
    """CPU model, memory, kernel and topology; no host or user name. `id` is 8 hex digits over all of it."""
    cpuinfo = read("/proc/cpuinfo")
    model = re.search(r"^(?:model name|Model|cpu model)\s*:\s*(.*)$", cpuinfo, re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+) kB$", read("/proc/meminfo"), re.MULTILINE)
    machine = {
        "cpu": model[1] if model else None,
        "architecture": platform.machine(),
        "memory_gib": round(int(memory[1]) / 2**20) if memory else None,
        "kernel": platform.release(),
        "topology": ask(jdk, "topology"),
    }
    return {"id": hashlib.sha256(json.dumps(machine, sort_keys=True).encode()).hexdigest()[:8], **machine}


def usable_cores(machine: dict) -> int:
    """Physical cores that this process may use, a CPU of unknown core counting as one; a quota lowers it."""
    cpus = [cpu for cpu in machine["topology"]["cpus"] if cpu["online"] and cpu["allowed"] is not False]
    cores = len({("core", cpu["core"]) if cpu["core"] is not None else ("cpu", cpu["id"]) for cpu in cpus})
    return min(cores, max(1, int(machine["topology"]["quota"] or cores)))


def usable_nodes(machine: dict) -> int | None:
    """NUMA nodes with CPUs that this process may use; None when the kernel does not tell."""
    cpus = [cpu for cpu in machine["topology"]["cpus"] if cpu["online"] and cpu["allowed"] is not False]
    return len({cpu["node"] for cpu in cpus}) if all(cpu["node"] is not None for cpu in cpus) else None


def in_words(machine: dict) -> str:
    """One line: '2 virtual CPUs (siblings unknown), 1 NUMA node, AMD EPYC, 23 GiB, Linux 6.18'."""
    topology = machine["topology"]
    cpus = sum(cpu["online"] and cpu["allowed"] is not False for cpu in topology["cpus"])
    cores = usable_cores(machine)
    hidden = topology["virtual"] and cores == cpus
    kind = "virtual CPUs" if topology["virtual"] else "CPUs"
    what = f"{cpus} {kind} (siblings unknown)" if hidden else f"{cpus} {kind} on {cores} cores"
    nodes = usable_nodes(machine)
    where = "NUMA nodes unknown" if nodes is None else f"{counted(nodes, 'NUMA node')}"
    quota = f", a quota of {topology['quota']:g} CPUs" if topology["quota"] else ""
    return f"{what}, {where}{quota}, {machine['cpu'] or machine['architecture']}, {machine['memory_gib']} GiB, Linux {machine['kernel']}"


def snapshot() -> dict:
    """Time, load, and the machine's CPU time by kind since boot (seconds); a kind that the kernel does not report is None."""
    words = read("/proc/stat").split("\n", 1)[0].split()[1:]
    kinds = ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"]
    tick = os.sysconf("SC_CLK_TCK")
    cpu = {kind: int(words[i]) / tick if i < len(words) else None for i, kind in enumerate(kinds)}
    return {"utc": datetime.now(UTC).isoformat(timespec="milliseconds"), "load": os.getloadavg()[0], "cpu_s": cpu}


def read(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""
