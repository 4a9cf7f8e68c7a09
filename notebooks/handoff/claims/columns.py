"""What the columns of verdicts.csv mean, and of the tables beside it."""

import pandas as pd

from handoff.tables.schema import Column, describe_table

KEYS = {
    "study": Column("string", "", "the study"),
    "claim": Column("string", "", "the claim's id"),
    "reading": Column("string", "", "how it is read; blank where the readings do not matter"),
}

VERDICTS = KEYS | {
    "says": Column("string", "", "the claim, in our words"),
    "place": Column("string", "", "where it stands in the source"),
    "figure": Column("string", "", "the paper's figure"),
    "theirs": Column(
        "string", "", "what the source's own numbers say by the same test, or no numbers"
    ),
    "verdict": Column("string", "", "the verdict"),
    "words": Column("string", "", "the same with its coverage: reproduced at 1 of 11 points"),
    "reason": Column("string", "", "why, in a sentence with the numbers"),
    "coverage": Column("string", "", "for which points it stands"),
    "load": Column(
        "string", "", "what an event's work costs here and cost the source, or why that is unknown"
    ),
    "points_judged": Column("integer", "", "points of the claim that could be judged"),
    "points_claimed": Column("integer", "", "points that it speaks of"),
    "ours": Column("number", "", "the comparison that decides: a ratio or level"),
    "unit": Column("string", "", "what a level is counted in; blank of a ratio"),
    "low": Column("number", "", "lower end of its 90 % interval, unadjusted"),
    "high": Column("number", "", "upper end"),
    "claimed_low": Column("number", "", "what is claimed, at the least"),
    "claimed_high": Column("number", "", "what is claimed, at the most"),
    "at": Column("string", "", "where that comparison stands"),
    "forks": Column("integer", "", "the fewest forks of a point behind it"),
    "forks_needed": Column(
        "integer", "", "how many would decide an inconclusive one, if all stays as seen"
    ),
    "p_claimed": Column("number", "", "p value for the claim, after Holm"),
    "p_against": Column("number", "", "p value for its contrary, after Holm"),
    "shown": Column("string", "", "what is reported beside it, in sentences"),
    "trace": Column("string", "", "the id that leads to the fork files behind it"),
}

POINTS = KEYS | {
    "point": Column("string", "", "a point's hash, as in tidy/"),
    "decides": Column(
        "boolean", "", "whether it is behind the verdict; else it says how much such forks vary"
    ),
}

SOURCES = KEYS | {
    "machine": Column("string", "", "a machine of the source"),
    "number": Column("number", "", "of its numbers the one furthest from what is claimed"),
}

TABLES = {
    "verdicts": ("one row a claim and reading", VERDICTS),
    "verdict_points": ("one row a point behind a verdict", POINTS),
    "verdict_sources": ("one row a machine of the source", SOURCES),
}


def split_rows(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The table of verdicts, and what a verdict has several of in tables of their own."""
    behind = [
        {**identify(row), "point": point, "decides": point in row["points"]}
        for row in rows.to_dict("records")
        for point in [*row["points"], *row["spread_points"]]
    ]
    theirs = [
        {**identify(row), "machine": machine, "number": number}
        for row in rows.to_dict("records")
        for machine, number in row["theirs_numbers"].items()
    ]
    told = rows.assign(shown=rows["shown"].map("; ".join))
    return {
        "verdicts": told[list(VERDICTS)],
        "verdict_points": pd.DataFrame(behind, columns=list(POINTS)),
        "verdict_sources": pd.DataFrame(theirs, columns=list(SOURCES)),
    }


def identify(row: dict) -> dict:
    return {name: row[name] for name in KEYS}


def describe_tables(tables: dict[str, list[str]]) -> dict:
    """A Data Package of these tables, by name with their columns in order."""
    return {
        "profile": "tabular-data-package",
        "name": "verdicts",
        "resources": [describe_table(name, there, *TABLES[name]) for name, there in tables.items()],
    }
