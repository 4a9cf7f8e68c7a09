"""Resolve the arms of a sweep: which JDK and which jar measure each of them."""

import contextlib
import os
import re
import shutil
import tarfile
import tempfile
import zipfile
from functools import cache
from io import BytesIO
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_bytes
from handoff.paths import JAR, JARS, JAVA_BENCH
from handoff.run.host.process import ask_git
from handoff.run.java import jar, jdk
from handoff.run.java.command import MAIN
from handoff.run.java.jdk import Jdk
from handoff.run.plan.sweep import Sweep
from handoff.terminal import console

PLACES = ("/usr/lib/jvm", "/usr/java", "/opt", "~/.sdkman/candidates/java", "~/.jdks")
"""Folders in which systems and users keep several JDKs."""


def resolve_arms(sweep: Sweep, ambient: Jdk, source: str = "the sweep") -> dict[str, Jdk]:
    """Return the JDK and jar of each arm, built if need be; without arms, `ambient` for ''."""
    resolved = {}
    for name, arm in sweep.arms.items():
        place, java = f"{source}: arms.{name}", ambient
        if arm.jdk is not None:
            java = find_installed(arm.jdk, ambient, f"{place}.jdk")
        if arm.jar is not None:
            java = java._replace(jar=find_jar(arm.jar, ambient, place))
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
    return max(matching, key=lambda java: order_version(java.runtime))


def describe_installed() -> str:
    """Return 'found 17 in /usr/lib/jvm/jdk-17; give another one by its folder'."""
    listed = ", ".join(f"{java.feature} in {java.java.parents[1]}" for java in list_installed())
    return f"found {listed or 'none'}; give another one by its folder"


def order_version(runtime: str) -> list[int]:
    """Return the numbers of a version, so that 25.0.10 comes after 25.0.9."""
    return [int(number) for number in re.findall(r"\d+", runtime.rpartition("VM ")[2])]


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


def find_jar(wanted: str, ambient: Jdk, place: str) -> Path:
    """Return a jar given by its path, or by a commit, from which it is built once."""
    if "/" in wanted or wanted.endswith(".jar"):
        file = Path(wanted).expanduser().resolve()
        if not is_ours(file):
            raise BadInput(f"{place}.jar: {wanted} is not a benchmarks.jar of Handoff.")
        return file
    commit = find_commit(wanted)
    if commit is None:
        raise BadInput(
            f"{place}.jar: {wanted} is neither a commit of this repository nor the path of a jar."
        )
    file = JARS / f"{commit}.jar"
    if not file.is_file():
        console.print(f"Building the jar of commit {wanted} (a minute or two) ...")
        build_commit(file, ambient)
    return file


def find_commit(word: str) -> str | None:
    """Return the whole hash of a commit, tag or branch, or None if there is no such."""
    commit = ask_git("rev-parse", "--verify", "--quiet", f"{word}^{{commit}}")
    return commit.decode().strip() if commit else None


def is_ours(file: Path) -> bool:
    if not zipfile.is_zipfile(file):
        return False
    with zipfile.ZipFile(file) as opened:
        return f"{MAIN.replace('.', '/')}.class" in opened.namelist()


def build_commit(file: Path, ambient: Jdk) -> None:
    """Build a commit's jar apart from this checkout; `file` is named by the commit."""
    content = ask_git("archive", file.stem, JAVA_BENCH.name)
    if content is None:
        raise BadInput(f"commit {file.stem[:12]} has no {JAVA_BENCH.name}/.")
    with tempfile.TemporaryDirectory(prefix="handoff-commit-") as name:
        with tarfile.open(fileobj=BytesIO(content)) as packed:
            packed.extractall(name, filter="data")
        sources = Path(name, JAVA_BENCH.name)
        jar.package_jar(ambient, sources)
        file.parent.mkdir(exist_ok=True)
        write_bytes(file, (sources / JAR.relative_to(JAVA_BENCH)).read_bytes())
