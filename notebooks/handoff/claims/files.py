"""Reading and checking of claim files."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from handoff.catalog import OF_CORES, OF_TIME, load_catalog
from handoff.claims.check import CORES, QUANTITIES, Check
from handoff.claims.model import ClaimFile
from handoff.errors import BadInput, validate
from handoff.files import read_yaml
from handoff.paths import CLAIMS, PUBLISHED, display_path
from handoff.study import find_primary


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
    require_known(f"{source}: study: unknown study", [file.study], load_catalog())
    tables = sorted(path.name for path in PUBLISHED.glob("*.csv"))
    require_known(f"{source}: tables: unknown table", file.tables, tables)
    for name, value in file.list_placeholders():
        words = [value] if isinstance(value, str) and not OF_TIME.fullmatch(value) else []
        require_known(f"{source}: {name}: unknown value", words, list_words(file))
    parameters = [parameter.name for parameter in file.spec.parameters]
    require_known(f"{source}: unstated: unknown parameter", file.unstated, parameters)
    for identity, claim in file.claims.items():
        for kind, checks in (("test", claim.test), ("shown", claim.shown)):
            for place, check in enumerate(checks):
                check_names(f"{source}: {identity}.{kind}.{place}", check, file)
                check_numbers(f"{source}: {identity}.{kind}.{place}", check, file)
    return file


def require_known(problem: str, words: Iterable[str], known: Iterable[str]) -> None:
    """Raise BadInput for a word that is unknown, with the problem and the words to choose from."""
    choices = list(known)
    for word in words:
        if word not in choices:
            raise BadInput(f"{problem} {word}; choose from {', '.join(choices)}.")


def list_words(file: ClaimFile) -> list[str]:
    return sorted({word for words in file.allowed().values() for word in words})


def check_names(source: str, check: Check, file: ClaimFile) -> None:
    """Raise BadInput for an unknown quantity, parameter or word; placeholders are known."""
    allowed, quantities = file.allowed(), [*QUANTITIES, *file.spec.measures]
    require_known(f"{source}.quantity: unknown quantity", [check.quantity], quantities)
    require_known(f"{source}.times: unknown parameter", filter(None, [check.times]), allowed)
    local = {name for name in check.along if name.isupper()}
    placeholders = local | {name for name, _ in file.list_placeholders()} | {CORES}
    for place, name, values in check.selections():
        if place == "along" and name in local:
            known = list_words(file)
        else:
            require_known(f"{source}.{place}: unknown parameter", [name], allowed)
            known = allowed[name]
        words = [v for v in values if isinstance(v, str) and not OF_CORES.fullmatch(v)]
        others = [word for word in words if not file.matches(name, word)]
        where = f"{source}.{place}.{name}: unknown value"
        require_known(where, others, sorted(placeholders.union(known)))


def check_numbers(source: str, check: Check, file: ClaimFile) -> None:
    """Raise BadInput for a number that no point has.

    A side has only its mechanism's parameters, the others at their defaults.
    """
    parameters = {p.name: p for p in file.spec.parameters}
    for place, name, values in check.selections():
        known = parameters.get(name)
        numbers = [v for v in values if isinstance(v, int)] if known and not known.values else []
        for number in numbers:
            if known and not known.holds(number):
                limits = f"from {known.min} to {known.max}"
                raise BadInput(f"{source}.{place}.{name}: must be {limits}, not {number}.")
    for place, side in (("of", check.of), ("to", check.to or {})):
        for mechanism in side.get("mechanism", []):
            relevant = file.spec.mechanisms.get(str(mechanism), list(parameters))
            for name, values in side.items():
                lacks = name in parameters and name not in ("mechanism", *relevant)
                if lacks and list(map(str, values)) != [parameters[name].default]:
                    raise BadInput(f"{source}.{place}.{name}: {mechanism} has no such parameter.")
