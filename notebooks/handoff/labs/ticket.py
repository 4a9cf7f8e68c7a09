"""The ticket: what binds forks to one prediction, of one student, in one lab of one course."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def compute_ticket(course: str, pseudonym: str, lab: int, prediction: Mapping[str, Any]) -> str:
    """64 hex digits over all of it; numbers that are equal are the same, 2 and 2.0."""
    content = {
        "course": course,
        "pseudonym": pseudonym,
        "lab": lab,
        "prediction": {name: spell_value(value) for name, value in prediction.items()},
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def spell_value(value: object) -> object:
    return float(value) if isinstance(value, int | float) else value
