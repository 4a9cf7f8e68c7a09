"""By how much what the model says depends on what it does not know: each uncertain constant halved
and doubled, each choice made otherwise, and all constants off at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from handoff.model.machine import PS, Machine
from handoff.model.simulation import CAPACITY

BASE = "base"
MOST_APART = 2.0
"""Arms that are further apart than this say nothing together."""

JOINT_DRAWS, JOINT_FACTOR = 8, 1.4
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
    """The base first; then joint draws, then one thing at a time."""
    yield Arm(BASE, machine)
    for draw in range(JOINT_DRAWS):
        random, drawn = Random(f"draw {draw}"), machine
        for name in SCALED:
            drawn = drawn.scale(name, JOINT_FACTOR ** random.uniform(-1, 1))
        yield Arm(f"draw {draw + 1}", drawn, seed=draw + 2)
    for name in SCALED:
        yield Arm(f"{name} x 0.5", machine.scale(name, 0.5))
        yield Arm(f"{name} x 2", machine.scale(name, 2))
    yield Arm("idle states off", machine.scale("idle", 0))
    yield Arm("capacity 256", machine, capacity=256)
    yield Arm(f"capacity {CAPACITY}", machine, capacity=CAPACITY)
    yield Arm("a lock like JDK 17's", machine, lock_spins=NEWER_LOCK_SPINS)
    yield Arm("another seed", machine, seed=99)


def wake_at_a_tenth(machine: Machine) -> Machine:
    for name in ("unpark", "switch", "switch_cpu", "idle"):
        machine = machine.scale(name, 0.1)
    return machine


ONE_SOCKET, CHEAP_WAKING = "one socket of twelve cores", "waking costs a tenth"
WHAT_IFS: dict[str, Callable[[Machine], Machine]] = {
    ONE_SOCKET: Machine.merge_sockets,
    CHEAP_WAKING: wake_at_a_tenth,
}
