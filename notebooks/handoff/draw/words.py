"""Words of a figure: message, caption, the same for readers who cannot see it, and footnote.

The footnote says what was measured, what is missing or weak, and from which run it is.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from handoff.analysis.baseline import FREE, mask_irrelevant
from handoff.analysis.groups import list_fallen_apart
from handoff.catalog import load_catalog
from handoff.run.store.run import Run
from handoff.study import Study, find_study
from handoff.text import format_extent, pluralize


class Words(NamedTuple):
    """Words of one figure, in one place for notebooks, papers, pages and pictures.

    `title` states the message, without a final stop. `caption` says what one sees and what follows
    from it. `alt` replaces the picture for readers who cannot see it. `note` is the footnote:
    forks, marks, warnings, run and trace. `main`: not in a paper's appendix.
    """

    title: str
    caption: str = ""
    alt: str = ""
    note: str = ""
    main: bool = True


def format_brief(number: float) -> str:
    """Return a ratio or level with two digits, such as '4.2', '0.88' or '230'."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 10 else f"{rounded:g}"


def format_times(ratio: float, bounds: tuple[float, float]) -> str:
    """Return '4.2 times', or 'not clearly longer' where the ratio's interval includes 1."""
    if includes_one(bounds):
        return f"not clearly {'longer' if ratio > 1 else 'shorter'}"
    return f"{format_brief(ratio)} times"


def compare_times(ratio: float, bounds: tuple[float, float]) -> str:
    """Return 'takes 4.2 times as long as', or 'does not clearly differ from'."""
    if includes_one(bounds):
        return "does not clearly differ from"
    return f"takes {format_times(ratio, bounds)} as long as"


def includes_one(bounds: tuple[float, float]) -> bool:
    return bounds[0] <= 1 <= bounds[1]


def join_words(parts: list[str]) -> str:
    """Return 'a', 'a and b', or 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def capitalize(words: str) -> str:
    """Return the words with a capital first letter, the others unchanged."""
    return words[:1].upper() + words[1:]


BAND = "band: 95 % interval of the level, from five forks on"
GREY = "On grey: oversubscribed, threads share cores; ours are hollow there."

ABOUT_SHARING = ("Hollow", "On grey")
"""First words of notes on marks that matter only where threads share cores."""

NOTHING = "Nothing to show here: this run has no fork of these points."


def write_footnote(
    run: Run, forks: pd.DataFrame, points: pd.DataFrame, caption: str, marks: str, band: str
) -> str:
    """Return the footnote: caption, forks and their groups, meaning of the marks, warnings, run."""
    measured = f"{count_forks(forks)}{'; ' if band else ''}{band}. {describe_groups(forks)}".strip()
    if marks.startswith(ABOUT_SHARING) and not forks["oversubscribed"].any():
        marks = ""
    lines = [f"{caption} {measured}", marks, list_warnings(run, forks, points), run.title()]
    return "\n".join(line.strip() for line in lines if line)


def count_forks(forks: pd.DataFrame) -> str:
    """Return a count such as '132 forks, 5 to 10 per point (1 where threads share cores)'."""
    counts = forks.groupby("point")["fork"].nunique()
    shared = forks.groupby("point")["oversubscribed"].any()
    spreads = [format_extent(part) for part in (counts[~shared], counts[shared]) if len(part)]
    more = f" ({spreads[1]} where threads share cores)" if len(set(spreads)) > 1 else ""
    return f"{pluralize(counts.sum(), 'fork')}, {spreads[0]} per point{more}"


def describe_groups(forks: pd.DataFrame) -> str:
    """Return a sentence that names the points whose forks fall into two groups, or ''."""
    study = find_study(forks["study"].iloc[0])
    response = study.responses[0]
    points = list_fallen_apart(forks, response.column) if response.column in forks else []
    if not points:
        return ""
    shown = mask_irrelevant(forks, study.name)
    names = join_words(list(dict.fromkeys(name_point(study, shown, point) for point in points)))
    each = " each" if len(points) > 1 else ""
    return f"The forks of {names} fall into two groups{each}, by {response.name}."


def name_point(study: Study, forks: pd.DataFrame, point: str) -> str:
    """Return a point's mechanism, with what tells it from the mechanism's other points."""
    row = forks[forks["point"] == point].iloc[0]
    alike = forks[forks["mechanism"] == row["mechanism"]]
    values = []
    for parameter in ("arm", *load_catalog()[study.name].defaults()):
        if parameter in alike and parameter not in FREE and alike[parameter].nunique() > 1:
            values.append(name_value(parameter, row[parameter]))
    at = f" at {', '.join(values)}" if values else ""
    return study.look(row["mechanism"]).label + at


def name_value(parameter: str, value: object) -> str:
    """Return a parameter's value in words: '1 sort', 'capacity 1024', 'wait busy spin'."""
    if parameter.endswith("s") and isinstance(value, int | np.integer):
        return pluralize(int(value), parameter[:-1])
    return f"{parameter} {value}".lower().replace("_", " ")


def list_warnings(run: Run, forks: pd.DataFrame, points: pd.DataFrame) -> str:
    """Return warnings on what is missing or weak behind a figure, or ''."""
    total, disturbed = forks["point"].nunique(), int((forks["disturbed"] != "").sum())
    settled = forks["settled"].dropna() if "settled" in forks else pd.Series(dtype=bool)
    late = int((~settled.astype(bool)).sum())
    unlike = forks.loc[forks["kinds"] > 1, "point"].nunique() if "kinds" in forks else 0
    short, coarse = (
        forks.loc[forks[column], "point"].nunique() for column in ("too_short", "short_usage")
    )
    incomplete = describe_incomplete(points[points["found"] < points["asked"]])
    warnings = [
        (
            only_rehearses(run, forks),
            "THIS SWEEP ONLY TESTS THE PIPELINE: its shots are too small to say anything.",
        ),
        (incomplete, incomplete),
        (disturbed, f"DISTURBED: {disturbed} of {len(forks)} forks ran on a busy or slow machine."),
        (unlike, f"UNLIKE CORES: the threads of {unlike} of {total} points."),
        (late, f"UNSETTLED: {pluralize(late, 'fork')} had not settled when warm-up ended."),
        (short, f"TOO SHORT at {short} of {total} points: shots below 50 ms."),
        (coarse, f"TOO SHORT at {coarse} of {total} points: CPU usage from less than 200 ms."),
    ]
    return " ".join(text for applies, text in warnings if applies)


def only_rehearses(run: Run, forks: pd.DataFrame) -> bool:
    """Return whether a sweep allows tiny shots, and most of these forks have some."""
    return not run.sweep.verdicts and bool(forks["too_short"].mean() > 0.5)


def describe_incomplete(points: pd.DataFrame) -> str:
    """Return a warning on these points, rows of points.csv with forks missing, or ''."""
    if points.empty:
        return ""
    looks = [find_study(row.study).look(row.mechanism) for row in points.itertuples()]
    missing = points["asked"] - points["found"]
    counts = missing.groupby([look.label for look in looks], sort=False).sum()
    named = ", ".join(f"{name} {number}" for name, number in counts.items())
    return f"INCOMPLETE: {pluralize(missing.sum(), 'fork')} missing: {named}."
