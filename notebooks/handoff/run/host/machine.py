"""Describe and compare machines, and take snapshots of their activity around every fork."""

import os
import platform
import re
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from handoff.files import hash_content
from handoff.run.host.kernel_files import CPU, list_control_groups, read_sizes, read_text
from handoff.run.host.kernel_settings import read_settings
from handoff.text import parse_amount, parse_cpus, pluralize

SETTINGS = "settings"
"""Key of what may change on a machine that stays the same: its microcode, for example."""


def describe_machine(topology: dict, root: Path = Path("/")) -> dict:
    """Return what describes the machine with the sys and proc in `root`; no host or user name."""
    cpuinfo = read_text(root / "proc/cpuinfo")
    model = re.search(r"^(?:model name|Model|cpu model)\s*:\s*(.*)$", cpuinfo, re.MULTILINE)
    memory = read_sizes(root / "proc/meminfo").get("MemTotal")
    machine = {
        "cpu": model[1] if model else None,
        "architecture": platform.machine(),
        "memory_gib": round(memory / 2**20) if memory else None,
        "kernel": platform.release(),
        "topology": topology,
        "caches": read_caches(min(list_usable(topology)), root),
        SETTINGS: read_settings(list_usable(topology), root),
    }
    return identify_machine(machine)


def identify_machine(machine: dict) -> dict:
    """Return the description with its `id`, computed from all but the settings."""
    content = {key: value for key, value in machine.items() if key != "id"}
    fixed = {key: value for key, value in content.items() if key != SETTINGS}
    return {"id": hash_content(fixed), **content}


def count_usable_cores(machine: dict) -> int:
    """Return how many physical cores this process may use; a CPU quota lowers the number."""
    cores = len(list_cores(machine["topology"]))
    return min(cores, max(1, int(machine["topology"]["quota"] or cores)))


def list_usable(topology: dict) -> dict[int, dict]:
    """Return the CPUs that this process may use, by id."""
    return {c["id"]: c for c in topology["cpus"] if c["online"] and c["allowed"] is not False}


def list_cores(topology: dict) -> dict[tuple, dict]:
    """Return one CPU of each usable core; a CPU whose core is unknown counts as a core."""
    return {
        ("core", cpu["core"]) if cpu["core"] is not None else ("cpu", cpu["id"]): cpu
        for cpu in list_usable(topology).values()
    }


def count_usable(machine: dict, place: str) -> int | None:
    """Return how many nodes or sockets are usable here, or None if the kernel does not say."""
    places = {cpu[place] for cpu in list_usable(machine["topology"]).values()}
    return None if None in places else len(places)


def count_roomy_sockets(machine: dict, cores: int) -> int | None:
    """Return how many sockets have that many usable cores; None if the kernel names no sockets."""
    sockets = Counter(cpu["socket"] for cpu in list_cores(machine["topology"]).values())
    return None if None in sockets else sum(number >= cores for number in sockets.values())


def find_places(machine: dict, cpus: Iterable[int], place: str) -> frozenset:
    """Return the nodes, sockets or kinds of core of the CPUs; None stands for an unknown one."""
    place_by_cpu = {cpu["id"]: cpu.get(place) for cpu in machine["topology"]["cpus"]}
    return frozenset(place_by_cpu.get(cpu) for cpu in cpus)


def summarize_machine(machine: dict) -> str:
    """Return '2 virtual CPUs (siblings unknown), 1 NUMA node, AMD EPYC, 23 GiB, Linux 6.18'."""
    topology = machine["topology"]
    cpus = len(list_usable(topology))
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


def read_caches(cpu: int, root: Path = Path("/")) -> list[dict]:
    """Return level, bytes and number of sharing CPUs per known data cache, nearest first."""
    caches = []
    for folder in sorted((root / CPU / f"cpu{cpu}/cache").glob("index[0-9]*")):
        kind, level, text = (read_text(folder / name) for name in ("type", "level", "size"))
        shared = parse_cpus(read_text(folder / "shared_cpu_list"))
        size = parse_amount(text)
        if kind in ("Data", "Unified") and level.isdigit() and isinstance(size, int):
            caches.append({"level": int(level), "bytes": size, "shared": len(shared)})
    return sorted(caches, key=lambda cache: cache["level"])


KINDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
IDLE = ("idle", "iowait", "steal")


def take_snapshot(cpus: list[int], root: Path = Path("/")) -> dict:
    """Return what the machine is doing, with None for what the kernel does not say.

    `cpu_s`: seconds since boot by kind, over the CPUs that this process may use. `pressure_s`:
    seconds in which a thread waited for a CPU. `throttled`: how often heat, or a container's quota,
    slowed the machine. `mhz`: lowest and highest frequency of `cpus`.
    """
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    stall = re.search(r"^some .*total=(\d+)", read_text(root / "proc/pressure/cpu"), re.MULTILINE)
    speeds = [
        int(read_text(root / CPU / f"cpu{cpu}/cpufreq/scaling_cur_freq") or 0) // 1000
        for cpu in cpus
    ]
    return {
        "utc": now,
        "load": os.getloadavg()[0],
        "cpu_s": sum_cpu_seconds(read_text(root / "proc/stat"), os.sched_getaffinity(0)),
        "pressure_s": int(stall[1]) / 1e6 if stall else None,
        "throttled": {"heat": count_heat_throttling(root), "quota": count_quota_throttling(root)},
        "mhz": [min(speeds), max(speeds)] if speeds and all(speeds) else None,
    }


def sum_cpu_seconds(stat: str, allowed: set[int]) -> dict[str, float | None]:
    """Return the seconds of the allowed CPUs in /proc/stat by kind, with None for unknown kinds."""
    names = {f"cpu{cpu}" for cpu in allowed}
    rows = (line.split() for line in stat.splitlines())
    lines = [row[1:] for row in rows if row and row[0] in names]
    seconds: dict[str, float | None] = dict.fromkeys(KINDS)
    if len(lines) == len(allowed):
        # Old kernels have fewer columns than there are kinds, and new ones more.
        for kind, column in zip(KINDS, zip(*lines, strict=False), strict=False):
            seconds[kind] = sum(map(int, column)) / os.sysconf("SC_CLK_TCK")
    return seconds


def count_heat_throttling(root: Path) -> int | None:
    """Return how often heat slowed a core or package, or None if the kernel does not count."""
    files = (root / CPU).glob("cpu[0-9]*/thermal_throttle/*_throttle_count")
    counters = [read_text(file) for file in files]
    return sum(int(count) for count in counters if count) if counters else None


def count_quota_throttling(root: Path) -> int | None:
    """Return how often this control group, or one above it, used up its quota; None if unknown."""
    stats = "\n".join(read_text(group / "cpu.stat") for group in list_control_groups(root))
    counts = re.findall(r"^nr_throttled (\d+)$", stats, re.MULTILINE)
    return sum(map(int, counts)) if counts else None


MEMORY_SHARE = 0.05
"""Tolerance: firmware and rounding make identical machines report different memory sizes."""

CHANGING = ("kernel",)
"""Fields that an update changes on a machine that stays of its kind."""


def list_unlike(one: dict, other: dict) -> list[str]:
    """Return a phrase for each field in which the other machine differs."""
    first, second = flatten(one), flatten(other)
    return compare(first, dict.fromkeys(first) | second)


def list_other_kind(one: dict, other: dict) -> list[str]:
    """Return a phrase for each field of the hardware that both have, and in which they differ."""
    hardware = {field: value for field, value in flatten(one).items() if field not in CHANGING}
    return compare(hardware, flatten(other))


def list_updated(one: dict, other: dict) -> list[str]:
    """Return a phrase for each thing that an update or a setting changed: kernel, microcode, ..."""
    first, second = (
        {field: machine.get(field) for field in CHANGING} | (machine.get(SETTINGS) or {})
        for machine in (one, other)
    )
    return compare(first, second)


def flatten(machine: dict) -> dict:
    """Return the description with the topology's fields at the top, without `id` and settings."""
    top = {f"topology.{key}": value for key, value in machine["topology"].items()}
    others = ("id", "topology", SETTINGS)
    return {key: value for key, value in (machine | top).items() if key not in others}


def compare(first: dict, second: dict) -> list[str]:
    """Return 'kernel is 6.1.0-13, not 6.1.0-12' per field that differs, without long values."""
    phrases = []
    for field, one in first.items():
        other = second.get(field, one)
        if isinstance(one, list | dict) or isinstance(other, list | dict):
            phrases += [f"{field} differs"] if one != other else []
        elif field == "memory_gib" and isinstance(one, int) and isinstance(other, int):
            alike = abs(one - other) <= max(1, MEMORY_SHARE * one)
            phrases += [] if alike else [f"{field} is {other}, not {one}"]
        elif one != other:
            phrases.append(f"{field} is {other}, not {one}")
    return phrases


def adopt(described: dict, known: list[dict]) -> dict:
    """Return the first known description of this kind of machine, with the settings of today."""
    alike = [machine for machine in known if not list_unlike(machine, described)]
    today = {key: value for key, value in described.items() if key == SETTINGS}
    return alike[0] | today if alike else identify_machine(described)
