"""The shape of a machine to plan for, and the kernel's files that such a machine would have.

2x64/4*2    two sockets with 64 cores each, on four NUMA nodes, and two CPUs per core
"""

import re
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.run.host.kernel_files import CPU, NODE

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


def write_tree(shape: Shape, root: Path) -> None:
    """Write the kernel's files that describe the machine."""
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
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text + "\n")
