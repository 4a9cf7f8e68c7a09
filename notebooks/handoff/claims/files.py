"""Reading and checking of claim files."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NoReturn

from handoff.catalog import OF_CORES, OF_TIME, load_catalog
from handoff.claims.check import CORES, Check, Value
from handoff.claims.model import ClaimFile
from handoff.errors import BadInput, validate
from handoff.files import read_yaml
from handoff.paths import CLAIMS, PUBLISHED, display_path
from handoff.registry import find_primary


@cache
def load_claim_files() -> dict[str, ClaimFile]:
    """Load the claims of every study, the paper's first."""
    paths = sorted(
        CLAIMS.glob("*.yml"), key=lambda path: (path.stem != find_primary().name, path.stem)
    )
    return {path.stem: load_claims(path) for path in paths}


def load_claims(path: Path) -> ClaimFile:
    """Load one claim file; raise BadInput, with claim, key and choices, where it is wrong."""
    source = display_path(path)
    file = validate(ClaimFile, read_yaml(path), source)
    if file.study != path.stem:
        raise BadInput(f"{source}: study: is {file.study}, but the file is named {path.stem}.")
    if file.study not in load_catalog():
        refuse(f"{source}: study: unknown study {file.study}", load_catalog())
    check_head(source, file)
    for identity, claim in file.claims.items():
        for kind, checks in (("test", claim.test), ("shown", claim.shown)):
            for place, check in enumerate(checks):
                check_names(f"{source}: {identity}.{kind}.{place}", check, file)
    return file


def refuse(problem: str, choices: Iterable[str]) -> NoReturn:
    """Raise BadInput with the problem and the words to choose from."""
    raise BadInput(f"{problem}; choose from {', '.join(choices)}.")


def check_head(source: str, file: ClaimFile) -> None:
    """Raise BadInput for unknown tables, or readings that select nothing."""
    for name in file.tables:
        if not (PUBLISHED / name).is_file():
            names = sorted(path.name for path in PUBLISHED.glob("*.csv"))
            refuse(f"{source}: tables: {name} is not in {display_path(PUBLISHED)}", names)
    words = list_words(file)
    for reading in file.reading_list():
        for name, value in reading.bindings().items():
            if isinstance(value, str) and value not in words and not OF_TIME.fullmatch(value):
                refuse(f"{source}: readings: {name}: unknown value {value}", sorted(words))


def list_words(file: ClaimFile) -> set[str]:
    """Return the words of all parameters of the study."""
    return {word for words in file.allowed().values() for word in words}


def check_names(source: str, check: Check, file: ClaimFile) -> None:
    """Raise BadInput for an unknown quantity, parameter or word; placeholders are known."""
    allowed = file.allowed()
    if check.quantity not in file.quantities():
        refuse(f"{source}.quantity: unknown quantity {check.quantity}", file.quantities())
    if check.times is not None and check.times not in allowed:
        refuse(f"{source}.times: unknown parameter {check.times}", allowed)
    local = {name for name in check.along if name.isupper()}
    placeholders = local | {name for r in file.reading_list() for name in r.bindings()} | {CORES}
    for place, name, values in check.selections():
        where = f"{source}.{place}.{name}"
        if name in allowed:
            others = [value for value in values if not file.matches(name, value)]
            check_words(where, others, placeholders | set(allowed[name]))
        elif name in local and place == "along":
            check_words(where, values, placeholders | list_words(file))
        else:
            refuse(f"{where}: unknown parameter", allowed)


def check_words(where: str, values: Iterable[Value], words: set[str]) -> None:
    """Raise BadInput for a word that is neither one of `words` nor a number of cores."""
    for value in values:
        if isinstance(value, str) and value not in words and not OF_CORES.fullmatch(value):
            refuse(f"{where}: unknown value {value}", sorted(words))
