"""Start a program on given CPUs, with its memory on given NUMA nodes.

`launcher.py --bind 0 --cpus 0,1 java ...` becomes the program. It imports nothing of Handoff.
"""

import ctypes
import errno
import os
import platform
import sys

MODES = {"--bind": 2, "--interleave": 3}
CALLS = {"x86_64": 238, "aarch64": 237, "riscv64": 237, "ppc64le": 261, "s390x": 270}
"""The number of the system call set_mempolicy(2)."""

LONG_BITS = 8 * ctypes.sizeof(ctypes.c_ulong)


def set_policy(mode: str, nodes: list[int]) -> None:
    """Set the memory policy of this thread and of the program that it becomes."""
    call = CALLS.get(platform.machine())
    if call is None:
        raise OSError(f"set_mempolicy is not known on {platform.machine()}")
    words = max(nodes) // LONG_BITS + 1
    mask = (ctypes.c_ulong * words)()
    for node in nodes:
        mask[node // LONG_BITS] |= 1 << node % LONG_BITS
    # The kernel reads one bit less than this number.
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(call, MODES[mode], mask, ctypes.c_ulong(words * LONG_BITS + 1)) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def main() -> None:
    words = sys.argv[1:]
    while words[0].startswith("--"):
        option, listed = words[:2]
        numbers = [int(number) for number in listed.split(",")]
        try:
            if option == "--cpus":
                os.sched_setaffinity(0, numbers)
            else:
                set_policy(option, numbers)
        except OSError as refused:
            sys.exit(f"OSError: {explain(option, listed, refused.errno)}")
        del words[:2]
    os.execv(words[0], words)


def explain(option: str, listed: str, number: int | None) -> str:
    """Return what the kernel refused, and which permission is missing."""
    if option == "--cpus":
        return (
            f"the JVM's own threads may not run on CPUs {listed}: allow this process a CPU that is"
            " not isolated."
        )
    missing = {
        errno.EPERM: "in a container, start it with --cap-add SYS_NICE",
        errno.EINVAL: "allow this process the node (cpuset.mems)",
    }.get(number or 0, os.strerror(number) if number else f"unknown on {platform.machine()}")
    return f"the kernel refuses to place memory on node {listed}: {missing}."


if __name__ == "__main__":
    main()
