"""The archive of parsed classes that the forks of one jar and JDK share (class data sharing): it
saves each a third of a second before its first shot, and changes nothing else.
"""

import contextlib
import tempfile
import zipfile
from pathlib import Path

from handoff.paths import JAR
from handoff.run import planning, process
from handoff.run.command import HINTS, build_command, locate_archive, read_compiler_hints
from handoff.run.identity import stat_signature
from handoff.run.jdk import Jdk
from handoff.run.selection import select_sweep

LEAST_FORKS = 30
"""For fewer, making it takes longer than it saves."""

LIMIT_S = 120
TRAINING = "smoke"
"""The sweep whose first point loads what every fork does: Java's own classes, JMH's and ours."""


def provide_archive(jdk: Jdk, forks: int) -> None:
    """Makes the archive when it is not there and that many forks are worth it; where that fails,
    forks load their classes from the jar.
    """
    file = locate_archive(jdk.runtime, stat_signature(JAR))
    if not file.is_file() and forks >= LEAST_FORKS:
        # Whatever is wrong with this Java, jar or disk, the forks will tell.
        with contextlib.suppress(Exception):
            make_archive(jdk, file)


def make_archive(jdk: Jdk, file: Path) -> None:
    """Of the classes that a small fork loads, and all others of ours."""
    with tempfile.TemporaryDirectory(prefix="handoff-archive-") as name:
        folder = Path(name)
        classes = dict.fromkeys([*load_classes(jdk, folder), *list_classes()])
        listed, made = folder / "classes.txt", folder / file.name
        listed.write_text("\n".join(classes) + "\n")
        command = [
            str(jdk.java),
            "-Xshare:dump",
            f"-XX:SharedClassListFile={listed}",
            f"-XX:SharedArchiveFile={made}",
            "-cp",
            str(JAR),
        ]
        if process.run_process(command, folder, LIMIT_S) == 0:
            # Beside the jar first: a file that is half there has another name.
            half = file.with_suffix(".tmp")
            half.write_bytes(made.read_bytes())
            half.replace(file)


def load_classes(jdk: Jdk, folder: Path) -> list[str]:
    """The lines of Java's list of the classes that one fork loads by the usual loaders."""
    asked, listed = select_sweep(TRAINING, [], []), folder / "loaded.txt"
    point = planning.plan_points(asked, jdk)[0]
    (folder / HINTS).write_text(read_compiler_hints())
    command = build_command(jdk, asked.sweep.jvm, point, folder)
    command.insert(command.index(str(jdk.java)) + 1, f"-XX:DumpLoadedClassList={listed}")
    process.run_process(command, folder, LIMIT_S)
    return [
        line
        for line in listed.read_text().splitlines()
        if not line.startswith("#") and " source:" not in line
    ]


def list_classes() -> list[str]:
    """All classes of ours, as Java lists them."""
    with zipfile.ZipFile(JAR) as opened:
        names = [Path(name) for name in opened.namelist() if name.startswith("handoff/")]
    return [
        str(name.with_suffix(""))
        for name in names
        if name.suffix == ".class" and name.stem != "package-info"
    ]
