"""What the actors do, in which comparisons agree, and which forks are compared."""

import pandas as pd

from handoff.analysis import baseline
from handoff.studies.actors import STUDY
from handoff.text import pluralize

SCENE = ("route", "accesses", "perworker", "workers", "generator")
"""What the actors do and how many there are: what a comparison over mechanisms and state has in
common.
"""


def describe_scene(route: str, accesses: int, perworker: int, workers: int, generator: str) -> str:
    """'2 workers, 3 actors each, 100 accesses'; what is not as published is said."""
    parts = [
        pluralize(workers, "worker"),
        f"{pluralize(perworker, 'actor')} each",
        f"{accesses} access{'es' if accesses > 1 else ''}",
    ]
    parts += ["cheap generator"] if generator == "CHEAP" else []
    return ", ".join(parts + (["to other actors"] if route == "OTHERS" else []))


def select_baseline(forks: pd.DataFrame) -> pd.DataFrame:
    """Every scene, size of state and mechanism; placement and collector as they
    stand for the run.
    """
    return baseline.select_baseline(forks, STUDY.name, (*SCENE, "bytes"))
