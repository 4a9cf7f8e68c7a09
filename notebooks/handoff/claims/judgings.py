"""Judgings of a run's claims: when, by which forks, and at what level.

The planned judgings share 4 % of error, and their number is fixed when the run starts: one or two
looks, or one after the last of several sessions. What follows by decision, an extension, a further
session, has a small level of its own, so that looking again cannot bring a wrong verdict about.
"""

from collections.abc import Collection
from typing import NamedTuple

import pandas as pd

from handoff.analysis.intervals import UNREASONABLE
from handoff.claims.files import load_claim_files
from handoff.claims.judging import Machine, count_planned_rows, judge_claims
from handoff.claims.model import SOCKET_CORES
from handoff.claims.observations import Observations
from handoff.claims.readers import make_observations, observe_plan, tabulate_forks
from handoff.claims.verdicts import ALPHA, EARLY, FINAL, JUDGED, NOT_MEASURED, PLANNED, Verdict
from handoff.run import order
from handoff.run.host.machine import SETTINGS, count_roomy_sockets, count_usable_cores
from handoff.run.store import state
from handoff.run.store.run import Run
from handoff.text import pluralize


class Judging(NamedTuple):
    """A judging of a run's claims, by the forks that started before `until`.

    `level` is its error, `following` that of the next one. Of a point's forks, those numbered from
    `below` on belong to a later look.
    """

    name: str
    level: float
    following: float
    until: str = ""
    below: int | None = None

    def select(self, forks: pd.DataFrame) -> pd.DataFrame:
        """Return the forks that had been measured by then."""
        if self.until:
            forks = forks[pd.to_datetime(forks["started"]) < pd.Timestamp(self.until)]
        return forks if self.below is None else forks[forks["fork"] < self.below]


def list_judgings(run: Run, forks: pd.DataFrame) -> list[Judging]:
    """Return the judgings of a run so far, given its forks; none before the first planned one.

    A pause or an extension may start a session too, but only a session that the user asked for is a
    judging, and an extension only if forks were measured after it.
    """
    starts = list_session_starts(forks)
    planned, number = run.planned_sessions, len(starts)
    if planned is None:
        # Runs that were made before these rules are judged once, with all that they have.
        return [Judging("all forks", PLANNED, PLANNED)]
    if planned > min(run.sessions, number):
        return []
    later = starts[max(planned, number - run.sessions + planned) :]
    events = [(start, f"session {place}") for place, start in enumerate(later, planned + 1)]
    latest = pd.to_datetime(forks["started"]).max()
    events += [
        (extension.began, f"extension of {extension.began[:10]}")
        for extension in run.extensions
        if not extension.planned and pd.Timestamp(extension.began) < latest
    ]
    events.sort(key=lambda event: pd.Timestamp(event[0]))
    ends = [start for start, _ in events] + [""]
    judgings = list_planned(run, planned, ends[0])
    for place, (_, name) in enumerate(events, 1):
        judgings.append(Judging(name, divide_spare(place), divide_spare(place + 1), ends[place]))
    return judgings


def divide_spare(place: int) -> float:
    """Return the level of an unplanned judging: half of 1 %, a quarter, and so on."""
    return (ALPHA - PLANNED) / 2**place


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


def judge_run(run: Run, study: str) -> tuple[list[Verdict], Observations]:
    """Return the verdicts of a study on a run, and the forks that they rest on.

    A verdict once reached stays, whatever is measured later.
    """
    forks, why_not = tabulate_forks(run, study), explain_not_judged(run)
    file, machine = load_claim_files()[study], describe_machine(run)
    observed = make_observations(run, study, forks)
    if forks.empty or why_not:
        return judge_claims(file, observed, machine, why_not), observed
    judgings = list_judgings(run, forks)
    incomplete = is_last_incomplete(run, study)
    if incomplete or not judgings:
        why = "not complete" if incomplete else "judged after the last"
        early = f"session {run.sessions} of {run.planned_sessions}: {why}"
        rows = count_planned_rows(file, observe_plan(run, study), machine)
        verdicts = judge_claims(file, observed, machine, rows=rows)
        return [delay_verdict(verdict, early) for verdict in verdicts], observed
    table: dict[tuple[str, str], Verdict] = {}
    for judging in judgings:
        chosen, earlier = judging.select(forks), table
        seen = make_observations(run, study, chosen)
        plan = observe_plan(find_plan(run, study, judging), study)
        rows = count_planned_rows(file, plan, machine)
        table = {}
        judged = judge_claims(
            file, seen, machine, level=judging.level, rows=rows, following=judging.following
        )
        for verdict in judged:
            key = verdict.identity, verdict.reading
            before = earlier.get(key)
            if before and before.verdict in FINAL:
                table[key] = before._replace(later=verdict.decided_by or before.later)
            else:
                day = date_forks(verdict, chosen)
                table[key] = verdict._replace(judging=judging.name, judged_on=day)
    return list(table.values()), observed


def delay_verdict(verdict: Verdict, why: str) -> Verdict:
    """Return the verdict without its word, where planned sessions are still to come."""
    measured = verdict.verdict == NOT_MEASURED and verdict.comparisons
    if verdict.verdict in JUDGED or measured:
        return verdict._replace(verdict=EARLY, why=why, effort=UNREASONABLE)
    return verdict


def find_plan(run: Run, study: str, judging: Judging) -> Run:
    """Return the run as planned before a judging, so that later plans do not change its family.

    For a first look that is the first plan with the study, which `full` extends before the second.
    """
    before = run.count_extensions(judging.until)
    versions = range(before + 1) if judging.below is not None else [before]
    plans = map(run.as_planned, versions)
    return next((plan for plan in plans if any(p.study == study for p in plan.points)), run)


def is_last_incomplete(run: Run, study: str) -> bool:
    """Return whether the last of several planned sessions still has forks of a study to measure."""
    unplanned = [extension for extension in run.extensions if not extension.planned]
    planned = run.planned_sessions or 1
    if planned == 1 or run.sessions != planned or unplanned:
        return False
    # Reading all forks takes long, and is of no use where none is missing.
    missing = any(point.study == study for point, _ in run.missing())
    return missing and any(
        task.point.study == study for task in order.list_unmeasured(run, state.scan_run(run))
    )


def list_session_starts(forks: pd.DataFrame) -> list[str]:
    """Return when each session started. On a cluster each node has sessions of its own."""
    number = forks.groupby("host")["session"].rank("dense")
    return forks.groupby(number)["started"].min().tolist()


def date_forks(verdict: Verdict, forks: pd.DataFrame) -> str:
    """Return the day of the last fork behind a verdict, or ''."""
    points = {point for comparison in verdict.comparisons for point in comparison.points}
    started = forks.loc[forks["point"].isin(points), "started"]
    return str(started.max())[:10] if len(started) else ""


def describe_judgings(run: Run) -> list[str]:
    """Say when the run's claims are judged, and at what level, in sentences."""
    planned, forks = run.planned_sessions, run.sweep.forks
    if planned is None:
        return disclose({point.study for point in run.points})
    ended = run.identity.get("ended_early")
    if planned > 1 or ended or run.looks == 1:
        when = f", after session {planned}" if planned > 1 or ended else ""
        early = f" The run was ended early, on {ended[:10]}." if ended else ""
        return [f"The claims are judged once{when}; they share an error of {PLANNED:.0%}.{early}"]
    more = (
        f"when those of undecided claims have {forks.most}"
        if forks.most
        else "when an extension, such as `full`, has given those of undecided claims more"
    )
    return [
        f"The claims are judged at two looks, when every point has {forks.fitting} forks and"
        f" {more}; at each, they share an error of {PLANNED / 2:.0%}."
    ]


def disclose(studies: Collection[str]) -> list[str]:
    """Say that rules and tests are younger than a run of these studies, and what they changed."""
    return [
        "This run was made before the rules of 2026-11-25 for intervals, verdicts and tests. All of"
        " its sessions had been seen when these were chosen. It is judged once, by all of its"
        " forks; the next reference run confirms its verdicts or does not.",
        *list_changes(studies),
    ]


def list_changes(studies: Collection[str]) -> list[str]:
    """Return 'P8 before: it tested a size, and found it larger.' for each changed test."""
    return [
        f"{identity} before: {claim.changed}."
        for study, file in load_claim_files().items()
        if study in studies
        for identity, claim in file.claims.items()
        if claim.changed
    ]


def list_planned(run: Run, sessions: int, until: str) -> list[Judging]:
    spare = divide_spare(1)
    if sessions > 1 or "ended_early" in run.identity:
        return [Judging(pluralize(sessions, "session"), PLANNED, spare, until)]
    level, forks = PLANNED / run.looks, run.sweep.forks
    if run.looks == 1:
        return [Judging("first look", level, spare, until)]
    second = [Judging("second look", level, spare, until)] if forks.most else []
    return [Judging("first look", level, level, until, forks.fitting), *second]
