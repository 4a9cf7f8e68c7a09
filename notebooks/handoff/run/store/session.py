"""Sessions of a run: forks between which nobody paused for six hours."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.run.store.forks import read_forks
from handoff.run.store.run import Run

GAP = timedelta(hours=6)
"""A pause as long as this between two forks begins another session: by then a shared host has other
guests.
"""


def number_sessions(
    started: Sequence[str], breaks: Sequence[str] = (), joints: Sequence[str] = ()
) -> list[int]:
    """The session of each fork, from 1, by its start (ISO 8601); another one begins after a pause,
    and at each of `breaks`, but not at one of `joints`.
    """
    times = [datetime.fromisoformat(text) for text in started]
    begun, joined = ([datetime.fromisoformat(text) for text in each] for each in (breaks, joints))
    session, numbers = 1, [1] * len(times)
    order = sorted(range(len(times)), key=times.__getitem__)
    for before, after in pairwise(order):
        here = times[before], times[after]
        paused = here[1] - here[0] >= GAP and not any(here[0] < each <= here[1] for each in joined)
        session += paused or any(here[0] < each <= here[1] for each in begun)
        numbers[after] = session
    return numbers


def list_breaks(run: Run) -> tuple[list[str], list[str]]:
    """When the run was extended: where the anchors did not find the machine the same, and where
    they did, so that the forks are pooled with those of before, whatever the pause.
    """
    breaks = [each.began for each in run.extensions if not each.same]
    return breaks, [each.began for each in run.extensions if each.same]


def add_session(run: Run, now: datetime | None = None) -> Run:
    """The run with every point planned once more, to be measured as another session.

    BadInput while forks of the earlier ones lack, and before the pause is over.
    """
    require_pause(run, now)
    return set_sessions(run, run.sessions + 1)


def require_pause(run: Run, now: datetime | None = None) -> None:
    """BadInput unless another session may begin."""
    if missing := run.missing():
        raise BadInput(
            f"{run.folder.name} lacks {len(missing)} forks of its last session: measure these"
            " first, without --session."
        )
    last = max(datetime.fromisoformat(fork.after.utc) for _, fork in read_forks(run, []))
    if (now or datetime.now(UTC)) < last + GAP:
        raise BadInput(
            f"{run.folder.name}: a session begins six hours after the last fork at the earliest, at"
            f" {last + GAP:%Y-%m-%d %H:%M} UTC; for more forks of this one, raise forks.fitting."
        )


def set_sessions(run: Run, number: int) -> Run:
    """The run with every point planned so often."""
    planned = plan_sessions(run, number)
    write_json(run.folder / "run.json", planned.identity)
    return planned


def plan_sessions(run: Run, number: int) -> Run:
    """The same, but nothing is written."""
    return run._replace(identity=run.identity | {"sessions": number})
