"""Judging of a run: which claims it can answer, when they are judged, how often, by which forks."""

from handoff.claims.case import Machine
from handoff.claims.files import load_claim_files
from handoff.claims.judging import LEVEL, count_testable, judge_claims
from handoff.claims.model import SOCKET_CORES
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_plan, observe_run
from handoff.claims.sentences import describe_reason
from handoff.claims.verdicts import EARLY, FORCED, JUDGED, NOT_MEASURED, Verdict
from handoff.draw.words import join_words
from handoff.run import order
from handoff.run.host.machine import SETTINGS, count_roomy_sockets, count_usable_cores
from handoff.run.store import state
from handoff.run.store.run import Run, read_plan
from handoff.study import find_primary

CLAIMS = "CLAIMS"
"""Stands for the claims in a sentence that several of them may share."""

TESTS_ONLY = "this sweep only tests the pipeline: its shots are too short for verdicts"


def describe_machine(run: Run) -> Machine:
    return Machine(
        count_usable_cores(run.machine),
        count_roomy_sockets(run.machine, SOCKET_CORES),
        run.machine.get(SETTINGS, {}).get("remote_hits", {}).get("missing", ""),
    )


def judge_run(run: Run, study: str) -> tuple[list[Verdict], Observations]:
    """Return the verdicts of a study on a run, by all of its forks, and these forks.

    Each claim has a verdict in each setting of its file, one setting after the other; the claims of
    a setting share an error of their own.
    """
    file, machine = load_claim_files()[study], describe_machine(run)
    observed, planned = observe_run(run, study), observe_plan(run, study)
    why_not = "" if run.sweep.verdicts else TESTS_ONLY
    verdicts: list[Verdict] = []
    for setting in file.settings:
        number = count_testable(file, planned, machine, observed, setting)
        verdicts += judge_claims(file, observed, machine, setting, why_not, number)
    if early := explain_early(run, study):
        verdicts = [
            v._replace(verdict=EARLY, why=early, needed="", alternatives=())
            if rests_on_forks(v)
            else v
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
    settings = load_claim_files()[study].settings
    share = f"they share an error of {LEVEL:.0%}"
    if len(settings) > 1:
        share = (
            f"each setting, {join_words(list(settings))}, is a table of its own, whose claims share"
            f" an error of {LEVEL:.0%}"
        )
    return f"The claims are {often}; {share}.{early}"


def list_answers(run: Run) -> list[str]:
    """Return sentences such as 'Can answer: P1, P3 (at 1 of 11 points).', and why not the others.

    They are about the primary study. A claim with another answer in each setting names it.
    """
    study = find_primary().name
    if study not in {point.study for point in run.points}:
        return []
    file, why_not = load_claim_files()[study], "" if run.sweep.verdicts else TESTS_ONLY
    planned, machine = observe_plan(run, study), describe_machine(run)
    settings: dict[tuple[str, str], list[str]] = {}
    for setting in file.settings:
        for verdict in judge_claims(file, planned, machine, setting, why_not):
            key = verdict.identity, describe_answer(verdict)
            settings.setdefault(key, []).append(setting)
    claims: dict[str, list[str]] = {}
    for (claim, answer), named in settings.items():
        every = len(named) == len(file.settings)
        claims.setdefault(answer, []).append(claim if every else f"{claim} {join_words(named)}")
    return [answer.replace(CLAIMS, ", ".join(named)) for answer, named in claims.items()]


def describe_answer(verdict: Verdict) -> str:
    """Return 'Can answer: CLAIMS (at 1 of 11 points).', or why not, for a planned verdict."""
    if verdict.verdict in JUDGED:
        coverage = verdict.coverage.words.strip()
        return f"Can answer: {CLAIMS}{f' ({coverage})' if coverage else ''}."
    if verdict.verdict in FORCED:
        # The numbers of a plan are made up.
        return f"Decided by the code: {CLAIMS} ({verdict.verdict}: {verdict.why})."
    why = describe_reason(verdict).rstrip(".")
    return f"Cannot answer: {CLAIMS} ({why[:1].lower()}{why[1:]})."
