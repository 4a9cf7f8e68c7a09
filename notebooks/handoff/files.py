"""Atomic writing of files, and fast, strict reading of YAML."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import yaml

from handoff.errors import BadInput
from handoff.paths import display_path

YAML_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Loader of LibYAML, ten times as fast, where PyYAML was built with it."""


class StrictLoader(YAML_LOADER):
    """Loader that refuses a repeated key, of which YAML would silently take the last.

    Characters that cannot be printed are replaced.
    """

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

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        return replace_unprintable(super().construct_scalar(node))

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        """Return a decimal number; YAML 1.1 has others, which few people expect."""
        text = str(node.value)
        for form, kind in UNEXPECTED.items():
            if re.search(form, text):
                problem = f"{text} is {kind}: write it in decimal, or text in quotes"
                raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        whole = node.tag.endswith(":int")
        return super().construct_yaml_int(node) if whole else super().construct_yaml_float(node)


UNEXPECTED = {
    "_": "a number with underscores in YAML",
    ":": "a sexagesimal number in YAML",
    r"^[-+]?0x": "a hexadecimal number in YAML",
    r"^[-+]?0b": "a binary number in YAML",
    r"^[-+]?0[0-9]+$": "an octal number in YAML",
}
"""Forms of numbers of YAML 1.1, such as 010 for 8 or 1:30 for 90, and what they are."""

for _kind in ("int", "float"):
    StrictLoader.add_constructor(f"tag:yaml.org,2002:{_kind}", StrictLoader.construct_number)


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file; raise BadInput that names the file and the reason."""
    source = display_path(path)
    try:
        return parse_yaml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{source}: {error.strerror}.") from None
    except (yaml.YAMLError, ValueError) as error:
        reason = " ".join(str(error).split()).replace('in "<unicode string>", ', "at ")
        raise BadInput(f"{source}: not readable as YAML: {reason}.") from None


def parse_yaml(text: str) -> Any:
    """Return the content of YAML; raise yaml.YAMLError or ValueError for what it refuses."""
    try:
        return yaml.load(text, Loader=StrictLoader)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_json(path: Path) -> Any:
    """Return the content of a JSON file; what cannot be printed is replaced."""
    return replace_unprintable(json.loads(path.read_text(encoding="utf-8")))


UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Characters that no SVG holds, or that change how a terminal or page shows what follows."""


def replace_unprintable(content: Any) -> Any:
    """Return a file's content with a replacement character for each one that is unprintable."""
    if isinstance(content, str):
        return UNPRINTABLE.sub("\ufffd", content)
    if isinstance(content, list):
        return [replace_unprintable(item) for item in content]
    if isinstance(content, dict):
        return {
            replace_unprintable(key): replace_unprintable(item) for key, item in content.items()
        }
    return content


def write_json(path: Path, content: dict | list) -> None:
    """Write compact JSON, as `write_bytes` does."""
    write_text(path, json.dumps(content, separators=(",", ":")))


def write_text(path: Path, text: str) -> None:
    """Write text, as `write_bytes` does."""
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
    except BaseException:
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
