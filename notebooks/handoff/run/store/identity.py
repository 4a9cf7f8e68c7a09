"""Identify a run by sweep, machine, jar, JDK and flags; a change of any makes another run.

All but the sweep are the set-up that a fork was measured in.
"""

from collections.abc import Callable, Mapping, Sequence

from handoff.errors import BadInput
from handoff.files import hash_content, stat_signature
from handoff.paths import display_path
from handoff.run.java import jar, jvm
from handoff.run.java.jdk import Jdk
from handoff.run.plan.sweep import Sweep

TICKET = "ticket"
"""Key of a lab's run: its forks belong to one prediction."""

SETUP_KEYS = ("machine", "jar", "jdk", "flags", TICKET)
IDENTITY_KEYS = ("sweep", *SETUP_KEYS)

WORDS = {
    "sweep": "another sweep",
    "machine": "another machine",
    "jar": "another jar",
    "jdk": "another JDK",
    "flags": "other JVM flags",
    TICKET: "another lab ticket",
}


def describe_difference(keys: Sequence[str]) -> str:
    """Return 'another machine and other JVM flags'."""
    return " and ".join(WORDS.get(key, f"another {key}") for key in keys)


def compute_identity(sweep: Sweep, here: dict, jdk: Jdk) -> dict[str, str]:
    """Return the parts of the identity; `here` is the machine's description."""
    return {
        "sweep": hash_sweep(sweep),
        "machine": here["id"],
        "jar": jar.hash_jar(),
        "jdk": jdk.runtime,
        "flags": hash_content(
            [jvm.build_flags(sweep.jvm, collector, jdk.feature) for collector in jvm.COLLECTORS]
        ),
        **({TICKET: sweep.ticket} if sweep.ticket else {}),
    }


def hash_sweep(sweep: Sweep) -> str:
    """Return 8 hex digits for a sweep, ignoring its `about`.

    Ticket and class of a lab count only where they are set, which keeps older hashes valid.
    """
    content = sweep.model_dump(exclude={"about", "extends"})
    if not sweep.ticket:
        del content[TICKET]
    if not sweep.jvm.yours:
        del content["jvm"]["yours"]
    return hash_content(content)


def hash_identity(identity: Mapping[str, str]) -> str:
    """Return 8 hex digits that identify a run in its folder's name."""
    return hash_content(select_keys(identity, IDENTITY_KEYS))


def hash_setup(identity: Mapping[str, str]) -> str:
    """Return 8 hex digits for the set-up, as stored in fork files.

    Forks of one point and one set-up may be pooled, even from different sweeps.
    """
    return hash_content(select_keys(identity, SETUP_KEYS))


def select_keys(identity: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    """Return these parts of an identity; the ticket, which few runs have, may be missing."""
    return {key: identity[key] for key in keys if key != TICKET or TICKET in identity}


def list_other(first: Mapping[str, str], second: Mapping[str, str], keys: Sequence[str]) -> list:
    """Return the keys whose values differ."""
    return [key for key in keys if first.get(key) != second.get(key)]


def make_change_check(jdk: Jdk) -> Callable[[], None]:
    """Return a cheap check that raises BadInput if Java or the jar changed since this call."""
    watched = {file: stat_signature(file) for file in (jdk.java, jar.JAR)}

    def check() -> None:
        for file, before in watched.items():
            if stat_signature(file) != before:
                raise BadInput(
                    f"{display_path(file)} was changed or removed while measuring: finished forks"
                    " are kept; start again."
                )

    return check
