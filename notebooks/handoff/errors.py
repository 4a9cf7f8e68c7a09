"""Errors that end a command, and the exit codes of all commands."""

import reprlib
from typing import TypeVar, get_args

from pydantic import BaseModel, ValidationError

from handoff.text import suggest

COMPLETE, OUR_FAILURE, BAD_INPUT, INCOMPLETE, REGRESSION, BUSY, UNJUDGED = 0, 1, 2, 3, 4, 5, 6


class HandoffError(Exception):
    """Error that is reported in one sentence, without a stack trace."""

    code = OUR_FAILURE

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback."""
        return [str(self)]


class Failure(HandoffError):
    """A step of Handoff failed."""


class BadInput(HandoffError):
    """Something that the user can fix: a mistake, an incomplete set-up, a full disk."""

    code = BAD_INPUT


class Busy(HandoffError):
    """Another runner is measuring on this machine."""

    code = BUSY


M = TypeVar("M", bound=BaseModel)


def validate(model: type[M], content: object, source: str) -> M:
    """Return the content as a model; raise BadInput naming `source`, the key and the choices."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise BadInput(describe_validation_error(source, error, model)) from None


def describe_validation_error(source: str, error: ValidationError, model: type[BaseModel]) -> str:
    """Return one sentence on the first error of a model's content."""
    # A misspelt key often is a missing one too; the user must see the misspelling.
    first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
    where = ".".join(str(part) for part in first["loc"]) or "the whole file"
    if first["type"] == "extra_forbidden":
        allowed = list_keys(model, first["loc"][:-1])
        near = suggest(first["loc"][-1], allowed)
        return f"{source}: {where}: unknown key; choose from {', '.join(allowed)}.{near}"
    if first["type"] == "value_error":
        # One of Handoff's own messages, which may end with a question.
        message = str(first["ctx"]["error"])
        return f"{source}: {where}: {message}{'' if message.endswith('?') else '.'}"
    given = "" if first["type"] == "missing" else f", not {SHORT.repr(first['input'])}"
    text = WORDS.get(first["type"])
    wrong = text.format(**first.get("ctx", {})) if text else first["msg"]
    return f"{source}: {where}: {wrong}{given}."


def list_keys(model: type[BaseModel], place: tuple) -> list[str]:
    """Return the keys allowed at a place of a model's content."""
    for part in place:
        if part in model.model_fields:
            model = find_model(model.model_fields[part].annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def find_model(annotation: object) -> type[BaseModel] | None:
    """Return the model in a type such as list[Model] | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(find_model, get_args(annotation))), None)


SHORT = reprlib.Repr()
"""Quotes a value, of which YAML's references can make billions of parts."""

SHORT.maxlevel, SHORT.maxstring, SHORT.maxother = 2, 80, 80

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
"""Wording of pydantic's error types, with its context as fields; others keep its message."""
