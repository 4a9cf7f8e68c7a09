"""By how much what the model says depends on what it does not know: each uncertain constant halved
and doubled, each choice made otherwise, and all constants off at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from handoff.model.machine import PS, Machine
from handoff.model.simulation import CAPACITY

BASE = "base"
MOST_APART = 2.0
"""Arms that are further apart than this say nothing together."""

JOINT_DRAWS, JOINT_FACTOR = 8, 1.4
CHOICE_DRAWS = 8
SCALED = (
    "near",
    "far",
    "idle",
    "atomic",
    "fence",
    "java",
    "spins",
    "yields",
    "try_park",
    "permit",
    "unpark",
    "switch",
    "switch_cpu",
    "nap",
    "nap_cpu",
    "produce",
    "fill",
    "sort",
)
"""What is halved and doubled, and drawn; the others are known well or hardly matter."""

SMALL = 1024
"""Places in the model's queue and ring: as many as are soon full. Of the paper's nothing is known;
see the arms of the capacity.
"""

NEWER_LOCK_SPINS = 2000 * PS
"""JDK 17's lock lets the first of those who wait look again for a while before it parks; by
behaviour, and the time is a guess.
"""


@dataclass(frozen=True)
class Arm:
    """One way of not knowing: the machine, what else is chosen, and the seed."""

    name: str
    machine: Machine
    capacity: int = SMALL
    lock_spins: int = 0
    seed: int = 1


def list_arms(machine: Machine) -> Iterator[Arm]:
    """The base first; then joint draws of the constants, one thing at a time, the choices in all
    their combinations, and both together.
    """
    yield Arm(BASE, machine)
    for draw in range(JOINT_DRAWS):
        drawn = draw_constants(machine, Random(f"draw {draw}"))
        yield Arm(f"draw {draw + 1}", drawn, seed=draw + 2)
    for name in SCALED:
        yield Arm(f"{name} x 0.5", machine.scale(name, 0.5))
        yield Arm(f"{name} x 2", machine.scale(name, 2))
    combined = sorted(list_choices(machine), key=lambda arm: arm.name.count(AND))
    alone = [arm for arm in combined if AND not in arm.name]
    yield from alone
    yield Arm("another seed", machine, seed=99)
    yield from combined[len(alone) :]
    for draw in range(CHOICE_DRAWS):
        random = Random(f"draw of choices {draw}")
        drawn = draw_constants(machine, random)
        chosen = random.choice([Arm(BASE, drawn), *list_choices(drawn)])
        yield replace(chosen, name=f"choices drawn {draw + 1}: {chosen.name}", seed=draw + 102)


def draw_constants(machine: Machine, random: Random) -> Machine:
    """All uncertain constants off at once, each by up to `JOINT_FACTOR`."""
    for name in SCALED:
        machine = machine.scale(name, JOINT_FACTOR ** random.uniform(-1, 1))
    return machine


AND = ", "


def list_choices(machine: Machine) -> Iterator[Arm]:
    """Every combination of the choices but the base's own; each is named by what is not as in the
    base.
    """
    capacities = (SMALL, 256, CAPACITY)
    for off, capacity, spins in product((False, True), capacities, (0, NEWER_LOCK_SPINS)):
        names = [
            *(["idle states off"] if off else []),
            *([f"capacity {capacity}"] if capacity != SMALL else []),
            *(["a lock like JDK 17's"] if spins else []),
        ]
        if names:
            own = machine.scale("idle", 0) if off else machine
            yield Arm(AND.join(names), own, capacity=capacity, lock_spins=spins)


def wake_at_a_tenth(machine: Machine) -> Machine:
    for name in ("unpark", "switch", "switch_cpu", "idle"):
        machine = machine.scale(name, 0.1)
    return machine


ONE_SOCKET, CHEAP_WAKING = "one socket of twelve cores", "waking costs a tenth"
WHAT_IFS: dict[str, Callable[[Machine], Machine]] = {
    ONE_SOCKET: Machine.merge_sockets,
    CHEAP_WAKING: wake_at_a_tenth,
}
