"""Atomic writing of files, and fast, strict reading of YAML."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import yaml

YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Loader of LibYAML, ten times as fast, where PyYAML was built with it."""


class StrictLoader(YAML_LOADER):
    """Loader that refuses a repeated key, of which YAML would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen: set[str] = set()
        # The loader itself refuses keys of other kinds, such as a mapping in {{ }}.
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value} is given twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file.

    Raise yaml.YAMLError or UnicodeDecodeError if it is not YAML or repeats a key.
    """
    return yaml.load(path.read_text(encoding="utf-8"), Loader=StrictLoader)


def write_json(path: Path, content: dict | list) -> None:
    """Write JSON atomically."""
    write_text(path, json.dumps(content, separators=(",", ":")))


def write_text(path: Path, text: str) -> None:
    """Write text atomically."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file that is whole or absent at any instant: temporary name, fsync, rename."""
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
    """Return inode, size and time of change; None if the file does not exist."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns
