"""Whether two machines are of one kind, so that their forks may stand in one run."""

from handoff.run.host.machine import identify_machine

MEMORY_SHARE = 0.05
"""Twins tell memories that differ by what their firmware keeps, and by rounding."""


def list_unlike(one: dict, other: dict) -> list[str]:
    """The fields in which another machine differs, in words; none for one of the same kind."""
    first, second = flatten(one), flatten(other)
    return [
        describe(field, first.get(field), second.get(field))
        for field in first
        if not is_alike(field, first.get(field), second.get(field))
    ]


def flatten(machine: dict) -> dict:
    """The parts of the topology beside the rest; `id` follows from them."""
    top = {f"topology.{key}": value for key, value in machine["topology"].items()}
    return {key: value for key, value in (machine | top).items() if key not in ("id", "topology")}


def is_alike(field: str, one: object, other: object) -> bool:
    if field == "memory_gib" and isinstance(one, int) and isinstance(other, int):
        return abs(one - other) <= max(1, MEMORY_SHARE * one)
    return one == other


def describe(field: str, one: object, other: object) -> str:
    """'kernel is 6.1.0-13, not 6.1.0-12', without what is too long to read."""
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return f"{field} differs"
    return f"{field} is {other}, not {one}"


def adopt(found: dict, known: list[dict]) -> dict:
    """The first description of a machine of this kind that is known, else the one that was
    found.
    """
    alike = [machine for machine in known if not list_unlike(machine, found)]
    return alike[0] if alike else identify_machine(found)
