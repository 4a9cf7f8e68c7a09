"""Sweep files: found, read, and refused with file, key and what is allowed."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from handoff.errors import BadInput, wrong
from handoff.paths import SWEEPS, shown
from handoff.run.studies import studies
from handoff.run.sweep import Forks, Jvm, Quiet, Sweep, entry_model, sweep_model


def find(profile: str) -> Path:
    """The file of a profile: a word names one of data/sweeps, anything else is a path. BadInput when it is not there."""
    path = Path(profile) if "/" in profile or profile.endswith((".yml", ".yaml")) else SWEEPS / f"{profile}.yml"
    if not path.is_file():
        words = ", ".join(["reference", *sorted(f.stem for f in SWEEPS.glob("*.yml"))])
        raise BadInput(f"{profile}: there is no such profile or sweep file; allowed is {words}, or the path of a YAML file.")
    return path


def load(path: Path) -> Sweep:
    """Reads and checks a sweep. BadInput names the file, the key and what is allowed."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError) as error:
        raise BadInput(f"{shown(path)}: not readable as YAML: {' '.join(str(error).split())}.") from None
    return check(content, shown(path))


def check(content: Any, source: str) -> Sweep:
    """A sweep from what a YAML file holds. BadInput names `source`, the key and what is allowed."""
    try:
        sweep = sweep_model().model_validate(content)
    except ValidationError as error:
        raise BadInput(wrong(source, error, allowed)) from None
    if not sweep.entries():
        raise BadInput(f"{source}: studies: names no study; allowed is {', '.join(studies())}.")
    return sweep


def allowed(place: tuple) -> list[str]:
    """The keys that may stand at a place of the file."""
    match place:
        case ():
            return list(Sweep.model_fields)
        case ("studies",):
            return list(studies())
        case ("studies", study, _):
            return list(entry_model(study).model_fields)
        case ("studies", study, _, *_):
            return list(studies()[study].standards())
    return list({"jvm": Jvm, "forks": Forks, "quiet": Quiet}[place[0]].model_fields)
