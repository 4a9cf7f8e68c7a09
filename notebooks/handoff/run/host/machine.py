"""The machine that measures: what it is (its identity), and what it was doing (a snapshot around
every fork).
"""

import hashlib
import json
import os
import platform
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from handoff.text import parse_cpus, pluralize


def describe_machine(topology: dict) -> dict:
    """CPU model, memory, kernel, topology and caches; no host or user name.

    `id` is 8 hex digits over all of it.
    """
    cpuinfo = read_text("/proc/cpuinfo")
    model = re.search(r"^(?:model name|Model|cpu model)\s*:\s*(.*)$", cpuinfo, re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+) kB$", read_text("/proc/meminfo"), re.MULTILINE)
    machine = {
        "cpu": model[1] if model else None,
        "architecture": platform.machine(),
        "memory_gib": round(int(memory[1]) / 2**20) if memory else None,
        "kernel": platform.release(),
        "topology": topology,
        "caches": read_caches(min(os.sched_getaffinity(0))),
    }
    return identify_machine(machine)


def identify_machine(machine: dict) -> dict:
    """The description with the `id` that follows from it."""
    content = {key: value for key, value in machine.items() if key != "id"}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return {"id": digest[:8], **content}


def count_usable_cores(machine: dict) -> int:
    """Physical cores that this process may use, a CPU of unknown core counting as one; a quota
    lowers it.
    """
    cpus = [
        cpu for cpu in machine["topology"]["cpus"] if cpu["online"] and cpu["allowed"] is not False
    ]
    cores = len(
        {("core", cpu["core"]) if cpu["core"] is not None else ("cpu", cpu["id"]) for cpu in cpus}
    )
    return min(cores, max(1, int(machine["topology"]["quota"] or cores)))


def count_usable(machine: dict, place: str) -> int | None:
    """Nodes or sockets with CPUs that this process may use; None when the kernel does not tell."""
    there = {
        cpu[place]
        for cpu in machine["topology"]["cpus"]
        if cpu["online"] and cpu["allowed"] is not False
    }
    return None if None in there else len(there)


def find_places(machine: dict, cpus: Iterable[int], place: str) -> frozenset:
    """The nodes, sockets or kinds of core of these CPUs; with None among them where the kernel does
    not tell.
    """
    of_cpu = {cpu["id"]: cpu.get(place) for cpu in machine["topology"]["cpus"]}
    return frozenset(of_cpu.get(cpu) for cpu in cpus)


def summarize_machine(machine: dict) -> str:
    """One line: '2 virtual CPUs (siblings unknown), 1 NUMA node, AMD EPYC, 23 GiB, Linux 6.18'."""
    topology = machine["topology"]
    cpus = sum(cpu["online"] and cpu["allowed"] is not False for cpu in topology["cpus"])
    cores = count_usable_cores(machine)
    hidden = topology["virtual"] and cores == cpus
    kind = "virtual CPUs" if topology["virtual"] else "CPUs"
    what = f"{cpus} {kind} (siblings unknown)" if hidden else f"{cpus} {kind} on {cores} cores"
    nodes = count_usable(machine, "node")
    where = "NUMA nodes unknown" if nodes is None else f"{pluralize(nodes, 'NUMA node')}"
    quota = f", a quota of {topology['quota']:g} CPUs" if topology["quota"] else ""
    kinds = topology.get("kinds") or []
    unlike = f" of {len(kinds)} kinds ({', '.join(kinds)})" if kinds else ""
    return (
        f"{what}{unlike}, {where}{quota}, {machine['cpu'] or machine['architecture']},"
        f" {machine['memory_gib']} GiB, Linux {machine['kernel']}"
    )


UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def read_caches(cpu: int, root: Path = Path("/")) -> list[dict]:
    """Of the logical CPU `cpu`, from the nearest: `level`, `bytes`, and how many CPUs share it.

    Empty where the kernel is silent.
    """
    found = []
    for folder in sorted((root / f"sys/devices/system/cpu/cpu{cpu}/cache").glob("index[0-9]*")):
        kind, level, size, shared = (
            read_text(folder / name).strip()
            for name in ("type", "level", "size", "shared_cpu_list")
        )
        amount = re.fullmatch(r"(\d+)([KMG]?)", size)
        if kind in ("Data", "Unified") and level.isdigit() and amount:
            found.append(
                {
                    "level": int(level),
                    "bytes": int(amount[1]) * UNITS[amount[2]],
                    "shared": len(parse_cpus(shared)),
                }
            )
    return sorted(found, key=lambda cache: cache["level"])


KINDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
IDLE = ("idle", "iowait", "steal")


def take_snapshot(cpus: list[int], root: Path = Path("/")) -> dict:
    """What the machine is doing; None where the kernel does not tell.

    `cpu_s`: CPU seconds since boot by kind, of the CPUs that this process may use. `pressure_s`:
    seconds in which some thread waited for a CPU. `throttled`: how often heat, and a container's
    quota, slowed this machine. `mhz`: least and greatest of `cpus`.
    """
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    waited = re.search(r"^some .*total=(\d+)", read_text(root / "proc/pressure/cpu"), re.MULTILINE)
    speeds = [
        int(read_text(root / f"sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq") or 0)
        // 1000
        for cpu in cpus
    ]
    return {
        "utc": now,
        "load": os.getloadavg()[0],
        "cpu_s": sum_cpu_seconds(read_text(root / "proc/stat"), os.sched_getaffinity(0)),
        "pressure_s": int(waited[1]) / 1e6 if waited else None,
        "throttled": {"heat": count_heat_throttling(root), "quota": count_quota_throttling(root)},
        "mhz": [min(speeds), max(speeds)] if speeds and all(speeds) else None,
    }


def sum_cpu_seconds(stat: str, allowed: set[int]) -> dict[str, float | None]:
    """/proc/stat's lines of the allowed CPUs, added up by kind, in seconds; None where the kernel
    does not tell.
    """
    lines = [
        words[1:]
        for line in stat.splitlines()
        if (words := line.split()) and words[0] in {f"cpu{cpu}" for cpu in allowed}
    ]
    tick = os.sysconf("SC_CLK_TCK")
    complete = len(lines) == len(allowed)
    return {
        k: (
            sum(int(w[i]) for w in lines) / tick
            if complete and all(i < len(w) for w in lines)
            else None
        )
        for i, k in enumerate(KINDS)
    }


def count_heat_throttling(root: Path) -> int | None:
    """How often heat slowed any core or package; None where the kernel does not count."""
    counters = [
        read_text(f)
        for f in (root / "sys/devices/system/cpu").glob(
            "cpu[0-9]*/thermal_throttle/*_throttle_count"
        )
    ]
    return sum(int(count) for count in counters if count.strip()) if counters else None


def count_quota_throttling(root: Path) -> int | None:
    """How often this control group, or one above it, ran out of its CPU quota; None without control
    groups.
    """
    stats = [read_text(group / "cpu.stat") for group in list_control_groups(root)]
    counts = [
        int(count)
        for stat in stats
        for count in re.findall(r"^nr_throttled (\d+)$", stat, re.MULTILINE)
    ]
    return sum(counts) if counts else None


def list_control_groups(root: Path) -> list[Path]:
    """The folders of this process's control group and of those above it; of version 1 those of the
    CPU's controller.
    """
    membership, top = read_text(root / "proc/self/cgroup"), root / "sys/fs/cgroup"
    own = re.search(r"^0::/(.*)$", membership, re.MULTILINE)
    groups = [(top, top / (own[1] if own else ""))]
    version1 = re.search(r"^\d+:((?:[\w=]+,)*cpu(?:,[\w=]+)*):/(.*)$", membership, re.MULTILINE)
    if version1:
        groups += [(mount := top / name, mount / version1[2]) for name in ("cpu", "cpu,cpuacct")]
    return [
        folder
        for mount, group in groups
        for folder in (group, *group.parents)
        if folder.is_relative_to(mount)
    ]


def read_text(path: str | Path) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""
