"""What makes a run what it is: sweep, machine, jar, JDK and flags; a change in any of these makes
another run. All but the sweep are the set-up that a fork was measured in.
"""

from collections.abc import Callable, Mapping, Sequence

from handoff.errors import BadInput
from handoff.files import hash_content, stat_signature
from handoff.paths import display_path
from handoff.run.java import jar, jvm
from handoff.run.java.jdk import Jdk
from handoff.run.plan.sweep import Sweep

TICKET = "ticket"
"""Of a lab's run alone: its forks belong to one prediction."""

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
    """'another machine and other JVM flags'"""
    return " and ".join(WORDS.get(key, f"another {key}") for key in keys)


def compute_identity(sweep: Sweep, here: dict, jdk: Jdk) -> dict[str, str]:
    """The parts by name; `here` is the machine's description."""
    return {
        "sweep": hash_sweep(sweep),
        "machine": here["id"],
        "jar": jar.hash_jar(),
        "jdk": jdk.runtime,
    } | {
        "flags": hash_content(
            [jvm.build_flags(sweep.jvm, collector, jdk.feature) for collector in jvm.COLLECTORS]
        ),
        **({TICKET: sweep.ticket} if sweep.ticket else {}),
    }


def hash_sweep(sweep: Sweep) -> str:
    """8 hex digits; what it is about makes no difference, nor a ticket or a class of one's own that
    it does not have.
    """
    content = sweep.model_dump(exclude={"about"})
    if not sweep.ticket:
        del content[TICKET]
    if not sweep.jvm.yours:
        del content["jvm"]["yours"]
    return hash_content(content)


def hash_identity(identity: Mapping[str, str]) -> str:
    """8 hex digits that stand for a run in its folder's name."""
    return hash_content(select_keys(identity, IDENTITY_KEYS))


def hash_setup(identity: Mapping[str, str]) -> str:
    """8 hex digits that stand in a fork file for what it was measured in: forks of one point and
    one set-up may be pooled, whichever sweep asked for them.
    """
    return hash_content(select_keys(identity, SETUP_KEYS))


def select_keys(identity: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    """These parts of it; KeyError where it lacks one, but for the ticket, which few runs have."""
    return {key: identity[key] for key in keys if key != TICKET or TICKET in identity}


def list_other(first: Mapping[str, str], second: Mapping[str, str], keys: Sequence[str]) -> list:
    """The parts that are not the same in both."""
    return [key for key in keys if first.get(key) != second.get(key)]


def make_change_check(jdk: Jdk) -> Callable[[], None]:
    """A check, cheap enough for every fork, that Java and jar are still those that were there now.

    BadInput when not.
    """
    watched = {file: stat_signature(file) for file in (jdk.java, jar.JAR)}

    def check() -> None:
        for file, before in watched.items():
            if stat_signature(file) != before:
                raise BadInput(
                    f"{display_path(file)} was changed or removed while measuring: what is measured"
                    " is kept; start again."
                )

    return check
