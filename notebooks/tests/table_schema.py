"""Whether a CSV file is what its Table Schema says: columns in order, no comment lines, every cell
of its column's type.
"""

import csv
import re
from pathlib import Path

NUMBER = r"-?\d+(\.\d+)?(e[+-]?\d+)?|inf"
PATTERNS = {
    "integer": r"-?\d+",
    "number": NUMBER,
    "boolean": "True|False",
    "datetime": r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00",
    "string": r"[^\n]*",
}


def list_deviations(path: Path, schema: dict) -> list[str]:
    """A sentence for each column whose name or cells are not as described."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    names = [field["name"] for field in schema["fields"]]
    if head != names:
        return [f"{path.name} has {head}, described are {names}"]
    return [
        f"{path.name}: {field['name']} holds {cell!r}, which is no {field['type']}"
        for i, field in enumerate(schema["fields"])
        for cell in {row[i] for row in rows}
        if cell not in schema["missingValues"] and not re.fullmatch(PATTERNS[field["type"]], cell)
    ]
