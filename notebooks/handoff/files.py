"""Files that are whole or absent at any instant; YAML, read fast."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import yaml

YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""LibYAML's where PyYAML was built with it: ten times as fast."""


class StrictLoader(YAML_LOADER):
    """Refuses a key that is given twice: YAML would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen: set[str] = set()
        # Other keys, such as a mapping in {{ }}, are refused by the loader itself.
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value} is given twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """The content of a YAML file. yaml.YAMLError or UnicodeDecodeError when it is none, or has a
    key twice.
    """
    return yaml.load(path.read_text(encoding="utf-8"), Loader=StrictLoader)


def write_json(path: Path, content: dict | list) -> None:
    """Writes JSON, whole or not at all."""
    write_text(path, json.dumps(content, separators=(",", ":")))


def write_text(path: Path, text: str) -> None:
    """Writes a file so that at any instant it is whole or absent: temporary name, fsync, rename."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """The same of bytes."""
    temporary = path.with_suffix(".tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except Exception:
        temporary.unlink(missing_ok=True)
        raise


def hash_content(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]


def stat_signature(file: Path) -> tuple[int, int, int] | None:
    """Inode, size and time of change; None when it is gone."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
