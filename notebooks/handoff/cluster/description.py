"""What a node is and has: its name, Handoff's version, the jar, Java, the machine."""

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
    """Versions first; the machine as well, where the jar is the driver's."""
    told = {
        "host": find_host(asked),
        "package": hash_package(),
        "jar": hash_jar(stat_signature(JAR)),
    }
    if told["jar"] != asked["jar"] or told["package"] != asked["package"]:
        return told
    java = find_java()
    return told | {
        "jdk": java.runtime,
        "feature": java.feature,
        "machine": describe_machine(java, asked["pretend"]),
    }


@cache
def find_java() -> jdk.Jdk:
    """BadInput where a driver on its own machine would install what is missing."""
    if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
        raise BadInput("no Java was found: say java: FOLDER in the cluster's file")
    return jdk.find_jdk()


@cache
def hash_jar(_: object) -> str | None:
    """Of the jar as it is, which its signature tells."""
    return jar.hash_jar() if JAR.is_file() else None


@cache
def describe_machine(java: jdk.Jdk, pretended: str) -> dict:
    """Once, for it takes a JVM, and another worker may measure here."""
    here = machine.describe_machine(jar.query_topology(java))
    if pretended:
        here = machine.identify_machine(here | {"cpu": f"{pretended} (pretended)"})
    return here


@cache
def hash_package() -> str:
    """Stands for Handoff's code and for what it knows of the jar."""
    digest = hashlib.sha256()
    for file in [*sorted((NOTEBOOKS / "handoff").rglob("*.py")), STUDIES]:
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]
