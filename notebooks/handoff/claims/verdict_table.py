"""All claims on one run: the table verdicts.csv, a row a claim and reading."""

from collections import Counter
from functools import cache
from pathlib import Path

import pandas as pd

from handoff.analysis.forks import compute_fork_means
from handoff.claims import evidence, files, published, sentences
from handoff.claims.formatting import name_unit
from handoff.claims.judging import Machine, judge_claims
from handoff.claims.locations import describe_locations
from handoff.claims.model import ClaimFile
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_run
from handoff.claims.verdicts import Verdict
from handoff.run.host.machine import count_usable, count_usable_cores
from handoff.run.store.run import Run
from handoff.tables import tidy


@cache
def load_claim_files() -> dict[str, ClaimFile]:
    """The claims of every study; read once."""
    return {file.study: file for file in files.load_all_claims()}


def describe_machine(run: Run) -> Machine:
    return Machine(
        count_usable_cores(run.machine),
        count_usable(run.machine, "node"),
        count_usable(run.machine, "socket"),
    )


def observe_study(run: Run, study: str) -> Observations | None:
    """What the run's forks say of a study; None where it did not measure it."""
    if study not in {point.study for point in run.points}:
        return None
    return observe_run(run, study, compute_fork_means(tidy.load_table(run, study)))


def explain_not_judged(run: Run, study: str) -> str:
    """Why no claim of the study can be judged on this run; '' when some can."""
    if study not in {point.study for point in run.points}:
        return f"this run's sweep does not measure {study}"
    return (
        ""
        if run.sweep.verdicts
        else "this sweep only tests the pipeline: its shots are too small to say anything"
    )


def judge_run(run: Run, study: str) -> tuple[list[Verdict], Observations | None]:
    found = observe_study(run, study)
    return (
        judge_claims(
            load_claim_files()[study],
            found,
            describe_machine(run),
            explain_not_judged(run, study),
            run.looks,
        ),
        found,
    )


def build_verdict_table(run: Run, wanted: list[str] | None = None) -> pd.DataFrame:
    """Every claim of the studies wanted, or of all: a row as `build_row` makes it."""
    rows = []
    for study in wanted or load_claim_files():
        judged, found = judge_run(run, study)
        numbers = published.evaluate_file(load_claim_files()[study])
        for verdict in judged:
            readings = {other.reading for other in judged if other.identity == verdict.identity}
            rows.append(
                build_row(
                    study,
                    verdict,
                    found,
                    numbers[verdict.identity],
                    readings,
                    describe_machine(run),
                )
            )
    return pd.DataFrame(rows)


def count_verdicts(path: Path) -> Counter[str]:
    """How often verdicts.csv has each verdict, a claim and reading each; empty before there is
    one.
    """
    return Counter(pd.read_csv(path)["verdict"] if path.is_file() else ())


def build_row(
    study: str,
    verdict: Verdict,
    found: Observations | None,
    numbers: list[published.PublishedResult],
    readings: set[str],
    machine: Machine,
) -> dict:
    """One line of verdicts.csv (`columns` describes it), and what goes to the tables beside it:
    `theirs_numbers` by machine, what is `shown`, `points` and `spread_points`.

    `readings`: those of the claim that are judged.
    """
    claim, comparison = verdict.claim, verdict.deciding
    low, high = (comparison.found.interval() if comparison else None) or (None, None)
    own = published.select_for_reading(numbers, verdict.reading, readings)
    # Theirs beside ours by the same check: of several, one may compare and another be a level.
    decided = claim.test.index(verdict.decided_by.check) if verdict.decided_by else 0
    claimed = (
        verdict.decided_by.claimed
        if verdict.decided_by
        else own[0].weakest[decided][1]
        if own
        else None
    )
    return {
        "claim": verdict.identity,
        "study": study,
        "reading": verdict.reading,
        "says": claim.says + (" (ours)" if claim.ours else ""),
        "place": claim.place,
        "figure": claim.figure,
        "theirs": published.describe_published(numbers, verdict.reading, readings),
        "theirs_numbers": {t.machine: float(f"{t.weakest[decided][0]:.4g}") for t in own},
        "verdict": verdict.verdict,
        "words": verdict.words,
        "reason": sentences.describe_reason(verdict),
        "coverage": "; ".join(
            filter(
                None,
                [
                    sentences.describe_coverage(verdict, machine),
                    evidence.describe_weakness(verdict, found, study),
                ],
            )
        ),
        "load": verdict.load,
        "points_judged": verdict.coverage.points if comparison else None,
        "points_claimed": verdict.coverage.of if comparison else None,
        "ours": comparison.found.ratio if comparison else None,
        "unit": name_unit(claim.test[decided]) if claim.test else "",
        "low": low,
        "high": high,
        "claimed_low": claimed.low if claimed else None,
        "claimed_high": claimed.high if claimed else None,
        "at": (
            describe_locations(verdict.decided_by.check, [comparison.at])
            if verdict.decided_by and comparison and comparison.at
            else ""
        ),
        "forks": evidence.count_forks(verdict),
        "forks_needed": verdict.forks_needed,
        "p_claimed": verdict.p_claimed,
        "p_against": verdict.p_against,
        "shown": [
            f"{weighed.check.name}: {sentences.summarize_evaluation(weighed)}"
            for weighed in verdict.shown
            if weighed.comparisons
        ],
        "points": (points := evidence.list_points(verdict, found)),
        "spread_points": [
            point for point in (found.list_alike(points) if found else []) if point not in points
        ],
    }
