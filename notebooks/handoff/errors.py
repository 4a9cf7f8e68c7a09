"""The ways in which a command can end badly, and the exit codes of all endings."""

from collections.abc import Callable

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from handoff.text import suggest

COMPLETE, OUR_FAILURE, BAD_INPUT, INCOMPLETE, REGRESSION, BUSY = 0, 1, 2, 3, 4, 5


class HandoffError(Exception):
    """A bad ending, told in one sentence, without a stack trace."""

    code = OUR_FAILURE

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it."""
        return [str(self)]


class Failure(HandoffError):
    """A step of ours that failed."""


class BadInput(HandoffError):
    """A user's mistake, a missing set-up, a full disk: what a person can mend."""

    code = BAD_INPUT


class Busy(HandoffError):
    """Another runner is measuring on this machine."""

    code = BUSY


def describe_validation_error(
    source: str, error: ValidationError, keys: Callable[[tuple], list[str]]
) -> str:
    """The first thing wrong, as one sentence: file, key, what is wrong, what is allowed.

    `keys` tells those of a place of the file.
    """
    # A misspelt key is often a missing one too: the misspelling is what a person must see.
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    where = ".".join(str(part) for part in first["loc"]) or "the whole file"
    if first["type"] == "extra_forbidden":
        allowed = keys(first["loc"][:-1])
        near = suggest(first["loc"][-1], allowed)
        return f"{source}: {where}: unknown key; allowed is {', '.join(allowed)}.{near}"
    if first["type"] == "value_error":
        # A sentence of ours, which may end with a question of its own.
        said = str(first["ctx"]["error"])
        return f"{source}: {where}: {said}{'' if said.endswith('?') else '.'}"
    given = "" if first["type"] == "missing" else f", not {first['input']!r}"
    return f"{source}: {where}: {explain_error(first)}{given}."


WORDS = {
    "missing": "is missing",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_type": "must be text",
    "list_type": "must be a list",
    "dict_type": "must be keys with values",
    "model_type": "must be keys with values",
    "model_attributes_type": "must be keys with values",
    "too_short": "needs at least one value",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be {ge:g} or more",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be {le:g} or less",
    "literal_error": "must be {expected}",
    "string_pattern_mismatch": "must look like {pattern}",
}
"""What pydantic finds, by its name for it, in our words; what it knows goes into them."""


def explain_error(error: ErrorDetails) -> str:
    """What is wrong, in our words; pydantic's own for what has none."""
    text = WORDS.get(error["type"])
    return text.format(**error.get("ctx", {})) if text else error["msg"]
