"""Extend a run by what a changed sweep asks for, in a session that measures the baseline again."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_json, write_text
from handoff.run import calibration, planning
from handoff.run.java.jdk import Jdk
from handoff.run.plan.pairs import find_pairs, list_values
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.store.identity import hash_sweep
from handoff.run.store.provenance import format_now
from handoff.run.store.run import Extension, Run, number_version, write_identity
from handoff.run.store.session import is_over
from handoff.text import pluralize


class Addition(NamedTuple):
    """The points and forks that an extension would add to a run.

    `points` are all points afterwards. `new` counts added points, `raised` points with more forks,
    and `kept` points that the sweep does not ask for. `planned`: the run was made to be extended
    so, and continues its session. `baseline`: the measured points that are compared with the added
    ones, and their forks in the extension's session, by point key.
    """

    points: list[Point]
    new: int
    raised: int
    kept: int
    planned: bool
    baseline: dict[str, int]
    amounts: Amounts

    def __bool__(self) -> bool:
        return bool(self.new or self.raised)

    def __str__(self) -> str:
        """Return '2 points and more forks for 4 points; 3 points are measured again'."""
        parts = [pluralize(self.new, "point")] if self.new else []
        if self.raised:
            parts.append(f"more forks for {pluralize(self.raised, 'point')}")
        again = len(self.baseline)
        verb = "is" if again == 1 else "are"
        more = f"; {pluralize(again, 'point')} {verb} measured again, to compare with"
        return (" and ".join(parts) or "nothing") + (more if again else "")


def plan_addition(run: Run, asked: SweepRequest, jdk: Jdk, calibrate: bool = False) -> Addition:
    """Return what the run is missing of the sweep; unknown amounts of work may be guessed.

    Raise BadInput if the set-up has changed, or if the sweep changes the shots of a measured point.
    """
    planning.require_same_setup(run, jdk, asked.sweep)
    amounts = find_amounts(run, asked, jdk, calibrate)
    planned = planning.plan_points(asked, jdk, amounts)
    measured = {point.key: point for point in run.points}
    points = unite_points(run.points, planned, asked.source)
    new = [point for key, point in points.items() if point.forks and key not in measured]
    raised = {
        key: points[key].forks - known.forks
        for key, known in measured.items()
        if points[key].forks > known.forks
    }
    # What `full` adds to `quick` within hours continues its session.
    continues = asked.base == run.identity["profile"] and not is_over(run, datetime.now(UTC))
    added = [*new, *(points[key] for key in raised)]
    baseline = [] if continues else choose_baseline(run, added)
    forks = max([*raised.values(), *(point.forks for point in new)], default=0) * run.sessions
    return Addition(
        list(points.values()),
        len(new),
        len(raised),
        len(measured.keys() - {point.key for point in planned}),
        continues,
        {point.key: forks for point in baseline},
        amounts,
    )


def require_extensible(first: SweepRequest, asked: SweepRequest, jdk: Jdk) -> None:
    """Raise BadInput where a run of the first sweep could never be extended by the other one."""
    for key in ("jvm", "arms"):
        if getattr(first.sweep, key) != getattr(asked.sweep, key):
            raise BadInput(
                f"{asked.source}: {key}: expected that of {first.source}, whose run this sweep"
                " extends; leave it out."
            )
    points = planning.plan_points(first, jdk)
    unite_points(points, planning.plan_points(asked, jdk), asked.source)


def find_amounts(run: Run, asked: SweepRequest, jdk: Jdk, calibrate: bool) -> Amounts:
    """Return the run's amounts of work, and those of words that only the changed sweep has."""
    known: dict[str, Mapping[str, int]] = run.identity.get("amounts") or {}
    words = calibration.find_words(asked.sweep, asked.source)
    missing = {
        study: unknown
        for study, listed in words.items()
        if (unknown := [word for word in listed if word not in known.get(study, {})])
    }
    amounts = (
        calibration.calibrate_amounts(missing, asked.sweep, jdk)
        if calibrate
        else calibration.guess_amounts(missing)
    )
    return {
        study: {**known.get(study, {}), **amounts.get(study, {})} for study in {**known, **amounts}
    }


def unite_points(
    measured: Iterable[Point], planned: Iterable[Point], source: str
) -> dict[str, Point]:
    """Return measured and planned points by key, each with the larger number of forks.

    A point that is unavailable in one list is taken from the other. Raise BadInput where their
    forks could not be pooled.
    """
    united = {point.key: point for point in measured}
    for point in planned:
        known = united.setdefault(point.key, point)
        require_alike(known, point, source)
        if known.unavailable and not point.unavailable:
            united[point.key] = point
        elif point.forks > known.forks:
            united[point.key] = known.model_copy(update={"forks": point.forks})
    return united


def require_alike(measured: Point, planned: Point, source: str) -> None:
    for name in ("shots", "warmup", "warmup_limit", "warmup_events"):
        before, after = getattr(measured, name), getattr(planned, name)
        if before != after:
            raise BadInput(
                f"{source}: {planned}: {name} is {after:g}, but the run measured this point with"
                f" {before:g}; such forks are never pooled."
            )


def choose_baseline(run: Run, added: Sequence[Point]) -> list[Point]:
    """Return the measured points that the report or a claim pairs with added ones.

    See `run.plan.pairs`. Where threads share cores nothing is compared.
    """
    new = {point.key for point in added}
    # As in the plan afterwards: added points come last, and points with more forks stay in place.
    points = {point.key: point for point in (*run.points, *added)}
    fitting = [p for p in points.values() if p.forks and not p.oversubscribed]
    again: set[str] = set()
    for study in dict.fromkeys(point.study for point in added):
        known = {point.key: list_values(point) for point in fitting if point.study == study}
        for pair in find_pairs(known, rivals=True):
            ends = {pair.before, pair.after}
            if ends & new:
                again |= ends - new
    return [point for point in run.points if point.key in again]


def plan_extended(run: Run, asked: SweepRequest, added: Addition) -> Run:
    """Return the run after the extension, without writing it."""
    began = format_now("milliseconds")
    extension = Extension(
        began=began,
        sweep=hash_sweep(asked.sweep),
        planned=added.planned,
        baseline=added.baseline,
        sentence=f"Extended on {began[:10]} by {added}.",
    )
    extensions = [known.model_dump() for known in (*run.extensions, extension)]
    identity = run.identity | {"amounts": dict(added.amounts), "extensions": extensions}
    return run._replace(identity=identity, sweep=asked.sweep, points=added.points)


def extend_run(run: Run, asked: SweepRequest, added: Addition) -> Run:
    """Write the run after the extension, and return it."""
    extended = plan_extended(run, asked, added)
    write_text(extended.sweep_file, asked.text)
    plan = number_version("plan.json", len(extended.extensions))
    write_json(run.folder / plan, [point.model_dump() for point in added.points])
    # run.json comes last: until then the run is unchanged.
    return write_identity(extended)
