"""The description of a node: its name, version of Handoff, jar, JDK and machine."""

import hashlib
import os
import platform
import shutil
from functools import cache

from distributed import get_worker

from handoff.errors import BadInput
from handoff.files import stat_signature
from handoff.paths import JAR, NOTEBOOKS, ROOT, STUDIES
from handoff.run.host import machine
from handoff.run.java import jar, jdk

HASH_DIGITS = 16


def find_host(asked: dict) -> str:
    if asked["pretend"]:
        return str(get_worker().name).partition("/")[0]
    return os.environ.get("SLURMD_NODENAME") or platform.node()


def describe_node(asked: dict) -> dict:
    """Return name and versions, and the machine where the jar is the driver's."""
    versions = {
        "host": find_host(asked),
        "package": hash_package(),
        "jar": hash_jar(stat_signature(JAR)),
    }
    if versions["jar"] != asked["jar"] or versions["package"] != asked["package"]:
        return versions
    java = find_java()
    return versions | {
        "jdk": java.runtime,
        "feature": java.feature,
        "machine": describe_machine(java, asked["pretend"]),
    }


@cache
def find_java() -> jdk.Jdk:
    """Return the JDK; raise BadInput where a driver would install one."""
    if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
        raise BadInput("no Java was found: set java: FOLDER in the cluster's file")
    return jdk.find_jdk()


@cache
def hash_jar(_: object) -> str | None:
    """Return the jar's hash, computed once per signature of the file."""
    return jar.hash_jar() if JAR.is_file() else None


@cache
def describe_machine(java: jdk.Jdk, pretended: str) -> dict:
    """Describe the machine once: it takes a JVM, and another worker may measure here."""
    here = machine.describe_machine(jar.query_topology(java))
    if pretended:
        here = machine.identify_machine(here | {"cpu": f"{pretended} (pretended)"})
    return here


@cache
def hash_package() -> str:
    """Return a hash of the package's code and of its description of the jar."""
    digest = hashlib.sha256()
    for file in [*sorted((NOTEBOOKS / "handoff").rglob("*.py")), STUDIES]:
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]
