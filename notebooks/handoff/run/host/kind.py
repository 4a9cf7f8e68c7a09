"""Compare two machines: only forks from machines of one kind may share a run."""

from handoff.run.host.machine import SETTINGS, identify_machine

MEMORY_SHARE = 0.05
"""Tolerance: firmware and rounding make identical machines report different memory sizes."""


def list_unlike(one: dict, other: dict) -> list[str]:
    """Return a phrase for each field in which the other machine differs."""
    first, second = flatten(one), flatten(other)
    return [
        describe(field, first.get(field), second.get(field))
        for field in first
        if not is_alike(field, first.get(field), second.get(field))
    ]


CHANGING = ("kernel",)
"""Fields that an update changes on a machine that stays of its kind."""


def list_other_kind(one: dict, other: dict) -> list[str]:
    """Return a phrase for each field of the hardware in which the other machine differs.

    A field that only one of them has, as in runs of older releases, makes no difference.
    """
    first, second = flatten(one), flatten(other)
    common = [field for field in first if field in second and field not in CHANGING]
    return [
        describe(field, first[field], second[field])
        for field in common
        if not is_alike(field, first[field], second[field])
    ]


def list_updated(one: dict, other: dict) -> list[str]:
    """Return a phrase for each thing that an update or a setting changed: kernel, microcode, ..."""
    first, second = (
        {field: machine.get(field) for field in CHANGING} | (machine.get(SETTINGS) or {})
        for machine in (one, other)
    )
    return [
        describe(field, value, second[field])
        for field, value in first.items()
        if field in second and value != second[field]
    ]


def flatten(machine: dict) -> dict:
    """Return the description with the topology's fields at the top, without `id` and settings."""
    top = {f"topology.{key}": value for key, value in machine["topology"].items()}
    others = ("id", "topology", SETTINGS)
    return {key: value for key, value in (machine | top).items() if key not in others}


def is_alike(field: str, one: object, other: object) -> bool:
    if field == "memory_gib" and isinstance(one, int) and isinstance(other, int):
        return abs(one - other) <= max(1, MEMORY_SHARE * one)
    return one == other


def describe(field: str, one: object, other: object) -> str:
    """Return 'kernel is 6.1.0-13, not 6.1.0-12', without values that are too long to read."""
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return f"{field} differs"
    return f"{field} is {other}, not {one}"


def adopt(described: dict, known: list[dict]) -> dict:
    """Return the first known description of the same kind of machine, or else the new one.

    Its settings are those of today.
    """
    alike = [machine for machine in known if not list_unlike(machine, described)]
    today = {key: value for key, value in described.items() if key == SETTINGS}
    return alike[0] | today if alike else identify_machine(described)
