"""Judging of a run: which claims it can answer, when they are judged, how often, by which forks."""

from handoff.claims.files import load_claim_files
from handoff.claims.judging import LEVEL, Machine, count_testable, judge_claims
from handoff.claims.model import SOCKET_CORES
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_plan, observe_run
from handoff.claims.sentences import describe_reason
from handoff.claims.verdicts import EARLY, FORCED, JUDGED, NOT_MEASURED, Verdict
from handoff.run import order
from handoff.run.host.machine import SETTINGS, count_roomy_sockets, count_usable_cores
from handoff.run.store import state
from handoff.run.store.run import Run, read_plan
from handoff.study import find_primary

TESTS_ONLY = "this sweep only tests the pipeline: its shots are too short for verdicts"


def describe_machine(run: Run) -> Machine:
    return Machine(
        count_usable_cores(run.machine),
        count_roomy_sockets(run.machine, SOCKET_CORES),
        run.machine.get(SETTINGS, {}).get("remote_hits", {}).get("missing", ""),
    )


def judge_run(run: Run, study: str) -> tuple[list[Verdict], Observations]:
    """Return the verdicts of a study on a run, by all of its forks, and these forks."""
    file, machine = load_claim_files()[study], describe_machine(run)
    observed = observe_run(run, study)
    number = count_testable(file, observe_plan(run, study), machine, observed)
    why_not = "" if run.sweep.verdicts else TESTS_ONLY
    verdicts = judge_claims(file, observed, machine, why_not, number)
    if early := explain_early(run, study):
        verdicts = [
            v._replace(verdict=EARLY, why=early, needed="", others=()) if rests_on_forks(v) else v
            for v in verdicts
        ]
    return verdicts, observed


def explain_early(run: Run, study: str) -> str:
    """Return why it is too early for verdicts in a run of several planned sessions, or ''."""
    planned = run.planned_sessions
    early = f"session {run.sessions} of {planned}"
    if run.sessions < planned:
        return f"{early}: judged after the last"
    if planned == 1 or count_judgings(run, study) > 1:
        return ""
    # Reading all forks takes long, and is of no use where none is missing.
    missing = any(point.study == study for point, _ in run.missing())
    unmeasured = order.list_unmeasured(run, state.scan_run(run)) if missing else []
    return f"{early}: not complete" if any(t.point.study == study for t in unmeasured) else ""


def rests_on_forks(verdict: Verdict) -> bool:
    compared = verdict.verdict == NOT_MEASURED and bool(verdict.comparisons)
    return compared or verdict.verdict in JUDGED


def count_judgings(run: Run, study: str) -> int:
    """Return how often a study's claims are judged: again when forks were added unplanned.

    These are forks of sessions beyond the planned ones, and of extensions.
    """
    later = max(0, run.sessions - run.planned_sessions)
    added = [
        number
        for number, extension in enumerate(run.extensions)
        if not extension.planned and adds_forks(run, study, number)
    ]
    return 1 + later + len(added)


def adds_forks(run: Run, study: str, number: int) -> bool:
    """Return whether an extension, counted from 0, adds forks to a study that had points before."""
    before, after = (
        {point.key: point.forks for point in read_plan(run.folder, version) if point.study == study}
        for version in (number, number + 1)
    )
    again = after.keys() & run.extensions[number].baseline.keys()
    return bool(before) and (before != after or bool(again))


def describe_judging(run: Run, study: str) -> str:
    """Say when a study's claims are judged, how often, and what error they share."""
    planned, number = run.planned_sessions, count_judgings(run, study)
    ended = run.identity.get("ended_early")
    when = f" after session {planned}" if planned > 1 or ended else ""
    often = f"judged{when}, once" if number == 1 else f"judged {number} times, now by all forks"
    early = f" The run was ended early, on {ended[:10]}." if ended else ""
    return f"The claims are {often}; they share an error of {LEVEL:.0%}.{early}"


def list_answers(run: Run) -> list[str]:
    """Return sentences such as 'Can answer: P1, P3 (at 1 of 11 points).', and why not the others.

    They are about the primary study.
    """
    study = find_primary().name
    if study not in {point.study for point in run.points}:
        return []
    file, why_not = load_claim_files()[study], "" if run.sweep.verdicts else TESTS_ONLY
    groups: dict[tuple[str, str], list[str]] = {}
    for verdict in judge_claims(file, observe_plan(run, study), describe_machine(run), why_not):
        why = describe_reason(verdict).rstrip(".")
        if verdict.verdict in FORCED:
            # The numbers of a plan are made up.
            why = f"{verdict.verdict}: {verdict.why}"
        key = ("Cannot", why[:1].lower() + why[1:])
        if verdict.verdict in JUDGED:
            key = ("Can", verdict.coverage.words.strip())
        groups.setdefault(key, []).append(verdict.identity)
    return [
        f"{can} answer: {', '.join(names)}{f' ({reason})' if reason else ''}."
        for (can, reason), names in groups.items()
    ]
