"""The kernel's small text files below /proc and /sys, which may be missing or odd.

They are read, and written for a machine that one does not have: to plan for, not to measure.

2x64/4*2    two sockets with 64 cores each, on four NUMA nodes, and two CPUs per core
"""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from handoff.errors import BadInput

CPU, NODE = "sys/devices/system/cpu", "sys/devices/system/node"


def read_text(path: Path) -> str:
    """Return a file's text without space and NUL bytes, or '' if it cannot be read."""
    try:
        return path.read_text(errors="replace").replace("\0", "").strip()
    except OSError:
        return ""


def read_sizes(path: Path) -> dict[str, int]:
    """Return the sizes in a file such as /proc/meminfo, in KiB by name."""
    sizes = re.findall(r"(\S+):\s*(\d+) kB$", read_text(path), re.MULTILINE)
    return {name: int(kib) for name, kib in sizes}


def list_control_groups(root: Path) -> list[Path]:
    """Return the folders of this process's control group, for CPUs, and of those above it."""
    membership, top = read_text(root / "proc/self/cgroup"), root / "sys/fs/cgroup"
    version2 = re.search(r"^0::/(.*)$", membership, re.MULTILINE)
    groups = [(top, top / (version2[1] if version2 else ""))]
    version1 = re.search(r"^\d+:((?:[\w=]+,)*cpu(?:,[\w=]+)*):/(.*)$", membership, re.MULTILINE)
    if version1:
        groups += [(mount := top / name, mount / version1[2]) for name in ("cpu", "cpu,cpuacct")]
    return [
        folder
        for mount, group in groups
        for folder in (group, *group.parents)
        if folder.is_relative_to(mount)
    ]


def read_quotas(root: Path) -> list[float]:
    """Return the CPU quotas of this process's control groups, in CPUs; those of 0 are none."""
    limits = [
        words
        for group in list_control_groups(root)
        for words in (
            read_text(group / "cpu.max").split(),
            [read_text(group / f"cpu.cfs_{name}_us") for name in ("quota", "period")],
        )
    ]
    return [
        int(words[0]) / int(words[1])
        for words in limits
        if len(words) == 2 and all(word.isdecimal() and int(word) for word in words)
    ]


SHAPE = re.compile(r"([1-9]\d{0,2})x([1-9]\d{0,3})(?:/([1-9]\d?))?(?:\*([1-9]))?")
MOST_CPUS = 8192


class Shape(NamedTuple):
    """Sockets, cores per socket, NUMA nodes per socket and CPUs per core."""

    sockets: int
    cores: int
    nodes: int = 1
    threads: int = 1

    def list_siblings(self, core: int) -> list[int]:
        """Return the CPUs of a core: all first siblings are numbered before all second ones."""
        return [core + self.sockets * self.cores * sibling for sibling in range(self.threads)]


def parse_shape(text: str) -> Shape:
    """Return the shape that a word such as 2x6 or 2x64/4*2 describes; raise BadInput."""
    word = SHAPE.fullmatch(text)
    if word is None:
        raise BadInput(
            f"--machine {text}: expected sockets x cores, such as 2x6, 2x64/4 with four NUMA nodes"
            " per socket, or 2x64*2 with two CPUs per core, or a folder with sys and proc."
        )
    shape = Shape(*(int(number or 1) for number in word.groups()))
    if shape.cores % shape.nodes:
        raise BadInput(f"--machine {text}: {shape.cores} cores do not divide into {shape.nodes}.")
    if shape.sockets * shape.cores * shape.threads > MOST_CPUS:
        raise BadInput(f"--machine {text}: expected at most {MOST_CPUS} CPUs.")
    return shape


def write_tree(shape: Shape, root: Path, more: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write the kernel's files that describe the machine, and `more` files by path."""
    total = shape.sockets * shape.cores * shape.threads
    files = {f"{CPU}/present": f"0-{total - 1}", f"{CPU}/online": f"0-{total - 1}"}
    nodes = shape.sockets * shape.nodes
    for node in range(nodes):
        socket = node // shape.nodes
        share = shape.cores // shape.nodes
        # Nodes are numbered socket by socket.
        cores = range(node * share, (node + 1) * share)
        ends = zip(*(shape.list_siblings(core) for core in (cores[0], cores[-1])), strict=True)
        cpus = ",".join(f"{first}-{last}" for first, last in ends)
        distances = [
            10 if other == node else 12 if other // shape.nodes == socket else 32
            for other in range(nodes)
        ]
        files[f"{NODE}/node{node}/cpulist"] = cpus
        files[f"{NODE}/node{node}/distance"] = " ".join(map(str, distances))
        for core in cores:
            siblings = ",".join(map(str, shape.list_siblings(core)))
            for cpu in shape.list_siblings(core):
                files |= {
                    f"{CPU}/cpu{cpu}/topology/core_cpus_list": siblings,
                    f"{CPU}/cpu{cpu}/topology/physical_package_id": str(socket),
                    f"{CPU}/cpu{cpu}/cache/index3/level": "3",
                    f"{CPU}/cpu{cpu}/cache/index3/type": "Unified",
                    f"{CPU}/cpu{cpu}/cache/index3/shared_cpu_list": cpus,
                }
    for path, text in (files | dict(more)).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text + "\n")
