"""The sweep chosen on the command line: a profile, narrowed by `--only` and changed by `--set`."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import yaml

from handoff.catalog import ALL, OF_CORES, YOURS, load_catalog, parse_values
from handoff.errors import BadInput
from handoff.files import parse_yaml
from handoff.paths import display_path
from handoff.run.plan.sweep import (
    Entry,
    Sweep,
    find_sweep,
    load_sweep,
    require_relevant,
    validate_sweep,
)
from handoff.text import suggest

ENTRY_KEYS = tuple(name for name in Entry.model_fields if name not in ("include", "exclude"))
"""Keys that an entry has in addition to the study's parameters, each with a single value."""


class SweepRequest(NamedTuple):
    """A sweep to run: `source` names it in messages, `text` is stored in the run's folder.

    `base` is the profile whose run the sweep adds to, '' for a run of its own.
    """

    profile: str
    source: str
    text: str
    sweep: Sweep
    base: str = ""


def select_sweep(
    profile: str, only: Sequence[str], sets: Sequence[str], yours: str = ""
) -> SweepRequest:
    """Return the profile's sweep with the options applied, or raise BadInput naming the option.

    `yours` is the name and hash of a user's class, which the sweep measures as YOURS.
    """
    file = find_sweep(profile)
    sweep = load_sweep(file)
    # Before --only, which may leave a mechanism without what its entry varies.
    require_relevant(sweep, display_path(file))
    words = [f"--class {yours.partition('@')[0]}"] if yours else []
    words += [f"--only {word}" for word in only] + [f"--set {word}" for word in sets]
    if not words and not sweep.extends:
        return SweepRequest(file.stem, display_path(file), file.read_text(encoding="utf-8"), sweep)
    content = to_file_content(sweep)
    if yours:
        add_class(content, yours, display_path(file))
    for word in sets:
        apply_set(content, word)
    for word in only:
        apply_only(content, word)
    source = display_path(file) + (f" with {' '.join(words)}" if words else "")
    studies = content["studies"]
    content["studies"] = {study: entries for study, entries in studies.items() if entries}
    if not content["studies"]:
        raise BadInput(f"{source}: no point is left.")
    return SweepRequest(
        file.stem,
        source,
        f"# {source}\n{yaml.safe_dump(content, sort_keys=False)}",
        validate_sweep(content, source),
        base="" if words else sweep.extends or "",
    )


def add_class(content: dict[str, Any], yours: str, source: str) -> None:
    """Set the user's class, and add the mechanism YOURS next to others where none has it."""
    content["jvm"]["yours"] = yours
    studies = [name for name, spec in load_catalog().items() if YOURS in spec.mechanisms]
    entries = [entry for name in studies for entry in content["studies"].get(name, [])]
    listings = [entry.get("mechanism", []) for entry in entries]
    if any(YOURS in listed for listed in listings):
        return
    others = [listed for listed in listings if set(listed) - {"SEQUENTIAL"}]
    for listed in others:
        listed.append(YOURS)
    if not others:
        raise BadInput(
            f"--class: {source} has no entry of {' or '.join(studies)} that compares mechanisms,"
            f" and none that names {YOURS}."
        )


def to_file_content(sweep: Sweep) -> dict[str, Any]:
    """Return the sweep as the content of a file, with each include as a separate entry."""
    content = sweep.model_dump(exclude={"studies", "extends"}) | {"studies": {}}
    for study, entry in sweep.entries():
        common = entry.model_dump(include=set(ENTRY_KEYS), exclude_none=True)
        common["exclude"] = entry.rules()
        content["studies"].setdefault(study, []).extend(
            values | common for values in entry.products()
        )
    return content


def apply_set(content: dict[str, Any], word: str) -> None:
    """Apply `--set name=value[,value]`; the name is a key of the file or of every entry."""
    name, values = split_option("--set", word)
    *path, last = name.split(".")
    place: Any = content
    for key in path:
        place = place.get(key) if isinstance(place, dict) else None
    if isinstance(place, dict) and last in place and last != "studies":
        single = len(values) == 1 and not isinstance(place[last], list)
        place[last] = values[0] if single else values
        return
    studies = [
        study
        for study in content["studies"]
        if name in (*ENTRY_KEYS, *load_catalog()[study].defaults())
    ]
    if not studies:
        choices = list_settable_keys(content)
        raise BadInput(
            f"--set {word}: unknown key {name}; choose from {', '.join(choices)}."
            f"{suggest(name, choices)}"
        )
    if name in ENTRY_KEYS and len(values) > 1:
        raise BadInput(f"--set {word}: {name} takes a single value.")
    # Each study takes the words that it knows, and keeps its values if it knows none. A word that
    # no study knows is set everywhere, so that validation refuses it.
    known = {study: load_catalog()[study].select_known(name, values) for study in studies}
    unknown = set(map(str, values)) - {str(value) for words in known.values() for value in words}
    for study, words in known.items():
        for entry in content["studies"][study] if words or unknown else []:
            entry[name] = values[0] if name in ENTRY_KEYS else values if unknown else words


def list_settable_keys(content: dict[str, Any]) -> list[str]:
    keys = [key for key, value in content.items() if not isinstance(value, dict)]
    inner = [f"{key}.{name}" for key in ("jvm", "forks", "quiet") for name in content[key]]
    parameters = [name for study in content["studies"] for name in load_catalog()[study].defaults()]
    return [*keys, *inner, *ENTRY_KEYS, *dict.fromkeys(parameters)]


def apply_only(content: dict[str, Any], word: str) -> None:
    """Apply `--only study` or `--only parameter=value[,value]`: drop everything else."""
    studies = content["studies"]
    if "=" not in word:
        if word not in studies:
            raise BadInput(
                f"--only {word}: not a study of this sweep; choose from {', '.join(studies)}, or"
                f" write parameter=values.{suggest(word, studies)}"
            )
        content["studies"] = {word: studies[word]}
        return
    name, values = split_option("--only", word)
    known = {name for study in studies for name in load_catalog()[study].defaults()}
    if name not in known:
        raise BadInput(
            f"--only {word}: unknown parameter {name}; choose from {', '.join(sorted(known))}."
            f"{suggest(name, known)}"
        )
    require_there(studies, word, name, values)
    for study, entries in studies.items():
        for entry in entries:
            listed = list_values(study, entry, name)
            entry[name] = [value for value in listed if str(value) in map(str, values)]
        studies[study] = [entry for entry in entries if entry[name]]


def list_values(study: str, entry: dict[str, Any], name: str) -> list:
    """Return an entry's values of a parameter: the listed ones, or else the study's default."""
    default = load_catalog()[study].defaults().get(name)
    standard = [] if default is None else [int(default) if default.isdigit() else default]
    return entry.get(name, standard)


def require_there(studies: dict[str, list], word: str, name: str, values: list) -> None:
    """Raise BadInput, with the values of the sweep, for a value that occurs nowhere in it."""
    present = {
        str(value)
        for study, entries in studies.items()
        for entry in entries
        for value in list_values(study, entry, name)
    }
    # Only the machine decides what such a word stands for.
    open_ended = any(OF_CORES.search(value) or value == ALL for value in present)
    unknown = [value for value in values if str(value) not in present]
    if unknown and not open_ended:
        known = sorted(present, key=lambda value: (int(value) if value.isdigit() else -1, value))
        raise BadInput(
            f"--only {word}: the sweep has no {name}={unknown[0]}; choose from {', '.join(known)}."
            f"{suggest(unknown[0], known)}"
        )


def split_option(option: str, word: str) -> tuple[str, list]:
    name, equals, text = word.partition("=")
    if not equals or not name or not text:
        raise BadInput(
            f"{option} {word}: write name=value, such as mechanism=SEQUENTIAL or consumers=1..3."
        )
    try:
        values = [each for part in text.split(",") for each in parse_values(parse_yaml(part))]
    except yaml.constructor.ConstructorError as wrong:
        raise BadInput(f"{option} {word}: {wrong.problem}.") from None
    except yaml.YAMLError:
        values = []
    except ValueError as wrong:
        raise BadInput(f"{option} {word}: {wrong}.") from None
    if not values or any(value is None or isinstance(value, list | dict) for value in values):
        raise BadInput(
            f"{option} {word}: write one value, several separated by commas, or a range from..to."
        )
    return name, values
