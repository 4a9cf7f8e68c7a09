"""Verdicts of a run: verdicts.csv, and the tables next to it."""

from collections import Counter
from pathlib import Path

import pandas as pd

from handoff.analysis.swept import describe_weakness
from handoff.claims import published, sentences
from handoff.claims.alternatives import Tried, build_choice_row, describe_changes, list_tried
from handoff.claims.files import load_claim_files
from handoff.claims.observations import Observations
from handoff.claims.run_judging import count_judgings, judge_run
from handoff.claims.sentences import describe_comparison, describe_locations, name_unit
from handoff.claims.verdicts import DECIDED, RULES, VERDICTS, Verdict, list_points
from handoff.run.host.machine import count_usable_cores
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.tables.schema import find_table
from handoff.text import pluralize

KEYS = ("study", "claim", "setting")

LISTS = ("points", "spread_points", "tried", "compared")
"""Further columns, of which the tables next to verdicts.csv and the sentences are made."""


def build_verdict_table(run: Run, studies: list[str] | None = None) -> pd.DataFrame:
    """Return one row per claim and setting of these studies, or of all that the run measured."""
    measured = studies or tidy.list_studies(run)
    rows = []
    for study in [study for study in load_claim_files() if study in measured]:
        verdicts, observed = judge_run(run, study)
        tried = list_tried(run, study, verdicts)
        file = load_claim_files()[study]
        results = published.evaluate_file(file)
        judged = {"study": study, "judgings": count_judgings(run, study), "rules": RULES}
        for verdict in verdicts:
            theirs = published.select_like_judged(file, results[verdict.identity], verdict)
            rows.append(
                judged
                | build_row(verdict, observed, count_usable_cores(run.machine))
                | describe_tried(verdict, tried)
                | compare_with_source(verdict, theirs)
            )
    return pd.DataFrame(rows, columns=[*find_table("verdicts")[1], *LISTS])


def build_row(verdict: Verdict, observed: Observations, cores: int) -> dict:
    """Return one line of verdicts.csv, with the points for the table next to it."""
    claim = verdict.claim
    coverage = sentences.describe_coverage(verdict, cores)
    points = list_points(verdict, observed)
    weakness = ""
    if verdict.decided_by:
        weakness = describe_weakness(observed.rows[observed.rows["point"].isin(points)])
    estimates = [comparison.estimate for comparison in verdict.comparisons]
    return {
        "claim": verdict.identity,
        "setting": verdict.setting,
        "options": ", ".join(verdict.options),
        "says": claim.says + (" (ours)" if claim.ours else ""),
        "place": claim.place,
        "figure": claim.figure,
        "verdict": verdict.verdict,
        "words": verdict.words,
        "needed": verdict.needed,
        "reason": sentences.describe_reason(verdict),
        "coverage": "; ".join(filter(None, [coverage, weakness])),
        "load": verdict.load,
        **describe_estimate(verdict),
        "forks": min((estimate.forks for estimate in estimates), default=None),
        "sessions": min((estimate.sessions for estimate in estimates), default=None),
        "shown": [
            f"{evaluation.check.name}: {sentences.summarize_evaluation(evaluation)}"
            for evaluation in verdict.shown
            if evaluation.comparisons
        ],
        "points": points,
        "spread_points": list_spread(observed.rows, points),
    }


def describe_tried(verdict: Verdict, tried: list[Tried]) -> dict:
    """Return which choices surely change the verdict, and all that were tried for it."""
    if verdict.verdict not in DECIDED:
        return {"depends": "", "tried": []}
    own = [t for t in tried if (t.claim, t.setting) == (verdict.identity, verdict.setting)]
    rows = [build_choice_row(choice, verdict) for choice in own]
    return {"depends": describe_changes(verdict, own), "tried": rows}


def list_spread(rows: pd.DataFrame, points: list[str]) -> list[str]:
    """Return the other points that show how forks and sessions vary: all that fit the cores."""
    if not points:
        return []
    fitting = rows.loc[~rows["oversubscribed"].astype(bool), "point"]
    return [point for point in fitting.unique() if point not in points]


def describe_estimate(verdict: Verdict) -> dict:
    """Return the comparison that a verdict depends on, as columns; blank where there is none."""
    decision, checks = verdict.decided_by, verdict.claim.test
    if decision is None:
        compared = describe_comparison(checks[0], {}, verdict.bindings) if checks else ""
        return {"at": "", "compared": compared}
    check, at = decision.check, decision.comparison.at
    return {
        "points_judged": verdict.coverage.points,
        "points_claimed": verdict.coverage.of,
        "ours": decision.comparison.estimate.ratio,
        "low": decision.interval[0],
        "high": decision.interval[1],
        "confidence": decision.confidence,
        "at": describe_locations(check, [at]) if at else "",
        "compared": describe_comparison(check, at, verdict.bindings),
    }


def compare_with_source(verdict: Verdict, theirs: list[published.PublishedResult]) -> dict:
    """Return the source's own numbers, and what is claimed, as columns.

    Of several checks, the range is that of the check that decides.
    """
    decision, checks = verdict.decided_by, verdict.claim.test
    place = checks.index(decision.check) if decision else 0
    claimed = checks[place].claimed if checks else None
    return {
        "theirs": published.describe_published(theirs),
        "unit": name_unit(checks[place]) if checks else "",
        "claimed_low": claimed.low if claimed else None,
        "claimed_high": claimed.high if claimed else None,
    }


def split_rows(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables by name, with the columns of the Data Package."""
    keyed = [({name: row[name] for name in KEYS}, row) for row in rows.to_dict("records")]
    parts = {
        "verdicts": rows.assign(shown=rows["shown"].map("; ".join)),
        "verdict_points": [
            key | {"point": point, "decides": point in row["points"]}
            for key, row in keyed
            for point in row["points"] + row["spread_points"]
        ],
        "verdict_choices": [key | choice for key, row in keyed for choice in row["tried"]],
    }
    return {
        name: pd.DataFrame(part, columns=[*find_table(name)[1]]) for name, part in parts.items()
    }


def count_claims(table: pd.DataFrame) -> str:
    """Return '14 claims: 3 reproduced, 1 contradicted ...', or the counts of each setting."""
    parts = []
    for setting, rows in table.groupby("setting", sort=False):
        counts = rows["verdict"].value_counts()
        words = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if name in counts)
        parts.append(f"{setting}: {words}" if setting else words)
    return f"{pluralize(table['claim'].nunique(), 'claim')}: {'; '.join(parts)}"


def count_verdicts(path: Path) -> Counter[str]:
    """Count the verdicts in a verdicts.csv; none if the file does not exist."""
    return Counter(pd.read_csv(path)["verdict"] if path.is_file() else ())
