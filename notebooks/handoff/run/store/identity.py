"""Identify a run by its sweep and its set-up: machine, jar, JDK and flags."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from handoff.errors import BadInput
from handoff.files import hash_content, stat_signature
from handoff.paths import display_path
from handoff.run.java import command, jar
from handoff.run.java.arms import resolve_arms
from handoff.run.java.jdk import Jdk
from handoff.run.plan.settings import Jvm
from handoff.run.plan.sweep import Sweep

ARMS = "arms"
"""Key of a run with arms: the jar, JDK and flags of each. Those of the run are the first arm's."""

HOST = "host"
"""Key of a copy of a run on a cluster's node: the pseudonym of the node, kept in its forks."""

FORK_KEYS = ("machine", "jar", "jdk", "flags")
SETUP_KEYS = (*FORK_KEYS, ARMS)
IDENTITY_KEYS = ("sweep", *SETUP_KEYS)

WORDS = {
    "sweep": "another sweep",
    "machine": "another machine",
    "jar": "another jar",
    "jdk": "another JDK",
    "flags": "other JVM flags",
    ARMS: "other arms",
}


def describe_difference(keys: Sequence[str]) -> str:
    """Return 'another machine and other JVM flags'."""
    return " and ".join(WORDS.get(key, f"another {key}") for key in keys)


def compute_identity(sweep: Sweep, here: dict, jdk: Jdk) -> dict:
    """Return the parts of the identity; `here` is the machine's description."""
    arms = {
        name: describe_java(java, sweep.make_jvm(name))
        for name, java in resolve_arms(sweep, jdk).items()
    }
    return {
        "sweep": hash_sweep(sweep),
        "machine": here["id"],
        **arms[sweep.first_arm],
        **({ARMS: arms} if sweep.arms else {}),
    }


def describe_java(java: Jdk, planned: Jvm) -> dict[str, str]:
    flags = [
        command.build_flags(planned, collector, java.feature) for collector in command.COLLECTORS
    ]
    return {"jar": jar.hash_jar(java.jar), "jdk": java.runtime, "flags": hash_content(flags)}


def hash_sweep(sweep: Sweep) -> str:
    """Return 8 hex digits for a sweep, ignoring its `about`."""
    # Arms and the class of a lab count only where they are set: older hashes stay valid.
    unset = set() if sweep.arms else {ARMS}
    content = sweep.model_dump(exclude={"about", "extends", *unset})
    if not sweep.jvm.yours:
        del content["jvm"]["yours"]
    return hash_content(content)


def hash_identity(identity: Mapping) -> str:
    """Return 8 hex digits that identify a run in its folder's name; few runs have arms."""
    return hash_content({k: identity[k] for k in IDENTITY_KEYS if k != ARMS or k in identity})


def hash_setup(identity: Mapping, arm: str = "") -> str:
    """Return 8 hex digits for the set-up of an arm, or of a run without arms, as in fork files."""
    measured = {**identity, **(identity[ARMS][arm] if arm else {})}
    return hash_content({key: measured[key] for key in FORK_KEYS})


def list_other(first: Mapping, second: Mapping, keys: Sequence[str]) -> list:
    """Return the keys whose values differ."""
    return [key for key in keys if first.get(key) != second.get(key)]


def make_change_check(javas: Iterable[Jdk]) -> Callable[[], None]:
    """Return a cheap check that raises BadInput if a Java or jar changed since this call."""
    files = {file for java in javas for file in (java.java, java.jar)}
    watched = {file: stat_signature(file) for file in files}

    def check() -> None:
        for file, before in watched.items():
            if stat_signature(file) != before:
                raise BadInput(
                    f"{display_path(file)} was changed or removed while measuring: finished forks"
                    " are kept; start again."
                )

    return check
