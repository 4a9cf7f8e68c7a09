"""All claims on one run: the table verdicts.csv, a row a claim and reading."""

from functools import cache

import pandas as pd

from handoff import tidy
from handoff.judge import claimfile, theirs, words
from handoff.judge.claims import ClaimFile
from handoff.judge.forks import fork_means
from handoff.judge.observed import Observed, of_run
from handoff.judge.places import places
from handoff.judge.verdicts import Machine, Verdict, judge
from handoff.run.machine import usable_cores, usable_nodes
from handoff.run.store import Run


@cache
def files() -> dict[str, ClaimFile]:
    """The claims of every study; read once."""
    return {file.study: file for file in claimfile.load_all()}


def machine_of(run: Run) -> Machine:
    return Machine(usable_cores(run.machine), usable_nodes(run.machine))


def observed(run: Run, study: str) -> Observed | None:
    """What the run's forks say of a study; None where it did not measure it."""
    if study not in {point.study for point in run.points}:
        return None
    return of_run(run, study, fork_means(tidy.load(run, study)))


def why_not(run: Run, study: str) -> str:
    """Why no claim of the study can be judged on this run; '' when some can."""
    if study not in {point.study for point in run.points}:
        return f"this run's sweep does not measure {study}"
    return "" if run.sweep.verdicts else "this sweep only proves the road: its shots are too small to say anything"


def verdicts(run: Run, study: str) -> tuple[list[Verdict], Observed | None]:
    found = observed(run, study)
    return judge(files()[study], found, machine_of(run), why_not(run, study)), found


def table(run: Run, wanted: list[str] | None = None) -> pd.DataFrame:
    """verdicts.csv: every claim of the studies wanted, or of all."""
    rows = []
    for study in wanted or files():
        judged, found = verdicts(run, study)
        numbers = theirs.of_file(files()[study])
        for verdict in judged:
            readings = {other.reading for other in judged if other.identity == verdict.identity}
            rows.append(row(study, verdict, found, numbers[verdict.identity], readings, machine_of(run)))
    return pd.DataFrame(rows)


def row(study: str, verdict: Verdict, found: Observed | None, numbers: list[theirs.Theirs], readings: set[str], machine: Machine) -> dict:
    """One line of verdicts.csv; data/README.md describes the columns. `readings`: those of the claim that are judged."""
    claim, comparison = verdict.claim, verdict.deciding
    low, high = (comparison.found.interval() if comparison else None) or (None, None)
    own = theirs.own_of(numbers, verdict.reading, readings)
    # Theirs beside ours by the same check: of several, one may compare and another be a level.
    decided = claim.test.index(verdict.decided_by.check) if verdict.decided_by else 0
    claimed = verdict.decided_by.claimed if verdict.decided_by else own[0].weakest[decided][1] if own else None
    return {
        "claim": verdict.identity,
        "study": study,
        "reading": verdict.reading,
        "says": claim.says + (" (ours)" if claim.ours else ""),
        "place": claim.place,
        "figure": claim.figure,
        "theirs": theirs.in_words(numbers, verdict.reading, readings),
        "theirs_ratios": " ".join(f"{t.weakest[decided][0]:.4g}" for t in own),
        "verdict": verdict.verdict,
        "reason": words.reason(verdict),
        "coverage": "; ".join(filter(None, [words.coverage(verdict, machine), words.disturbed(verdict, found)])),
        "ours": comparison.found.ratio if comparison else None,
        "low": low,
        "high": high,
        "claimed_low": claimed.low if claimed else None,
        "claimed_high": claimed.high if claimed else None,
        "at": places(verdict.decided_by.check, [comparison.at]) if comparison and comparison.at else "",
        "forks": words.forks(verdict),
        "forks_needed": verdict.forks_needed,
        "p_claimed": verdict.p_claimed,
        "p_against": verdict.p_against,
        "shown": " | ".join(f"{weighed.check.name}: {words.headline(weighed)}" for weighed in verdict.shown if weighed.comparisons),
        "points": " ".join(words.behind(verdict, found)),
    }
