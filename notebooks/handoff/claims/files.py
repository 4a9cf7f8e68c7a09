"""Claim files: found, read, and refused with file, claim, key and what is allowed."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from handoff.catalog import OF_TIME
from handoff.claims.assignments import MACHINE_WORDS
from handoff.claims.model import Check, Claim, ClaimFile, Needs
from handoff.errors import BadInput, describe_validation_error
from handoff.files import read_yaml
from handoff.paths import CLAIMS, PUBLISHED, display_path
from handoff.registry import find_primary


def load_claims(path: Path) -> ClaimFile:
    """Reads and checks one file.

    BadInput names the file, the claim, the key and what is allowed.
    """
    try:
        content = read_yaml(path)
        loaded = ClaimFile.model_validate(content)
    except ValidationError as error:
        raise BadInput(
            describe_validation_error(display_path(path), error, list_allowed_keys)
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        raise BadInput(
            f"{display_path(path)}: not readable as YAML: {' '.join(str(error).split())}."
        ) from None
    if loaded.study != path.stem:
        raise BadInput(
            f"{display_path(path)}: study: is {loaded.study}, but the file is named {path.stem}."
        )
    check_tables_and_readings(display_path(path), loaded)
    for identity, claim in loaded.claims.items():
        for kind, checks in (("test", claim.test), ("shown", claim.shown)):
            for place, check in enumerate(checks):
                check_names(f"{display_path(path)}: {identity}.{kind}.{place}", check, loaded)
    return loaded


def load_all_claims() -> list[ClaimFile]:
    """Every study's claims, the paper's first."""
    files = sorted(
        CLAIMS.glob("*.yml"), key=lambda path: (path.stem != find_primary().name, path.stem)
    )
    return [load_claims(path) for path in files]


def check_tables_and_readings(where: str, file: ClaimFile) -> None:
    """BadInput for a table that is not there, or a reading with a word that no parameter has: it
    would silently choose nothing.
    """
    for name in file.tables:
        if not (PUBLISHED / name).is_file():
            there = ", ".join(sorted(path.name for path in PUBLISHED.glob("*.csv")))
            raise BadInput(
                f"{where}: tables: {name} is not in {display_path(PUBLISHED)}; allowed is {there}."
            )
    for reading in file.reading_list():
        for name, value in reading.bindings().items():
            decided = isinstance(value, str) and OF_TIME.fullmatch(value)
            if isinstance(value, str) and not decided and value not in list_words(file):
                raise BadInput(
                    f"{where}: readings: {name}: {value} is not known; allowed is"
                    f" {', '.join(sorted(list_words(file)))}."
                )


def list_words(file: ClaimFile) -> set[str]:
    """The words that any parameter of the study may have."""
    return {word for words in file.allowed().values() for word in words}


def check_names(where: str, check: Check, file: ClaimFile) -> None:
    """BadInput for a parameter that the study does not have, or a word that is neither a value of
    it nor a placeholder.
    """
    allowed = file.allowed()
    if check.quantity not in file.quantities():
        raise BadInput(
            f"{where}.quantity: {check.quantity} is not known; allowed is"
            f" {', '.join(file.quantities())}."
        )
    placeholders = {name for reading in file.reading_list() for name in reading.bindings()} | set(
        MACHINE_WORDS
    )
    local = {name for name in check.along if name.isupper()}
    for place, selection in check.selections():
        for name, values in selection.items():
            if name not in allowed and not (name in local and place == "along"):
                raise BadInput(
                    f"{where}.{place}.{name}: unknown parameter; allowed is {', '.join(allowed)}."
                )
            own = allowed[name] if name in allowed else list_words(file)
            words = [*own, *placeholders, *local]
            for value in values:
                if isinstance(value, str) and value not in words:
                    raise BadInput(
                        f"{where}.{place}.{name}: {value} is not known; allowed is"
                        f" {', '.join(sorted(words)) or 'a number'}."
                    )
    if check.times is not None and check.times not in allowed:
        raise BadInput(
            f"{where}.times: {check.times} is no parameter; allowed is {', '.join(allowed)}."
        )


def list_allowed_keys(place: tuple[Any, ...]) -> list[str]:
    """The keys that may stand at a place of a claim file."""
    match place:
        case ():
            return list(ClaimFile.model_fields)
        case ("claims", _):
            return list(Claim.model_fields)
        case ("claims", _, "needs"):
            return list(Needs.model_fields)
        case (*_, "change"):
            return ["from", "to"]
    return list(Check.model_fields)
