"""Make the archive of parsed classes that forks of one jar and JDK share (class data sharing).

It saves each fork some tenths of a second, before and during its first shot.
"""

import os
import re
import tempfile
import zipfile
from pathlib import Path

from handoff.errors import Failure
from handoff.paths import JAR
from handoff.run import planning
from handoff.run.host import process
from handoff.run.host.process import SurvivingProcess
from handoff.run.java.command import ARCHIVE, build_command, locate_archive, write_inputs
from handoff.run.java.jdk import Jdk
from handoff.run.plan.selection import select_sweep

LEAST_FORKS = 30
"""For fewer forks, making the archive takes longer than it saves."""

LIMIT_S = 120
TRAINING = "smoke"
"""The sweep whose first point loads the classes of every fork: Java's, JMH's and Handoff's."""


def provide_archive(jdk: Jdk, forks: int) -> None:
    """Make the archive if it is missing and worth it; raise nothing but SurvivingProcess."""
    file = locate_archive(jdk)
    if file.is_file() or forks < LEAST_FORKS or not os.access(file.parent, os.W_OK):
        return
    try:
        make_archive(jdk, file)
    except SurvivingProcess:
        raise
    except Exception:
        # The forks report what is wrong with this Java, jar or disk.
        return


def make_archive(jdk: Jdk, file: Path) -> None:
    """Make an archive of the classes that a small fork loads and of all Handoff classes."""
    with tempfile.TemporaryDirectory(prefix="handoff-archive-", dir=file.parent) as name:
        folder = Path(name)
        classes = dict.fromkeys([*load_classes(jdk, folder), *list_classes(jdk.jar)])
        listed, made = folder / "classes.txt", folder / file.name
        listed.write_text("\n".join(classes) + "\n")
        flags = [f"-XX:SharedClassListFile={listed}", f"-XX:SharedArchiveFile={made}"]
        run_java([str(jdk.java), "-Xshare:dump", *flags, "-cp", str(jdk.jar)], folder)
        made.replace(file)
        # Those of earlier jars go, but not those that other machines made of this jar.
        for other in file.parent.glob(f"{ARCHIVE}-*.jsa"):
            if other.stat().st_mtime < JAR.stat().st_mtime:
                other.unlink(missing_ok=True)


def run_java(command: list[str], folder: Path) -> None:
    if process.run_process(command, folder, LIMIT_S) != 0:
        raise Failure("the class archive could not be made.")


def load_classes(jdk: Jdk, folder: Path) -> list[str]:
    """Return the lines of Java's class list for the classes that a fork loads."""
    asked, listed = select_sweep(TRAINING, [], []), folder / "loaded.txt"
    point = next(point for point in planning.plan_points(asked, jdk) if point.forks)
    write_inputs(jdk.jar, point, folder)
    command = build_command(jdk, asked.sweep.jvm, point, folder)
    command.insert(command.index(str(jdk.java)) + 1, f"-XX:DumpLoadedClassList={listed}")
    run_java(command, folder)
    return [
        line
        for line in listed.read_text().splitlines()
        if not line.startswith("#") and " source:" not in line
    ]


def list_classes(jar: Path) -> list[str]:
    """Return all Handoff classes in the form of Java's class list."""
    with zipfile.ZipFile(jar) as opened:
        names = [name for name in opened.namelist() if re.fullmatch(r"handoff/.*\.class", name)]
    return [name.removesuffix(".class") for name in names if "package-info" not in name]
