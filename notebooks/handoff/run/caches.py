"""The data caches of a core, as the kernel tells them."""

import re
from pathlib import Path

from handoff.text import parse_cpus

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def read_caches(cpu: int, root: Path = Path("/")) -> list[dict]:
    """Of the logical CPU `cpu`, from the nearest: `level`, `bytes`, and how many CPUs share it.

    Empty where the kernel is silent.
    """
    found = []
    for folder in sorted((root / f"sys/devices/system/cpu/cpu{cpu}/cache").glob("index[0-9]*")):
        kind, level, size, shared = (
            read_text(folder / name) for name in ("type", "level", "size", "shared_cpu_list")
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


def read_text(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""
