"""Who works: the course's key and a pseudonym, kept for the next time."""

import json
import secrets
from pathlib import Path

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import display_path

IDENTITY = "student.json"
COURSE = "self-study"


def load_identity(home: Path, course: str = "", pseudonym: str = "") -> tuple[str, str]:
    """Course and pseudonym: what is given, else what was given before, else 'self-study' and a word
    of chance; kept for the next time.
    """
    file = home / IDENTITY
    try:
        before = json.loads(file.read_text()) if file.is_file() else {}
        kept = {key: str(before.get(key, "")) for key in ("course", "pseudonym")}
    except (ValueError, AttributeError):
        raise BadInput(
            f"{display_path(file)} is not whole: remove it, and say who you are again."
        ) from None
    course = course or kept["course"] or COURSE
    pseudonym = pseudonym or kept["pseudonym"] or f"student-{secrets.token_hex(3)}"
    home.mkdir(parents=True, exist_ok=True)
    write_json(file, {"course": course, "pseudonym": pseudonym})
    return course, pseudonym
