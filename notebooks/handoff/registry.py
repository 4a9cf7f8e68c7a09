"""Studies, discovered by folder: each package of `handoff.studies` defines one `STUDY`."""

import pkgutil
from functools import cache
from importlib import import_module

from handoff.catalog import load_catalog
from handoff.paths import STUDY_ROOMS
from handoff.study import Study


@cache
def load_studies() -> dict[str, Study]:
    """Return all studies in order; one that only the jar knows gets the defaults."""
    rooms = [room.name for room in pkgutil.iter_modules([str(STUDY_ROOMS)]) if room.ispkg]
    studies: dict[str, Study] = {}
    for room in rooms:
        study: Study = import_module(f"handoff.studies.{room}").STUDY
        if study.name != room:
            raise ValueError(
                f"handoff/studies/{room}: expected a study named {room}, got {study.name}"
            )
        studies[room] = study
    studies |= {name: Study(name) for name in load_catalog() if name not in studies}
    return dict(sorted(studies.items(), key=lambda item: (item[1].order, item[0])))


def find_study(name: str) -> Study:
    """Return the study of that name; an unknown one gets the defaults."""
    return load_studies().get(name) or Study(name)


@cache
def find_primary() -> Study:
    """Return the study that the paper is about."""
    return next(study for study in load_studies().values() if study.primary)
