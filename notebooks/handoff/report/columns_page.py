"""The page data/columns.md: every table and column that a run gets, from their schemas."""

from handoff.claims import verdict_table
from handoff.tables import schema
from handoff.tables.schema import Column

HEAD = """# Columns

Every table of a run, made from the same descriptions as the `datapackage.json` beside the tables
(Data Package and Table Schema, so that other programs can read and check them). No table has
comment lines, none has several values in a cell; blank is *unknown* or *does not apply*. Made by
`./run_all.sh describe`.

A fork's CPU usage is ΣCPU ÷ Σwall over its measured shots.
"""

STUDY = "`tidy/<study>.csv`"
PARAMETERS = (
    "Besides: the study's parameters, and what it measures besides time and CPU"
    " ([dictionary](README.md)); a fork's value of a measure is the median over its measured"
    " shots, of `_min` and `_max` the least and the greatest."
)


def format_page() -> str:
    """The page, in Markdown."""
    parts = [
        HEAD,
        format_table(STUDY, *schema.find_table(""), PARAMETERS),
        *(
            format_table(f"`tidy/{name}.csv`", schema.ABOUT[name], known)
            for name, known in schema.OTHER_COLUMNS.items()
        ),
        *(
            format_resource("paper/generated/<run>", resource)
            for resource in verdict_table.load_package()["resources"]
        ),
    ]
    return "\n".join(parts)


def format_resource(folder: str, resource: dict) -> str:
    fields = resource["schema"]["fields"]
    known = {field["name"]: Column(field["type"], "", field["description"]) for field in fields}
    return format_table(f"`{folder}/{resource['path']}`", resource["description"], known)


def format_table(title: str, about: str, known: dict[str, Column], more: str = "") -> str:
    rows = [
        f"| `{name}` | {column.kind} | {column.unit} | {column.meaning} |"
        for name, column in known.items()
    ]
    head = ["| column | type | unit | meaning |", "|---|---|---|---|"]
    return "\n".join([f"## {title}: {about}", "", *([more, ""] if more else []), *head, *rows, ""])
