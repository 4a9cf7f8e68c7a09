"""The forks of a lab's run as labs use them: plain dictionaries and lists."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from handoff.run.plan.points import Point
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run


def load_forks(run: Run, **params: object) -> list[tuple[Point, dict[str, Any]]]:
    """The fork files of the points with these parameters, each as it is read from JSON, in the
    order of their numbers. A fork that was measured again counts once, as the last.
    """
    wanted = {name: str(value) for name, value in params.items()}
    found: dict[tuple[str, int], tuple[Point, dict]] = {}
    for point, fork in read_forks(run, []):
        if wanted.items() <= point.params.items():
            file = run.folder / "forks" / f"{point.fork_name(fork.fork, fork.again)}.json"
            found[point.key, fork.fork] = point, json.loads(file.read_text())
    return list(found.values())


def list_fork_means(run: Run, **params: object) -> list[float]:
    """Nanoseconds an event after warm-up, of each fork of the points with these parameters."""
    found = load_forks(run, **params)
    return [float(np.mean(list_times(fork)[point.warmup :])) for point, fork in found]


def list_times(fork: Mapping[str, Any]) -> list[float]:
    """Nanoseconds an event of each shot, warm-up shots too."""
    return [shot["wallNs"] / shot["events"] for shot in fork["evidence"]["shots"]]
