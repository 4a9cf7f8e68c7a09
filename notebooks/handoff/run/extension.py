"""Extend a run by what a changed sweep asks for; anchors show if the machine is still the same."""

import random
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_json, write_text
from handoff.registry import find_study
from handoff.run import calibration, planning
from handoff.run.java.jdk import Jdk
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.store.identity import (
    SETUP_KEYS,
    compute_identity,
    describe_difference,
    hash_sweep,
    list_other,
)
from handoff.run.store.provenance import format_now
from handoff.run.store.run import Extension, Run, number_version, write_identity
from handoff.text import pluralize

ANCHORS, ANCHOR_FORKS = 3, 3
"""Points that an extension measures once more, and forks of each."""


class Addition(NamedTuple):
    """The points and forks that an extension would add to a run.

    `points` are all points afterwards. `new` counts added points, `raised` points with more forks,
    and `kept` points that the sweep does not ask for. `anchors`: additional forks by point key.
    """

    points: list[Point]
    new: int
    raised: int
    anchors: dict[str, int]
    kept: int
    amounts: Amounts

    def __bool__(self) -> bool:
        return bool(self.new or self.raised)

    def __str__(self) -> str:
        """Return '2 points and more forks for 4 points'."""
        parts = [pluralize(self.new, "point")] if self.new else []
        if self.raised:
            parts.append(f"more forks for {pluralize(self.raised, 'point')}")
        return " and ".join(parts) or "nothing"


def plan_addition(run: Run, asked: SweepRequest, jdk: Jdk, calibrate: bool = False) -> Addition:
    """Return what the run is missing of the sweep; unknown amounts of work may be guessed.

    Raise BadInput if the set-up has changed, or if the sweep changes the shots of a measured point.
    """
    require_setup(run, asked, jdk)
    amounts = find_amounts(run, asked, jdk, calibrate)
    # The names of an older run's points stay as they are.
    digits = {"digits": run.points[0].digits}
    asked_for = planning.plan_points(asked, jdk, amounts)
    planned = [point.model_copy(update=digits) for point in asked_for]
    measured = {point.key: point.forks for point in run.points}
    points = unite_points(run.points, planned, asked.source)
    new = [point for key, point in points.items() if point.forks and key not in measured]
    raised = {
        key: (points[key].forks - forks) * run.sessions
        for key, forks in measured.items()
        if points[key].forks > forks
    }
    touched = {point.study for point in new} | {points[key].study for key in raised}
    anchors = choose_anchors(run, touched) if touched else []
    return Addition(
        list(points.values()),
        len(new),
        len(raised),
        {point.key: max(0, ANCHOR_FORKS - raised.get(point.key, 0)) for point in anchors},
        len(measured.keys() - {point.key for point in planned}),
        amounts,
    )


def require_setup(run: Run, asked: SweepRequest, jdk: Jdk) -> None:
    now = compute_identity(asked.sweep, planning.describe_here(jdk), jdk)
    if different := list_other(run.identity, now, SETUP_KEYS):
        raise BadInput(
            f"{run.folder.name} cannot be extended: it was measured with"
            f" {describe_difference(different)}; start a new run."
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
    known: dict[str, Mapping[str, int]] = dict(run.identity.get("amounts") or {})
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
    return known | {study: {**known.get(study, {}), **listed} for study, listed in amounts.items()}


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
    for name in ("shots", "warmup", "warmup_limit"):
        before, after = getattr(measured, name), getattr(planned, name)
        if before != after:
            raise BadInput(
                f"{source}: {planned}: {name} is {after:g}, but the run measured this point with"
                f" {before:g}; such forks are never pooled."
            )


def choose_anchors(run: Run, touched: set[str]) -> list[Point]:
    """Return measured points to compare with: the baseline first, then other mechanisms.

    Points of the extended studies, and with a core for every thread, are preferred.
    """
    missing = {(point.key, number) for point, number in run.missing()}
    keys = {point.key for point, number in run.tasks() if (point.key, number) not in missing}
    candidates = [point for point in run.points if point.key in keys]
    for preferred in (lambda p: not p.oversubscribed, lambda p: p.study in touched):
        candidates = [point for point in candidates if preferred(point)] or candidates
    random.Random(run.sweep.seed).shuffle(candidates)
    candidates.sort(key=lambda p: p.params["mechanism"] != find_study(p.study).sequential)
    chosen: list[Point] = []
    while candidates and len(chosen) < ANCHORS:
        seen = {point.params["mechanism"] for point in chosen}
        candidates.sort(key=lambda p: p.params["mechanism"] in seen)
        chosen.append(candidates.pop(0))
    return chosen


def plan_extended(run: Run, asked: SweepRequest, added: Addition) -> Run:
    """Return the run after the extension, without writing it."""
    extension = Extension(
        began=format_now("milliseconds"),
        sweep=hash_sweep(asked.sweep),
        planned=asked.base == run.identity["profile"],
        anchors=added.anchors,
    )
    planned = put_extensions(run, [*run.extensions, extension])
    identity = planned.identity | {"amounts": dict(added.amounts)}
    return planned._replace(identity=identity, sweep=asked.sweep, points=added.points)


def extend_run(run: Run, asked: SweepRequest, added: Addition) -> Run:
    return write_extended(plan_extended(run, asked, added), asked.text)


def write_extended(planned: Run, sweep: str) -> Run:
    """Write a run planned with another extension, and the text of its sweep."""
    write_text(planned.sweep_file, sweep)
    plan = number_version("plan.json", len(planned.extensions))
    write_json(planned.folder / plan, [point.model_dump() for point in planned.points])
    # run.json comes last: until then the run is unchanged.
    return write_identity(planned)


def put_extensions(run: Run, extensions: list[Extension]) -> Run:
    """Return the run with these extensions instead of its own, without writing it."""
    content = [extension.model_dump() for extension in extensions]
    return run._replace(identity=run.identity | {"extensions": content})
