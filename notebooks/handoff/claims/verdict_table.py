"""Verdicts of a run: verdicts.csv, the tables next to it, and the plan of a second look."""

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from handoff.claims import published, sentences
from handoff.claims.files import load_claim_files
from handoff.claims.judging import Machine, judge_claims
from handoff.claims.model import SOCKET_CORES
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_run
from handoff.claims.verdicts import INCONCLUSIVE, Verdict, list_points
from handoff.claims.wording import describe_locations, name_unit
from handoff.paths import DATA
from handoff.run.host.machine import SETTINGS, count_roomy_sockets, count_usable_cores
from handoff.run.store.run import Run
from handoff.tables import tidy
from handoff.tables.schema import Column, Columns

PACKAGE = DATA / "verdicts.datapackage.json"
"""Data Package of the tables: their columns in order, with types and meanings."""

KEYS = ("study", "claim", "reading")

LISTS = ("points", "spread_points", "theirs_numbers")
"""Columns of lists and dictionaries, of which the tables next to verdicts.csv are made."""

HOPEFUL = 2
"""A claim gets more forks if this many times the most forks would decide it.

Ratio and spread may turn out otherwise than they are now.
"""


def describe_machine(run: Run) -> Machine:
    return Machine(
        count_usable_cores(run.machine),
        count_roomy_sockets(run.machine, SOCKET_CORES),
        run.machine.get(SETTINGS, {}).get("remote_hits", {}).get("missing", ""),
    )


def explain_not_judged(run: Run) -> str:
    """Return why no claim can be judged on this run, or ''."""
    tests_only = "this sweep only tests the pipeline: its shots are too short for verdicts"
    return "" if run.sweep.verdicts else tests_only


def judge_run(run: Run, study: str) -> tuple[list[Verdict], Observations | None]:
    """Return the verdicts of a study on a run, and the forks that they rest on."""
    observed, why_not = observe_run(run, study), explain_not_judged(run)
    claims, machine = load_claim_files()[study], describe_machine(run)
    return judge_claims(claims, observed, machine, why_not, run.looks), observed


def build_verdict_table(run: Run, studies: list[str] | None = None) -> pd.DataFrame:
    """Return one row per claim and reading of these studies, or of all that the run measured."""
    measured = studies or tidy.list_studies(run)
    rows = []
    for study in [study for study in load_claim_files() if study in measured]:
        verdicts, observed = judge_run(run, study)
        results = published.evaluate_file(load_claim_files()[study])
        for verdict in verdicts:
            readings = {other.reading for other in verdicts if other.identity == verdict.identity}
            theirs = compare_with_source(verdict, results[verdict.identity], readings)
            row = build_row(study, verdict, observed, describe_machine(run))
            rows.append(row | theirs)
    columns = [field["name"] for field in load_package()["resources"][0]["schema"]["fields"]]
    return pd.DataFrame(rows, columns=[*columns, *LISTS])


def build_row(
    study: str, verdict: Verdict, observed: Observations | None, machine: Machine
) -> dict:
    """Return one line of verdicts.csv, with the points for the table next to it."""
    claim, weakness = verdict.claim, sentences.describe_weakness(verdict, observed, study)
    coverage = sentences.describe_coverage(verdict, machine)
    points = list_points(verdict, observed)
    alike = observed.list_alike(points) if observed else []
    return {
        "claim": verdict.identity,
        "study": study,
        "reading": verdict.reading,
        "says": claim.says + (" (ours)" if claim.ours else ""),
        "place": claim.place,
        "figure": claim.figure,
        "verdict": verdict.verdict,
        "words": verdict.words,
        "reason": sentences.describe_reason(verdict),
        "coverage": "; ".join(filter(None, [coverage, weakness])),
        "load": verdict.load,
        **describe_estimate(verdict),
        "forks": verdict.count_forks(),
        "forks_needed": verdict.forks_needed,
        "p_claimed": verdict.p_claimed,
        "p_against": verdict.p_against,
        "shown": [
            f"{evaluation.check.name}: {sentences.summarize_evaluation(evaluation)}"
            for evaluation in verdict.shown
            if evaluation.comparisons
        ],
        "points": points,
        "spread_points": [point for point in alike if point not in points],
    }


def describe_estimate(verdict: Verdict) -> dict:
    """Return the comparison that a verdict depends on, as columns; blank where there is none."""
    comparison, evaluation = verdict.deciding, verdict.decided_by
    if comparison is None or evaluation is None:
        names = ("points_judged", "points_claimed", "ours", "low", "high")
        return dict.fromkeys(names) | {"at": ""}
    low, high = comparison.estimate.interval() or (None, None)
    return {
        "points_judged": verdict.coverage.points,
        "points_claimed": verdict.coverage.of,
        "ours": comparison.estimate.ratio,
        "low": low,
        "high": high,
        "at": describe_locations(evaluation.check, [comparison.at]) if comparison.at else "",
    }


def compare_with_source(
    verdict: Verdict, results: list[published.PublishedResult], readings: set[str]
) -> dict:
    """Return the source's own numbers, and what is claimed, as columns.

    `readings` are those of the claim that are judged. Of several checks, the numbers are those of
    the check that decides: one may be a ratio and another a level.
    """
    claim, evaluation = verdict.claim, verdict.decided_by
    theirs = published.select_for_reading(results, verdict.reading, readings)
    decided = claim.test.index(evaluation.check) if evaluation else 0
    claimed = (
        evaluation.claimed if evaluation else theirs[0].weakest[decided][1] if theirs else None
    )
    return {
        "theirs": published.describe_published(results, verdict.reading, readings),
        "theirs_numbers": {r.machine: float(f"{r.weakest[decided][0]:.4g}") for r in theirs},
        "unit": name_unit(claim.test[decided]) if claim.test else "",
        "claimed_low": claimed.low if claimed else None,
        "claimed_high": claimed.high if claimed else None,
    }


@cache
def load_package() -> dict:
    """Load the Data Package of verdicts.csv and the tables next to it."""
    return json.loads(PACKAGE.read_text(encoding="utf-8"))


def describe_tables() -> dict[str, tuple[str, Columns]]:
    """Return what one row of each table is, and its columns, for data/columns.md."""
    return {
        resource["name"]: (
            resource["description"],
            {
                field["name"]: Column(field["type"], "", field["description"])
                for field in resource["schema"]["fields"]
            },
        )
        for resource in load_package()["resources"]
    }


def split_rows(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables by name, with the columns of the Data Package."""
    records = rows.to_dict("records")
    points = [
        {**identify(row), "point": point, "decides": point in row["points"]}
        for row in records
        for point in [*row["points"], *row["spread_points"]]
    ]
    sources = [
        {**identify(row), "machine": machine, "number": number}
        for row in records
        for machine, number in row["theirs_numbers"].items()
    ]
    parts = {
        "verdicts": rows.assign(shown=rows["shown"].map("; ".join)),
        "verdict_points": pd.DataFrame(points),
        "verdict_sources": pd.DataFrame(sources),
    }
    return {
        resource["name"]: shape_table(parts[resource["name"]], resource["schema"]["fields"])
        for resource in load_package()["resources"]
    }


def identify(row: dict) -> dict:
    return {name: row[name] for name in KEYS}


def shape_table(table: pd.DataFrame, fields: list[dict]) -> pd.DataFrame:
    """Return the table with these columns; integers are written without a decimal point."""
    whole = [field["name"] for field in fields if field["type"] == "integer"]
    return table.reindex(columns=[field["name"] for field in fields]).astype(
        dict.fromkeys(whole, "Int64")
    )


def count_verdicts(path: Path) -> Counter[str]:
    """Count the verdicts in a verdicts.csv; none if the file does not exist."""
    return Counter(pd.read_csv(path)["verdict"] if path.is_file() else ())


class SecondLook(NamedTuple):
    """The plan of a second look.

    `more` has forks by a point's key, `claims` those that the forks are for, `given_up` those that
    more forks would not decide.
    """

    more: dict[str, int]
    claims: list[str]
    given_up: list[str]


def is_hopeful(verdict: Verdict, most: int) -> bool:
    """Return whether up to `most` forks per point may decide the verdict."""
    return verdict.forks_needed is not None and verdict.forks_needed <= HOPEFUL * most


def plan_second_look(run: Run) -> SecondLook:
    """Return which points get more forks, because a claim needs them to be decided.

    Only points with the forks of a first look take part: points whose threads share cores are not
    judged.
    """
    most = run.sweep.forks.most or run.sweep.forks.fitting
    undecided: list[tuple[Verdict, list[str]]] = []
    for study in load_claim_files():
        verdicts, observed = judge_run(run, study)
        undecided += [(v, list_points(v, observed)) for v in verdicts if v.verdict == INCONCLUSIVE]
    hopeful = [(verdict, points) for verdict, points in undecided if is_hopeful(verdict, most)]
    wanted = {key for _, points in hopeful for key in points}
    fitting = run.sweep.forks.fitting
    more = {p.key: most for p in run.points if p.key in wanted and p.forks == fitting}
    given_up = [verdict for verdict, _ in undecided if not is_hopeful(verdict, most)]
    return SecondLook(more, name_claims(v for v, _ in hopeful), name_claims(given_up))


def name_claims(verdicts: Iterable[Verdict]) -> list[str]:
    return list(dict.fromkeys(verdict.identity for verdict in verdicts))
