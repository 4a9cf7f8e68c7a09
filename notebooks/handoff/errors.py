"""The ways in which a command can end badly, and the exit codes of all endings."""

from collections.abc import Callable

from pydantic import ValidationError

COMPLETE, OUR_FAILURE, BAD_INPUT, INCOMPLETE, REGRESSION, BUSY = 0, 1, 2, 3, 4, 5


class HandoffError(Exception):
    """A bad ending, told in one sentence, without a stack trace."""

    code = OUR_FAILURE


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
        return f"{source}: {where}: unknown key; allowed is {', '.join(keys(first['loc'][:-1]))}."
    given = "" if first["type"] in ("missing", "value_error") else f" (got {first['input']!r})"
    return f"{source}: {where}: {first['msg'].removeprefix('Value error, ')}{given}."
