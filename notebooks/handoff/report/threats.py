"""What limits a run's results, in sentences for the paper; none that the run does not show."""

import math

import pandas as pd

from handoff.claims.files import load_claim_files
from handoff.claims.report import ClaimsReport, describe_wake_ups
from handoff.claims.verdicts import JUDGED
from handoff.draw.words import join_words
from handoff.run.host.machine import count_usable_cores
from handoff.run.store.run import Run
from handoff.study import find_primary
from handoff.tables import tidy
from handoff.text import format_range, format_value, pluralize

RING = "ring"
STAND_IN = "SCALA_ACTORS"

SIBLINGS = 1.5
"""Speed-up by a second CPU beyond what two SMT siblings of one core are expected to give."""

LONGEST_HOURS = 48
"""Hours up to which the distance of sessions is given in hours."""


def list_threats(
    run: Run, claims: ClaimsReport, rows: list[dict], shots: pd.DataFrame
) -> dict[str, str]:
    """Return a sentence per threat, '' where the run does not show it.

    `rows` are the primary study's claims.
    """
    ring = claims.of(RING)
    return {
        "consumers": describe_consumers(rows),
        "waking": describe_waking(run),
        "actors": describe_actors(ring),
        "hours": describe_hours(shots),
        "siblings": describe_siblings(run, ring),
    }


def describe_consumers(rows: list[dict]) -> str:
    """Say that nothing was judged beyond one consumer, or ''."""
    answers = [answer for row in rows for answer in row["answers"] if answer["judged"]]
    places = {answer["coverage"].partition(";")[0] for answer in answers}
    if places != {"1 consumer"}:
        return ""
    return (
        "The study is about 1 to 11 consumers, and every verdict here is about one: what consumers"
        " do to each other, at the queue's lock or at the ring's shared counter, no verdict shows."
    )


def describe_waking(run: Run) -> str:
    """Say what a park and a wake-up cost on the run's machine, or ''."""
    if "hops" not in tidy.list_studies(run):
        return ""
    return describe_wake_ups(run, find_primary().name)


def describe_actors(ring: pd.DataFrame) -> str:
    """Say what stands in for the posts' actors in the claims that were judged, or ''."""
    claims = load_claim_files()[RING].claims
    names = [
        row.claim
        for row in ring.itertuples()
        if row.verdict in JUDGED and STAND_IN in claims[row.claim].values()
    ]
    if not names:
        return ""
    return (
        f"Scala 2.11's actors stand in for those of January 2009 in {join_words(names)}; the posts"
        " do not state their version of Scala."
    )


def describe_hours(shots: pd.DataFrame) -> str:
    """Say within how many hours the sessions of one machine lie, or ''."""
    if shots.empty or shots["session"].nunique() < 2 or shots["host"].nunique() > 1:
        return ""
    started = pd.to_datetime(shots["started"], format="ISO8601")
    ended = started + pd.to_timedelta(shots["seconds"], unit="s")
    hours = math.ceil((ended.max() - started.min()).total_seconds() / 3600)
    number = pluralize(int(shots["session"].nunique()), "session")
    if hours <= LONGEST_HOURS:
        return f"The {number} lie within {pluralize(hours, 'hour')}."
    return f"The {number} lie within {pluralize(math.ceil(hours / 24), 'day')}."


def describe_siblings(run: Run, ring: pd.DataFrame) -> str:
    """Say that two CPUs are faster than siblings of one core would be, where R13 shows it."""
    judged = ring[(ring["claim"] == "R13") & ring["verdict"].isin(JUDGED)]
    if count_usable_cores(run.machine) != 2 or judged.empty:
        return ""
    row = judged.iloc[0]
    if row["low"] <= SIBLINGS:
        return ""
    return (
        "Two threads that compute alone, on both CPUs, are"
        f" {format_value(row['ours'])} [{format_range(row['low'], row['high'])}] times as fast as"
        " one (R13), which argues against these CPUs being two siblings of one core."
    )
