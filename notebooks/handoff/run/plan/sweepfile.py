"""Find, read and check sweep files; a refusal names the file, the key and the choices."""

from functools import partial
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from handoff.catalog import load_catalog
from handoff.errors import BadInput, describe_validation_error, list_keys
from handoff.files import read_yaml
from handoff.paths import SWEEPS, display_path
from handoff.run.plan.sweep import Sweep, build_sweep_model
from handoff.text import suggest


def find_sweep(profile: str) -> Path:
    """Return the file of a profile, which a path or a word of data/sweeps names."""
    is_path = "/" in profile or profile.endswith((".yml", ".yaml"))
    path = Path(profile) if is_path else SWEEPS / f"{profile}.yml"
    if not path.is_file():
        words = ["reference", *sorted(f.stem for f in SWEEPS.glob("*.yml"))]
        unknown = f"unknown profile or sweep file {profile}"
        raise BadInput(
            f"{unknown if profile.strip() else 'the profile is empty; is a variable unset?'};"
            f" choose from {', '.join(words)}, or give the path of a YAML file."
            f"{suggest(profile, words)}"
        )
    return path


def load_sweep(path: Path) -> Sweep:
    """Load and check a sweep, or raise BadInput naming the file, the key and the choices."""
    content = read_content(path)
    if isinstance(content, dict) and isinstance(content.get("extends"), str):
        # Each is checked by itself, so that a message names a place in its file.
        validate_sweep(content, display_path(path))
        file = find_sweep(content["extends"])
        base = read_content(file)
        if validate_sweep(base, display_path(file)).extends:
            raise BadInput(f"{display_path(path)}: extends: {base['extends']} is what to extend.")
        # Its entries come after those of the sweep that it extends.
        studies = dict(base["studies"])
        for study, entries in content["studies"].items():
            studies[study] = [*(studies.get(study) or []), *(entries or [])] or None
        content = base | content | {"studies": studies}
    return validate_sweep(content, display_path(path))


def read_content(path: Path) -> Any:
    try:
        return read_yaml(path)
    except (yaml.YAMLError, ValueError) as error:
        reason = " ".join(str(error).split()).replace('in "<unicode string>", ', "at ")
        raise BadInput(f"{display_path(path)}: not readable as YAML: {reason}.") from None


def validate_sweep(content: Any, source: str) -> Sweep:
    """Return the sweep in a file's content, or raise BadInput naming `source` and the key."""
    model = build_sweep_model()
    try:
        sweep = model.model_validate(content)
    except ValidationError as error:
        keys = partial(list_keys, model)
        raise BadInput(describe_validation_error(source, error, keys)) from None
    if not sweep.entries():
        raise BadInput(
            f"{source}: studies: name at least one study of {', '.join(load_catalog())}."
        )
    return sweep
