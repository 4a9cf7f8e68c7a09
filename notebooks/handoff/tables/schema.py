"""Columns of a run's tables, as data/tables.yml describes them, for programs and for people."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from handoff.catalog import load_catalog
from handoff.files import read_yaml, write_text
from handoff.paths import COLUMNS, TABLES
from handoff.study import find_study
from handoff.text import format_table

SHOTS = "<study>"
"""Name that stands for the table of any study in data/tables.yml."""


class Column(NamedTuple):
    """Description of a column.

    `type` is a field type of the Table Schema, such as integer; `unit` is '' without one.
    """

    type: str
    unit: str
    meaning: str


Columns = dict[str, Column]


@cache
def load_tables() -> dict[str, tuple[str, Columns]]:
    """Return what one row of each table is, and its columns."""
    return {
        table: (
            entry["row"],
            {name: Column(**{"unit": ""} | column) for name, column in entry["columns"].items()},
        )
        for table, entry in read_yaml(TABLES).items()
    }


def find_table(name: str) -> tuple[str, Columns]:
    """Return what one row of the table is, and all columns that it may have."""
    tables = load_tables()
    row, columns = tables.get(name) or tables[SHOTS]
    return row, list_study_columns(name) | columns


def list_study_columns(name: str) -> Columns:
    """Return the parameters and measures of a study, or of all studies for the table of points."""
    catalog = load_catalog()
    columns = {}
    for study in catalog if name == "points" else catalog.keys() & {name}:
        for parameter in catalog[study].parameters:
            kind = "string" if parameter.values else "integer"
            columns[parameter.name] = Column(
                kind, "", "a parameter of the point; blank where its mechanism does not have it"
            )
        for measure in catalog[study].measures:
            columns[measure] = Column(
                "number", "", "what the study measures in addition to time and CPU"
            )
        if name == "points":
            columns |= list_levels(study)
    return columns


def list_levels(study: str) -> Columns:
    """Return the columns that the table of points has for the responses of a study."""
    columns = {}
    for response in find_study(study).responses:
        column = response.column
        columns[column] = Column("number", "", f"{response.name}: the point's level")
        columns[f"{column}_low"] = Column("number", "", "lower end of its 95 % interval")
        columns[f"{column}_high"] = Column("number", "", "upper end")
    return columns


def describe_table(name: str, columns: list[str]) -> dict:
    """Return one resource of a Data Package (Frictionless), with its Table Schema.

    Raise KeyError for a column without a description.
    """
    row, known = find_table(name)
    return {
        "profile": "tabular-data-resource",
        "name": name,
        "path": f"{name}.csv",
        "encoding": "utf-8",
        "description": row,
        "schema": {
            "fields": [describe_field(column, known[column]) for column in columns],
            "missingValues": [""],
        },
    }


def describe_field(name: str, column: Column) -> dict:
    field: dict = {"name": name, "type": column.type, "description": column.meaning}
    if column.type == "boolean":
        field |= {"trueValues": ["True"], "falseValues": ["False"]}
    if column.type == "datetime":
        field |= {"format": "any"}
    return field | ({"unit": column.unit} if column.unit else {})


MARK = "<!-- tables: `./run_all.sh describe` writes them -->\n\n"
"""What stands above it in data/columns.md is written by hand."""


def format_page() -> str:
    """Return data/columns.md: its text, then the tables."""
    text, mark, _ = COLUMNS.read_text(encoding="utf-8").partition(MARK)
    described: Columns = {}
    sections = []
    for name, (row, columns) in load_tables().items():
        folder = "paper/generated/<run>" if name.startswith("verdict") else "tidy"
        sections.append(format_section(f"{folder}/{name}.csv", row, columns, described))
        described |= columns
    return text + mark + "\n".join(sections)


def format_section(path: str, row: str, columns: Columns, described: Columns) -> str:
    """Return the section of a table; columns that are described above are only named."""
    known = [f"`{name}`" for name, column in columns.items() if described.get(name) == column]
    new = {name: column for name, column in columns.items() if described.get(name) != column}
    rows = [
        [f"`{name}`", f"{kind}, {unit}" if unit else kind, meaning]
        for name, (kind, unit, meaning) in new.items()
    ]
    table = format_table(["column", "type, unit", "meaning"], rows)
    above = [f"As above: {', '.join(known)}.", ""] if known else []
    return "\n".join([f"## `{path}`: {row}", "", *above, *table, ""])


def save_tables(folder: Path, tables: dict[str, pd.DataFrame], package_name: str = "tidy") -> None:
    """Write each table, and datapackage.json."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        write_table(table, folder / f"{name}.csv")
    write_package(folder, tables, package_name)


def write_package(
    folder: Path, tables: dict[str, pd.DataFrame], package_name: str = "tidy"
) -> None:
    """Write datapackage.json, which describes the tables for programs."""
    resources = [describe_table(name, list(table)) for name, table in tables.items()]
    package = {"profile": "tabular-data-package", "name": package_name, "resources": resources}
    write_text(folder / "datapackage.json", json.dumps(package, indent=1) + "\n")


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table with its integer columns as such.

    pandas makes them floats where a cell is blank, and 1.0 is not an integer by the Table Schema.
    """
    _, columns = find_table(path.stem)
    floats = [name for name in table if pd.api.types.is_float_dtype(table[name])]
    integers = [name for name in floats if columns[name].type == "integer"]
    temporary = path.with_suffix(".tmp")
    table.astype(dict.fromkeys(integers, "Int64")).to_csv(temporary, index=False)
    temporary.replace(path)
