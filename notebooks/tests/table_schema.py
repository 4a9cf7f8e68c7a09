"""Check of a CSV file against its Table Schema: columns in order, and each cell's type."""

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
    """Return a sentence per column whose name or cells deviate from the schema."""
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    names = [field["name"] for field in schema["fields"]]
    if head != names:
        return [f"{path.name}: expected the columns {names}, got {head}"]
    return [
        f"{path.name}: {field['name']} holds {cell!r}, expected {field['type']}"
        for i, field in enumerate(schema["fields"])
        for cell in {row[i] for row in rows}
        if cell not in schema["missingValues"] and not re.fullmatch(PATTERNS[field["type"]], cell)
    ]
