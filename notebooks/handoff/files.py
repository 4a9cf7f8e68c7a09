"""Files that are whole or absent at any instant."""

import json
import os
from pathlib import Path


def write_json(path: Path, content: dict | list) -> None:
    """Writes JSON, whole or not at all."""
    write_text(path, json.dumps(content, separators=(",", ":")))


def write_text(path: Path, text: str) -> None:
    """Writes a file so that at any instant it is whole or absent: temporary name, fsync, rename."""
    temporary = path.with_suffix(".tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except Exception:
        temporary.unlink(missing_ok=True)
        raise
