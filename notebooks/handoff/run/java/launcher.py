"""Starts a program on given CPUs, with memory that the kernel puts on given NUMA nodes.

`launcher.py --bind 0 --cpus 0,1 java ...` stands alone and imports nothing of ours: it becomes the
program.
"""

import ctypes
import os
import platform
import sys

MODES = {"--bind": 2, "--interleave": 3}
CALLS = {"x86_64": 238, "aarch64": 237, "riscv64": 237, "ppc64le": 261, "s390x": 270}
"""The number of set_mempolicy(2)."""

LONG_BITS = 8 * ctypes.sizeof(ctypes.c_ulong)


def set_policy(mode: str, nodes: list[int]) -> None:
    """For this thread, and whatever program it becomes. OSError when the kernel refuses."""
    call = CALLS.get(platform.machine())
    if call is None:
        raise OSError(f"set_mempolicy is not known on {platform.machine()}")
    words = max(nodes) // LONG_BITS + 1
    mask = (ctypes.c_ulong * words)()
    for node in nodes:
        mask[node // LONG_BITS] |= 1 << node % LONG_BITS
    # The kernel takes one bit less than it is told.
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(call, MODES[mode], mask, ctypes.c_ulong(words * LONG_BITS + 1)) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def move(cpus: list[int]) -> None:
    """This process, and whatever program it becomes. OSError when the kernel refuses."""
    os.sched_setaffinity(0, cpus)


def main() -> None:
    words = sys.argv[1:]
    while words[0].startswith("--"):
        option, listed = words[:2]
        numbers = [int(number) for number in listed.split(",")]
        try:
            move(numbers) if option == "--cpus" else set_policy(option, numbers)
        except OSError as refused:
            sys.exit(f"OSError: {explain(option, listed)}: {refused}")
        del words[:2]
    os.execv(words[0], words)


def explain(option: str, listed: str) -> str:
    """What was refused, and what helps."""
    if option == "--cpus":
        return (
            f"the JVM's own threads may not leave the isolated CPUs for {listed}; allow them a CPU"
            " that is not isolated"
        )
    return (
        f"the kernel does not place memory on node {listed}; a container needs the capability"
        " SYS_NICE for that, without it --set memory=FIRST_TOUCH leaves the memory where the"
        " producer first writes it"
    )


if __name__ == "__main__":
    main()
