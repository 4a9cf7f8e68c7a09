"""Machines that the tests simulate."""

from dataclasses import replace

from handoff.model.machine import PS, Machine, load_machine

X5650 = load_machine("x5650")


def change(machine: Machine, **ns: float) -> Machine:
    """Return the same machine with other constants."""
    return replace(machine, times={**machine.times, **{k: round(v * PS) for k, v in ns.items()}})


JDK17 = replace(X5650, jdk=17)
