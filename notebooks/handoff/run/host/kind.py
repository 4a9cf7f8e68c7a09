"""Compare two machines: only forks from machines of one kind may share a run."""

from handoff.run.host.machine import SETTINGS, identify_machine

MEMORY_SHARE = 0.05
"""Tolerance: firmware and rounding make identical machines report different memory sizes."""

CHANGING = ("kernel",)
"""Fields that an update changes on a machine that stays of its kind."""


def list_unlike(one: dict, other: dict) -> list[str]:
    """Return a phrase for each field in which the other machine differs."""
    first, second = flatten(one), flatten(other)
    return compare(first, dict.fromkeys(first) | second)


def list_other_kind(one: dict, other: dict) -> list[str]:
    """Return a phrase for each field of the hardware that both have, and in which they differ."""
    hardware = {field: value for field, value in flatten(one).items() if field not in CHANGING}
    return compare(hardware, flatten(other))


def list_updated(one: dict, other: dict) -> list[str]:
    """Return a phrase for each thing that an update or a setting changed: kernel, microcode, ..."""
    first, second = (
        {field: machine.get(field) for field in CHANGING} | (machine.get(SETTINGS) or {})
        for machine in (one, other)
    )
    return compare(first, second)


def flatten(machine: dict) -> dict:
    """Return the description with the topology's fields at the top, without `id` and settings."""
    top = {f"topology.{key}": value for key, value in machine["topology"].items()}
    others = ("id", "topology", SETTINGS)
    return {key: value for key, value in (machine | top).items() if key not in others}


def compare(first: dict, second: dict) -> list[str]:
    """Return 'kernel is 6.1.0-13, not 6.1.0-12' per field that differs, without long values."""
    phrases = []
    for field, one in first.items():
        other = second.get(field, one)
        if isinstance(one, list | dict) or isinstance(other, list | dict):
            phrases += [f"{field} differs"] if one != other else []
        elif not is_alike(field, one, other):
            phrases.append(f"{field} is {other}, not {one}")
    return phrases


def is_alike(field: str, one: object, other: object) -> bool:
    if field == "memory_gib" and isinstance(one, int) and isinstance(other, int):
        return abs(one - other) <= max(1, MEMORY_SHARE * one)
    return one == other


def adopt(described: dict, known: list[dict]) -> dict:
    """Return the first known description of this kind of machine, with the settings of today."""
    alike = [machine for machine in known if not list_unlike(machine, described)]
    today = {key: value for key, value in described.items() if key == SETTINGS}
    return alike[0] | today if alike else identify_machine(described)
