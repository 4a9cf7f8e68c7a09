"""The studies, found by folder: each package of `handoff.studies` defines one `STUDY`."""

import pkgutil
from functools import cache
from importlib import import_module

from handoff.catalog import load_catalog
from handoff.paths import STUDY_ROOMS
from handoff.study import Study


@cache
def load_studies() -> dict[str, Study]:
    """Every study in its order; one that only the jar knows has a study's defaults."""
    rooms = [room.name for room in pkgutil.iter_modules([str(STUDY_ROOMS)]) if room.ispkg]
    found: dict[str, Study] = {}
    for room in rooms:
        study: Study = import_module(f"handoff.studies.{room}").STUDY
        if study.name != room:
            raise ValueError(
                f"handoff/studies/{room} calls its study {study.name}: one word, please"
            )
        found[room] = study
    missing = {name: Study(name) for name in load_catalog() if name not in found}
    ordered = sorted(
        [*found.values(), *missing.values()], key=lambda study: (study.order, study.name)
    )
    return {study.name: study for study in ordered}


def find_study(name: str) -> Study:
    """The study of that name; one that neither a room nor the jar knows has a study's defaults."""
    return load_studies().get(name) or Study(name)


@cache
def find_primary() -> Study:
    """The study that the paper is about."""
    return next(study for study in load_studies().values() if study.primary)
