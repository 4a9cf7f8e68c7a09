"""Find, read and check sweep files; a refusal names the file, the key and the choices."""

from pathlib import Path
from typing import Any

from handoff.catalog import load_catalog
from handoff.errors import BadInput, validate
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
    content = read_yaml(path)
    if isinstance(content, dict) and isinstance(content.get("extends"), str):
        # Each is checked by itself, so that a message names a place in its file.
        validate_sweep(content, display_path(path))
        file = find_sweep(content["extends"])
        base = read_yaml(file)
        if validate_sweep(base, display_path(file)).extends:
            raise BadInput(f"{display_path(path)}: extends: {base['extends']} is what to extend.")
        # Its entries come after those of the sweep that it extends.
        studies = dict(base["studies"])
        for study, entries in content["studies"].items():
            studies[study] = [*(studies.get(study) or []), *(entries or [])] or None
        content = base | content | {"studies": studies}
    return validate_sweep(content, display_path(path))


def validate_sweep(content: Any, source: str) -> Sweep:
    """Return the sweep in a file's content, or raise BadInput naming `source` and the key."""
    sweep = validate(build_sweep_model(), content, source)
    if not sweep.entries():
        raise BadInput(
            f"{source}: studies: name at least one study of {', '.join(load_catalog())}."
        )
    return sweep
