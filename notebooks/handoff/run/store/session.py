"""Sessions of a run: forks measured without a pause of six hours."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from handoff.errors import BadInput
from handoff.run.store.provenance import format_now
from handoff.run.store.run import Run, write_identity
from handoff.run.store.state import read_forks
from handoff.text import pluralize

GAP = timedelta(hours=6)
"""The shortest pause that starts another session; after it, a shared host has other guests."""


def number_sessions(started: Sequence[str], breaks: Sequence[str] = ()) -> list[int]:
    """Return the session of each fork, from 1, given their starts (ISO 8601).

    One starts after a pause, and at each of `breaks`.
    """
    times, broken = (list(map(datetime.fromisoformat, texts)) for texts in (started, breaks))
    session, numbers = 1, [1] * len(times)
    order = sorted(range(len(times)), key=times.__getitem__)
    for before, after in pairwise(order):
        here = times[before], times[after]
        session += here[1] - here[0] >= GAP or any(here[0] < time <= here[1] for time in broken)
        numbers[after] = session
    return numbers


def list_breaks(run: Run) -> list[str]:
    """Return the times at which sessions start, however short the pause before.

    An extension is a session of its own, unless the run was made to be extended so: `full`
    continues the session of `quick`. The shipped run has further ones.
    """
    breaks = [extension.began for extension in run.extensions if not extension.planned]
    return breaks + [start for extension in run.extensions for start in extension.sessions]


def add_session(run: Run, missing: int, now: datetime | None = None) -> Run:
    """Return the run with the number of sessions of `count_next`, after writing it."""
    return write_identity(run, sessions=count_next(run, missing, now))


def count_next(run: Run, missing: int, now: datetime | None = None) -> int:
    """Return the number of sessions to plan when another one is asked for.

    `missing` is the number of unmeasured forks that have tries left. A later session that has any
    is continued. Raise BadInput while the first one has any, and before the pause is over.
    """
    if missing and run.sessions > 1:
        return run.sessions
    if missing:
        raise BadInput(
            f"{run.folder.name} is missing {pluralize(missing, 'fork')} of its last session:"
            " complete it first, without --session."
        )
    last = find_end(run)
    if not is_over(run, now or datetime.now(UTC)):
        raise BadInput(
            f"{run.folder.name}: the next session can start six hours after the last fork, at"
            f" {last + GAP:%Y-%m-%d %H:%M} UTC; to add forks to this one, raise forks.fitting."
        )
    return run.sessions + 1


def find_end(run: Run) -> datetime:
    """Return when the run's last fork ended; the beginning of time without forks."""
    ended = (datetime.fromisoformat(fork.after.utc) for _, fork in read_forks(run, []))
    return max(ended, default=datetime.min.replace(tzinfo=UTC))


def is_over(run: Run, now: datetime) -> bool:
    """Return whether the next fork would start another session."""
    return now >= find_end(run) + GAP


def plan_judging(run: Run, sessions: int, missing: int) -> Run:
    """Return the run whose claims are judged once, after this many sessions.

    `missing` is as in `count_next`. Raise BadInput where the run has forks, unless it ends early
    with exactly as many sessions.
    """
    planned = run.planned_sessions
    if planned == sessions:
        return run
    started = any((run.folder / "forks").glob("*.json"))
    early = sessions == run.sessions < planned and not missing
    if started and not early:
        raise BadInput(
            f"--sessions {sessions}: {run.folder.name} has forks, and how often it is judged was"
            f" planned before; it has {pluralize(run.sessions, 'session')} of {planned}."
        )
    ended = {"ended_early": format_now()} if started else {}
    return write_identity(run, planned_sessions=sessions, **ended)
