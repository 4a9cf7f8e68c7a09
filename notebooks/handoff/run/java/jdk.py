"""Find the JDK and Maven, or install them where no confirmation is needed."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.paths import JAR

OLDEST = 17
HOW = (
    "install one (Debian: apt-get install openjdk-17-jdk-headless; conda: environment.yml has it)"
    " or set JAVA_HOME"
)


class Jdk(NamedTuple):
    """A Java installation, its full version and vendor (`runtime`), and the jar that it runs."""

    java: Path
    feature: int
    runtime: str
    jar: Path = JAR


def find_jdk() -> Jdk:
    """Return the JDK to use: JAVA_HOME, or the first `java` on the PATH; raise BadInput."""
    if home := os.environ.get("JAVA_HOME"):
        java = Path(home) / "bin" / "java"
        if java.is_file():
            return inspect_java(java)
        raise BadInput(
            f"JAVA_HOME is {home}, but {java} does not exist: set it to a JDK of version {OLDEST}"
            " or newer, or unset it."
        )
    if not shutil.which("java"):
        install_package("openjdk-17-jdk-headless", f"No Java was found: {HOW}.")
    return inspect_java(Path(shutil.which("java") or "java"))


def inspect_java(java: Path) -> Jdk:
    """Return the version of a `java`; raise BadInput if it does not start or is too old."""
    command = [str(java), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise BadInput(f"{java} cannot be started: {error.strerror}; {HOW}.") from None
    properties = dict(re.findall(r"^\s+([\w.]+) = (.*)$", answer.stderr, re.MULTILINE))
    version = properties.get("java.specification.version", "")
    if not version:
        said = " ".join((answer.stderr or answer.stdout).split())[:200] or "nothing"
        raise BadInput(f"{java} does not start: it ended with {answer.returncode} and said: {said}")
    feature = int(version.removeprefix("1.")) if re.fullmatch(r"(1\.)?\d+", version) else 0
    if feature < OLDEST:
        raise BadInput(
            f"{java} is Java {version}; Handoff needs a JDK of version {OLDEST} or newer: {HOW}."
        )
    name, release, vendor = (
        properties.get(f"java.{key}") for key in ("vm.name", "runtime.version", "vendor")
    )
    return Jdk(java, feature, f"{name} {release} ({vendor})")


def find_tool(java: Jdk, name: str) -> Path:
    """Return the path of a tool of the JDK; raise BadInput if Java is only a runtime."""
    tool = java.java.resolve().with_name(name)
    if not tool.is_file():
        raise BadInput(f"{tool.parent} has no {name}: install a JDK, or set JAVA_HOME to one.")
    return tool


def find_maven() -> str:
    """Return the `mvn` command; raise BadInput if it is missing and cannot be installed."""
    how = "install it (Debian: apt-get install maven; conda: environment.yml has it)"
    if not shutil.which("mvn"):
        install_package("maven", f"Maven was not found: {how}.")
    return "mvn"


def install_package(package: str, otherwise: str) -> None:
    """Install a Debian package, or raise BadInput(`otherwise`) elsewhere or without root."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise BadInput(otherwise)
    print(f"Installing the Debian package {package} ...", flush=True)
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", package]):
        ended = subprocess.run(["apt-get", *words], capture_output=True, env=env)
    if ended.returncode != 0:
        raise BadInput(f"The Debian package {package} could not be installed. {otherwise}")
