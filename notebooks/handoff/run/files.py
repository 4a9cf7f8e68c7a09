"""Files that are whole or absent at any instant."""

import json
import os
from pathlib import Path


def write_once(path: Path, content: dict | list) -> None:
    """Writes JSON so that at any instant the file is whole or absent: temporary name, fsync, rename."""
    temporary = path.with_suffix(".tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(content, file, separators=(",", ":"))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except Exception:
        temporary.unlink(missing_ok=True)
        raise
