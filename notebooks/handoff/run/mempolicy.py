"""Starts a program whose memory the kernel puts on given NUMA nodes.

`mempolicy.py bind 0 java ...` stands alone and imports nothing of ours: it becomes the program.
"""

import ctypes
import os
import platform
import sys

MODES = {"bind": 2, "interleave": 3}
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


def main() -> None:
    mode, nodes, *command = sys.argv[1:]
    try:
        set_policy(mode, [int(node) for node in nodes.split(",")])
    except OSError as refused:
        sys.exit(
            f"OSError: the kernel does not place memory on node {nodes} ({refused}). A container"
            " needs the capability SYS_NICE for that; without it, --set memory=FIRST_TOUCH leaves"
            " the memory where the producer first writes it."
        )
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
