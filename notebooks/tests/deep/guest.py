"""A two-node machine: QEMU emulates 2 x Xeon X5650, which reads this machine's files.

It proves placement, never performance. It needs qemu-system-x86, busybox-static and Debian's
archive, whose kernel is unpacked into a cache and not installed, but neither root nor KVM.
"""

import gzip
import itertools
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "handoff-guest"
SOCKETS, THREADS, CORE_IDS = (0, 1), (0, 1), 11
CPUS = [(s, c, t) for t in THREADS for c in (0, 8, 2, 10, 1, 9) for s in SOCKETS]
"""Socket, core id and thread of each CPU, numbered as by an HP SL390s, which alternates."""

INIT = """#!/bin/busybox sh
B=/bin/busybox
$B mount -t proc p /proc
M="virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci"
M="$M netfs fscache 9pnet 9pnet_virtio 9p"
for m in $M; do $B insmod /m/$m.ko; done
O=trans=virtio,version=9p2000.L,msize=524288
$B mount -t 9p -o ro,cache=loose,$O root /n || $B poweroff -f
for d in proc:proc sys:sysfs dev:devtmpfs tmp:tmpfs run:tmpfs; do
  $B mount -t ${d#*:} ${d#*:} /n/${d%:*}
done
$B mkdir -p /n/run/out /n/dev/shm
$B ln -s /proc/self/fd /n/dev/fd
$B mount -t tmpfs s /n/dev/shm
$B mount -t 9p -o $O out /n/run/out
$B ifconfig lo 127.0.0.1
export HOME=/tmp PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
$B chroot /n /bin/sh -c 'exec </dev/null; cd /run/out; . ./command.sh'
echo "@@ ended $?"
$B sync
$B poweroff -f
"""


def run(script: str, folder: Path, limit_s: int = 400, kernel_words: str = "") -> None:
    """Run a shell command in the guest; assert that it ends well.

    The guest can write to `folder` only. `kernel_words` are added to its kernel's command line.
    """
    image = kernel()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "command.sh").write_text(script + "\n")
    (folder / "initrd").write_bytes(archive(tables()) + gzip.compress(archive(root()), 1))
    command = ["timeout", str(limit_s), *qemu(folder, image, kernel_words)]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    console = process.stdout.decode(errors="replace")
    assert "@@ ended 0" in console, console[-5000:]


def qemu(folder: Path, image: Path, kernel_words: str) -> list[str]:
    """Return QEMU's command, which adds every CPU but the first as a device with its core id."""
    words = (
        "qemu-system-x86_64 -accel tcg,thread=single -machine q35 -cpu Westmere -m 3072M"
        " -nodefaults -nographic -no-reboot -serial stdio"
    )
    cpus = f"-smp 1,maxcpus={4 * CORE_IDS},sockets=2,cores={CORE_IDS},threads=2"
    for s, c, t in sorted(CPUS)[1:]:
        cpus += f" -device Westmere-x86_64-cpu,socket-id={s},core-id={c},thread-id={t}"
    node = (
        "-object memory-backend-ram,id=m{0},size=1536M -numa node,nodeid={0},memdev=m{0} -numa"
        " cpu,node-id={0},socket-id={0}"
    )
    nodes = " ".join(node.format(n) for n in SOCKETS)
    everything = "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap"
    out = f"local,path={folder},mount_tag=out,security_model=none"
    shares = ["-virtfs", everything, "-virtfs", out]
    boot = ["-kernel", str(image), "-initrd", str(folder / "initrd"), "-append"]
    boot.append(f"console=ttyS0 quiet panic=-1 mitigations=off {kernel_words}".strip())
    return [*words.split(), *cpus.split(), *nodes.split(), *shares, *boot]


def kernel() -> Path:
    """Return Debian's kernel, downloaded once."""
    image = CACHE / "vmlinuz"
    if not image.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        asked = ["apt-cache", "depends", "linux-image-amd64"]
        depends = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        package = re.search(r"Depends: (linux-image-\S+)", depends)[1]
        subprocess.run(["apt-get", "-q", "download", package], cwd=CACHE, check=True)
        wanted = "./boot/vmlinuz* */virtio*.ko */9p*.ko */netfs.ko */fscache.ko"
        unpack = (
            f"dpkg-deb --fsys-tarfile {package}_*.deb | tar x --wildcards"
            f" {' '.join(repr(w) for w in wanted.split())}"
        )
        subprocess.run(unpack, shell=True, cwd=CACHE, check=True)
        shutil.copy(next((CACHE / "boot").glob("vmlinuz-*")), image)
    return image


def root() -> list[tuple[str, bytes, int]]:
    """Return the first files that the guest sees, as (name, content, mode)."""
    modules = [
        (f"m/{file.name}", file.read_bytes(), 0o100644) for file in (CACHE / "lib").rglob("*.ko")
    ]
    busybox = ("bin/busybox", Path(shutil.which("busybox")).read_bytes(), 0o100755)
    init = ("init", INIT.encode(), 0o100755)
    return [*directories("bin", "m", "n", "proc"), *modules, busybox, init]


def directories(*names: str) -> list[tuple[str, bytes, int]]:
    return [(name, b"", 0o40755) for name in names]


def tables() -> list[tuple[str, bytes, int]]:
    """Return an ACPI table (MADT) with the CPUs in the order in which Linux numbers them."""
    every = itertools.product(SOCKETS, range(CORE_IDS), THREADS)
    absent = [place for place in every if place not in CPUS]
    entries = b"".join(
        struct.pack("<BBBBI", 0, 8, (s * CORE_IDS + c) * 2 + t, s * 32 + c * 2 + t, enabled)
        for enabled, cpus in ((1, CPUS), (0, absent))
        for s, c, t in cpus
    )
    others = bytes.fromhex("010c00000000c0fe00000000020a0000020000000000")
    lines = b"".join(struct.pack("<BBBBIH", 2, 10, 0, line, line, 13) for line in (5, 9, 10, 11))
    start = struct.pack("<II", 0xFEE00000, 1)
    body = b"".join([start, entries, others, lines, bytes.fromhex("0406ff000001")])
    names = (b"BOCHS ", b"BXPC    ", 2, b"BXPC", 1)
    table = bytearray(b"APIC" + struct.pack("<IBB6s8sI4sI", 36 + len(body), 1, 0, *names) + body)
    table[9] = -sum(table) & 255
    return [
        *directories("kernel", "kernel/firmware", "kernel/firmware/acpi"),
        ("kernel/firmware/acpi/apic.aml", bytes(table), 0o100644),
    ]


def archive(files: list[tuple[str, bytes, int]]) -> bytes:
    """Return a cpio archive in the format that Linux unpacks at boot."""
    packed = b""
    for number, (name, content, mode) in enumerate([*files, ("TRAILER!!!", b"", 0)], 1):
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        packed += b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        packed += bytes(-len(packed) % 4) + content
        packed += bytes(-len(packed) % 4)
    return packed + bytes(-len(packed) % 512)
