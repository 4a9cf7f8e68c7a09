"""Sweep files: found, read, and refused with file, key and what is allowed."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from handoff.catalog import load_catalog
from handoff.errors import BadInput, describe_validation_error
from handoff.files import read_yaml
from handoff.paths import SWEEPS, display_path
from handoff.run.plan.sweep import Forks, Jvm, Quiet, Sweep, build_entry_model, build_sweep_model
from handoff.text import suggest


def find_sweep(profile: str) -> Path:
    """The file of a profile: a word names one of data/sweeps, anything else is a path.

    BadInput when it is not there.
    """
    path = (
        Path(profile)
        if "/" in profile or profile.endswith((".yml", ".yaml"))
        else SWEEPS / f"{profile}.yml"
    )
    if not path.is_file():
        words = ["reference", *sorted(f.stem for f in SWEEPS.glob("*.yml"))]
        raise BadInput(
            f"{profile}: there is no such profile or sweep file; allowed is {', '.join(words)}, or"
            f" the path of a YAML file.{suggest(profile, words)}"
        )
    return path


def load_sweep(path: Path) -> Sweep:
    """Reads and checks a sweep. BadInput names the file, the key and what is allowed."""
    try:
        content = read_yaml(path)
    except (yaml.YAMLError, ValueError) as error:
        raise BadInput(
            f"{display_path(path)}: not readable as YAML: {' '.join(str(error).split())}."
        ) from None
    return validate_sweep(content, display_path(path))


def validate_sweep(content: Any, source: str) -> Sweep:
    """A sweep from what a YAML file holds. BadInput names `source`, the key and what is allowed."""
    try:
        sweep = build_sweep_model().model_validate(content)
    except ValidationError as error:
        raise BadInput(describe_validation_error(source, error, list_allowed_keys)) from None
    if not sweep.entries():
        raise BadInput(
            f"{source}: studies: names no study; allowed is {', '.join(load_catalog())}."
        )
    return sweep


def list_allowed_keys(place: tuple) -> list[str]:
    """The keys that may stand at a place of the file."""
    match place:
        case ():
            return list(Sweep.model_fields)
        case ("studies",):
            return list(load_catalog())
        case ("studies", study, _):
            return list(build_entry_model(study).model_fields)
        case ("studies", study, _, *_):
            return list(load_catalog()[study].defaults())
    models: dict[str, type[BaseModel]] = {"jvm": Jvm, "forks": Forks, "quiet": Quiet}
    return list(models[place[0]].model_fields)
