"""What the model says of the paper's machine: computed once, for it takes half an hour, and kept in
data/model/: `python -m handoff.modelled.predictions`.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from handoff.errors import BadInput
from handoff.model.machine import load_machine
from handoff.model.mechanisms import MECHANISMS, SEQUENTIAL
from handoff.model.simulation import Point, simulate
from handoff.modelled.arms import BASE, WHAT_IFS, Arm, list_arms
from handoff.modelled.pool import compute_all
from handoff.paths import DATA, display_path

PAPER = "x5650"
LOADS = (1, 15, 300)
MOST_CONSUMERS = 11
FEWER = (1, 2, 3, 5, 6, 8, 11)
"""Consumers in the arms; the base and the draws have all."""

FEWEST = (5, 6, 8, 11)
"""Consumers in the arms of what-ifs: one socket full, and more."""

MODEL = DATA / "model"
TABLE = MODEL / "x5650.csv"
WHAT_IF_TABLE = MODEL / "x5650-what-if.csv"
ROUND = 3


class Task(NamedTuple):
    """One point of one arm; of which what-if, where it is one."""

    arm: Arm
    point: Point
    what_if: str = ""


def is_whole(arm: Arm) -> bool:
    """Whether it is computed for all numbers of consumers."""
    return arm.name == BASE or arm.name.startswith("draw")


def list_tasks() -> Iterator[Task]:
    for arm in list_arms(load_machine(PAPER)):
        for sorts in LOADS:
            yield Task(arm, Point(SEQUENTIAL, 1, sorts))
            for mechanism in MECHANISMS:
                for n in range(1, MOST_CONSUMERS + 1) if is_whole(arm) else FEWER:
                    yield Task(arm, Point(mechanism, n, sorts, arm.capacity))


def list_what_ifs() -> Iterator[Task]:
    """Each change in each arm, so that a what-if is compared with the same arm as it is."""
    for (name, change), arm in product(WHAT_IFS.items(), list_arms(load_machine(PAPER))):
        changed = replace(arm, machine=change(arm.machine))
        for sorts, mechanism in product(LOADS[:2], MECHANISMS):
            for n in range(1, MOST_CONSUMERS + 1) if arm.name == BASE else FEWEST:
                yield Task(changed, Point(mechanism, n, sorts, arm.capacity), name)


def run_task(task: Task) -> dict[str, object]:
    """One row of the table: times in ns, all of an event but `cores`."""
    arm, point, what_if = task
    found = simulate(arm.machine, point, arm.seed, arm.lock_spins)
    return {
        **({"what_if": what_if} if what_if else {}),
        "arm": arm.name,
        "mechanism": point.mechanism,
        "consumers": 0 if point.mechanism == SEQUENTIAL else point.consumers,
        "sorts": point.sorts,
        "ns": round(found.ns, ROUND),
        "cores": round(found.cores, ROUND),
        "near": round(found.near, ROUND),
        "far": round(found.far, ROUND),
        "sleeps": round(found.sleeps, ROUND),
    }


def write_tables() -> None:
    """All of it, on all cores, with the time left."""
    MODEL.mkdir(exist_ok=True)
    for tasks, file in ((list_tasks(), TABLE), (list_what_ifs(), WHAT_IF_TABLE)):
        rows = compute_all(run_task, list(tasks), file.name, chunk=4)
        pd.DataFrame(rows).to_csv(file, index=False)


def load_table() -> pd.DataFrame:
    """One row a point and arm. BadInput where it is not there."""
    return read_table(TABLE)


def load_what_ifs() -> pd.DataFrame:
    return read_table(WHAT_IF_TABLE)


def read_table(file: Path) -> pd.DataFrame:
    if not file.is_file():
        raise BadInput(f"{file} is not there: python -m handoff.modelled.predictions writes it.")
    return pd.read_csv(file)


if __name__ == "__main__":
    write_tables()
    print("Wrote", display_path(TABLE), "and", display_path(WHAT_IF_TABLE))
