"""Resolve the arms of a sweep: which JDK and which jar measure each of them."""

import contextlib
import os
import re
import shutil
import zipfile
from functools import cache
from pathlib import Path

from handoff.errors import BadInput
from handoff.run.java import jdk
from handoff.run.java.command import MAIN
from handoff.run.java.jdk import Jdk
from handoff.run.plan.sweep import Sweep

PLACES = ("/usr/lib/jvm", "/usr/java", "/opt", "~/.sdkman/candidates/java", "~/.jdks")
"""Folders in which systems and users keep several JDKs."""

MAIN_CLASS = f"{MAIN.replace('.', '/')}.class"


def resolve_arms(sweep: Sweep, ambient: Jdk, source: str = "the sweep") -> dict[str, Jdk]:
    """Return the JDK and jar of each arm; without arms, `ambient` for ''."""
    resolved = {}
    for name, arm in sweep.arms.items():
        place, java = f"{source}: arms.{name}", ambient
        if arm.jdk is not None:
            java = find_installed(arm.jdk, ambient, f"{place}.jdk")
        if arm.jar is not None:
            java = java._replace(jar=find_jar(arm.jar, place))
        resolved[name] = java
    return resolved or {"": ambient}


def find_installed(wanted: int | str, ambient: Jdk, place: str) -> Jdk:
    """Return the JDK in a folder, or one of a feature release: `ambient`, else the newest."""
    if isinstance(wanted, str):
        java = Path(wanted).expanduser() / "bin" / "java"
        if not java.is_file():
            raise BadInput(f"{place}: {java} does not exist; {describe_installed()}.")
        return jdk.inspect_java(java)
    if ambient.feature == wanted:
        return ambient
    matching = [java for java in list_installed() if java.feature == wanted]
    if not matching:
        raise BadInput(f"{place}: no JDK {wanted} is installed; {describe_installed()}.")
    # 25.0.10 comes after 25.0.9.
    return max(matching, key=lambda java: list(map(int, re.findall(r"\d+", java.runtime))))


def describe_installed() -> str:
    """Return 'found 17 in /usr/lib/jvm/jdk-17; give another one by its folder'."""
    listed = ", ".join(f"{java.feature} in {java.java.parents[1]}" for java in list_installed())
    return f"found {listed or 'none'}; give another one by its folder"


@cache
def list_installed() -> list[Jdk]:
    """Return every usable JDK found on this machine, oldest first."""
    places = [Path(place).expanduser() for place in PLACES]
    compilers = [found for place in places for found in place.glob("*/bin/javac")]
    named = [shutil.which("javac"), os.environ.get("JAVA_HOME", "") + "/bin/javac"]
    compilers += [Path(name) for name in named if name and Path(name).is_file()]
    installed = []
    for java in {compiler.resolve().with_name("java") for compiler in compilers}:
        # One that is too old, or broken, is not one to choose.
        with contextlib.suppress(BadInput):
            installed.append(jdk.inspect_java(java))
    return sorted(installed, key=lambda java: (java.feature, str(java.java)))


def find_jar(wanted: str, place: str) -> Path:
    file = Path(wanted).expanduser().resolve()
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as opened:
            if MAIN_CLASS in opened.namelist():
                return file
    raise BadInput(f"{place}.jar: {wanted} is not a benchmarks.jar of Handoff.")
