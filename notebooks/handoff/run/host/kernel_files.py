"""The kernel's small text files below /proc and /sys, which may be missing or odd."""

import re
from pathlib import Path

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
