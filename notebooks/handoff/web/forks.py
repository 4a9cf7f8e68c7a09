"""Every fork of a study in words: what was varied, what was measured, what is weak, its file."""

import pandas as pd

from handoff.analysis.swept import Swept, describe_weakness
from handoff.draw.swept_layout import format_value
from handoff.run.store.run import Run

FILE, REMARK = "file", "remark"


def tabulate_forks(run: Run, swept: Swept) -> pd.DataFrame:
    """One row a fork, with the index of `swept.forks`: the parameters varied, each response with
    four digits, a remark where the fork is weak, and the file in the run's folder.
    """
    forks = swept.forks
    points = {point.key: point for point in run.points}
    found = pd.DataFrame(
        {name: [format_value(value) for value in forks[name]] for name in swept.varied},
        index=forks.index,
    )
    for response in swept.responses:
        found[response.axis] = [round_digits(value) for value in forks[response.column]]
    found[REMARK] = [
        describe_weakness(forks.loc[[index]]).replace("1 of 1 forks ", "") for index in forks.index
    ]
    found[FILE] = [
        f"forks/{points[row.point].fork_name(row.fork, row.again)}.json"
        for row in forks.itertuples()
    ]
    return found


def round_digits(value: float) -> float | None:
    """Four digits that count."""
    return None if pd.isna(value) else float(f"{value:.4g}")


def describe_fork(row: pd.Series) -> str:
    """A line each of what is known of a fork, for the note at its dot."""
    told = {name: value for name, value in row.items() if not pd.isna(value) and value != ""}
    return "<br>".join(f"{name}: {value}" for name, value in told.items())
