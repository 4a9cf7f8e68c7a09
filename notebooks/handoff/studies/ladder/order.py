"""What the order decides: each decision added in the ladder's order, and taken away alone."""

from typing import NamedTuple

import pandas as pd

from handoff.analysis.answer import Answer
from handoff.analysis.forks import compute_fork_means, select_fit
from handoff.draw.words import capitalize, join_words
from handoff.run.store.related import find_related
from handoff.run.store.run import Run
from handoff.studies.ladder import LAST, NOUNS, STEPS, STUDY, TAKEN_AWAY
from handoff.studies.ladder.numbers import BEFORE, LEAST_GAIN, compare_as, select_baseline
from handoff.tables import tidy
from handoff.text import format_range, format_value, pluralize

PROFILE = "decisions"
SORTS = 1
"""Load at which decisions are taken away."""

LEFT_OUT = tuple(name for name in TAKEN_AWAY if name not in STEPS)
"""Rings without one decision that are no step of the ladder."""

COLUMNS = ["step", "decision", "added", "added_low", "added_high"]
COLUMNS += ["alone", "alone_low", "alone_high"]

ADD = (
    "What each decision saves when it is added in the ladder's order was not measured with this"
    " run: `./run_all.sh ladder` does it."
)
TAKE_AWAY = (
    "What the whole ring loses without one of its decisions was not measured with this run:"
    f" `./run_all.sh {PROFILE}` does it."
)


class Away(NamedTuple):
    """Forks of the whole ring, and of the ring without one decision, with the run that has them."""

    run: Run
    forks: pd.DataFrame


def name_run(run: Run) -> str:
    """Return the name by which the paper quotes a run."""
    return run.folder.name


def find_away(run: Run, forks: pd.DataFrame) -> Away | None:
    """Return the forks without one decision, of this run or of a related one, which is read anew.

    `forks` are those of the ladder in the run. None without such a run.
    """
    if len(forks) and forks["mechanism"].isin(LEFT_OUT).any():
        return Away(run, forks)
    other = find_related(run, [PROFILE])[PROFILE]
    if other is None or other.folder == run.folder:
        return None
    tidy.write_tables(other)
    shots = tidy.load_table(other, STUDY.name)
    return Away(other, select_baseline(compute_fork_means(shots))) if len(shots) else None


def select_cheap(forks: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the forks by mechanism at the load at which both experiments are compared."""
    if forks.empty:
        return {}
    fit = select_fit(forks[forks["sorts"] == SORTS], "ns_per_event")
    return dict(list(fit.groupby("mechanism")))


def tabulate_order(forks: pd.DataFrame, away: pd.DataFrame) -> pd.DataFrame:
    """Return what each decision saves at one sort, as a factor of the time, one row per decision.

    `added` is the time of the step before over the step's, from `forks`; `alone` that of the whole
    ring without the decision over the whole ring's, from `away`; both with 95 % intervals. What was
    not measured is missing, and so are decisions of which nothing was.
    """
    steps, rings = select_cheap(forks), select_cheap(away)
    left_out = {step: name for name, step in TAKEN_AWAY.items() if name in rings}
    # A run of the ladder alone has the last two steps, but takes no decision away.
    takes_away = LAST in rings and any(name in rings for name in LEFT_OUT)
    rows = []
    for step, before in BEFORE.items():
        row = {"step": step, "decision": STEPS[step]}
        if {before, step} <= set(steps):
            row |= compare_as("added", steps[before], steps[step])
        if takes_away and step in left_out:
            row |= compare_as("alone", rings[left_out[step]], rings[LAST])
        if len(row) > 2:
            rows.append(row)
    table = pd.DataFrame(rows, columns=COLUMNS)
    if table["added"].notna().sum() == 1 and takes_away:
        # The last two steps, which a run that takes decisions away has too, are no ladder.
        table[["added", "added_low", "added_high"]] = None
    return table


def describe_order(run: Run, forks: pd.DataFrame) -> list[str]:
    """Return what the two experiments say together, or what the other command is; for the paper."""
    if forks.empty:
        return []
    usual = select_baseline(forks)
    away = find_away(run, usual)
    table = tabulate_order(usual, away.forks if away else usual[:0])
    sentences = []
    if away and table["alone"].notna().any():
        elsewhere = f" in another run, {away.run.folder.name}" if away.run is not run else ""
        sentences.append(describe_alone(table, elsewhere))
    else:
        sentences.append(TAKE_AWAY)
    if table["added"].isna().all():
        return [*sentences, ADD]
    return [*sentences, *describe_difference(table)]


def describe_alone(table: pd.DataFrame, elsewhere: str) -> str:
    """Return what the whole ring loses without each decision, those that it surely misses first."""
    rows = table.dropna(subset=["alone_low"])
    if rows.empty:
        return (
            f"What the whole ring loses without each decision{elsewhere} is {Answer.UNKNOWN} yet."
        )
    missed = rows["alone_low"].astype(float) > 1
    parts = [describe_loss(row) for row in rows[missed].to_dict("records")]
    lost = f"the ring surely takes longer without {join_words(parts)}" if parts else ""
    rest = [describe_loss(row) for row in rows[~missed].to_dict("records")]
    none = "it does not surely take longer without" if parts else "no ring surely takes longer:"
    kept = f"{none} {join_words(rest)}" if rest else ""
    said = "; ".join(filter(None, [lost, kept]))
    return (
        f"Taken away from the whole ring one at a time{elsewhere}, with"
        f" {pluralize(SORTS, 'sort')} per event: {said} (95 % intervals)."
    )


def describe_loss(row: dict) -> str:
    bounds = format_range(row["alone_low"], row["alone_high"])
    return f"{NOUNS[row['step']]} ({format_value(row['alone'])} times, {bounds})"


def list_apart(table: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Return the steps that surely save time in both experiments, and those in the ladder alone.

    The latter save a tenth or more when added, and surely more than the whole ring loses.
    """
    both = table.dropna(subset=["added_low", "alone_low"])
    gains = both[(both["added_low"] > 1) & (both["added"] >= LEAST_GAIN)]
    either = gains[gains["alone_low"] > 1]
    ladder = gains[(gains["alone_low"] <= 1) & (gains["added_low"] > gains["alone_high"])]
    return list(either["step"]), list(ladder["step"])


def describe_difference(table: pd.DataFrame) -> list[str]:
    """Return which savings do not depend on the order, and which do."""
    either, ladder = list_apart(table)
    sentences = []
    if either:
        named = join_words([NOUNS[step] for step in either])
        verb = "save" if len(either) > 1 else "saves"
        sentences.append(f"{capitalize(named)} {verb} time in both experiments.")
    if ladder:
        named = join_words([NOUNS[step] for step in ladder])
        sentences.append(
            f"What {named} {'save' if len(ladder) > 1 else 'saves'} on the ladder comes with this"
            " order: once the later decisions are taken, the ring does not surely miss"
            f" {'them' if len(ladder) > 1 else 'it'}."
        )
    return [" ".join(sentences)] if sentences else []
