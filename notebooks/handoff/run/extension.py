"""More points and forks for a run that is there: what a changed sweep asks for beyond it, and a few
anchors, measured once more, that tell whether the machine is still the same.
"""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from handoff.errors import BadInput
from handoff.files import write_json, write_text
from handoff.registry import find_study
from handoff.run import calibration, planning
from handoff.run.host import machine
from handoff.run.java import jar
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
from handoff.run.store.run import Extension, Run, count_looks, number_version, read_run
from handoff.text import pluralize

ANCHORS = 3
ANCHOR_FORKS = 3


class Addition(NamedTuple):
    """What an extension would add to a run: all its `points`, as they would be; how many of them
    are `new`, and of how many others more forks are asked for; the forks that `anchors` get beyond
    these, by a point's key; how many points the changed sweep does not ask for, which are `kept`.
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
        """'2 points and more forks for 4 points'"""
        parts = [pluralize(self.new, "point")] if self.new else []
        if self.raised:
            parts.append(f"more forks for {pluralize(self.raised, 'point')}")
        return " and ".join(parts) or "nothing"


def plan_addition(run: Run, asked: SweepRequest, jdk: Jdk, calibrate: bool = False) -> Addition:
    """What the run lacks of the sweep; work of a published time that it has no amount for is
    calibrated, or guessed.

    BadInput when the set-up is another one, or a point of the run is asked for in another way.
    """
    require_setup(run, asked, jdk)
    amounts = find_amounts(run, asked, jdk, calibrate)
    there = {point.key: point for point in run.points}
    planned = {point.key: point for point in planning.plan_points(asked, jdk, amounts)}
    for key in there.keys() & planned.keys():
        require_alike(there[key], planned[key], asked.source)
    merged = {key: combine(point, planned.get(key)) for key, point in there.items()}
    beside = [point for key, point in planned.items() if key not in there]
    new = [point for point in beside if point.forks]
    raised = {
        key: (point.forks - there[key].forks) * run.sessions
        for key, point in merged.items()
        if point.forks > there[key].forks
    }
    touched = {point.study for point in new} | {merged[key].study for key in raised}
    anchors = choose_anchors(run, touched) if touched else []
    return Addition(
        [*merged.values(), *beside],
        len(new),
        len(raised),
        {point.key: max(0, ANCHOR_FORKS - raised.get(point.key, 0)) for point in anchors},
        len(there.keys() - planned.keys()),
        amounts,
    )


def require_setup(run: Run, asked: SweepRequest, jdk: Jdk) -> None:
    now = compute_identity(asked.sweep, machine.describe_machine(jar.query_topology(jdk)), jdk)
    other = list_other(run.identity, now, SETUP_KEYS)
    if other:
        raise BadInput(
            f"{run.folder.name} cannot be extended: it was measured with"
            f" {describe_difference(other)}; start a new run."
        )


def find_amounts(run: Run, asked: SweepRequest, jdk: Jdk, calibrate: bool) -> Amounts:
    """The run's own, and those of words that only the changed sweep has."""
    own: dict[str, Mapping[str, int]] = dict(run.identity.get("amounts") or {})
    words = calibration.find_words(asked.sweep, asked.source)
    lacking = {
        study: [word for word in each if word not in own.get(study, {})]
        for study, each in words.items()
    }
    lacking = {study: each for study, each in lacking.items() if each}
    found = (
        calibration.calibrate_amounts(lacking, asked.sweep, jdk)
        if calibrate
        else calibration.guess_amounts(lacking)
    )
    return own | {study: {**own.get(study, {}), **each} for study, each in found.items()}


def require_alike(there: Point, planned: Point, source: str) -> None:
    """BadInput unless the forks of both may be pooled."""
    for name in ("shots", "warmup", "warmup_limit"):
        before, after = getattr(there, name), getattr(planned, name)
        if before != after:
            raise BadInput(
                f"{source}: {planned}: {name} is {after:g}, and the run measured this point with"
                f" {before:g}; forks of two kinds are never pooled."
            )


def combine(there: Point, planned: Point | None) -> Point:
    """The point with the more forks of the two; where one cannot be measured, the other."""
    if planned is None or planned.unavailable:
        return there
    if there.unavailable:
        return planned
    return there.model_copy(update={"forks": max(there.forks, planned.forks)})


def choose_anchors(run: Run, touched: set[str]) -> list[Point]:
    """Points with forks to compare with: the baseline first, then such of other mechanisms, by the
    seed; of the studies that are touched, and with a core for every thread, where there are any.
    """
    lacking = {(point.key, number) for point, number in run.missing()}
    there = {point.key for point, number in run.tasks() if (point.key, number) not in lacking}
    able = [point for point in run.points if point.key in there]
    for wanted in (lambda p: not p.oversubscribed, lambda p: p.study in touched):
        able = [point for point in able if wanted(point)] or able
    random.Random(run.sweep.seed).shuffle(able)
    able.sort(key=lambda p: p.params["mechanism"] != find_study(p.study).sequential)
    chosen: list[Point] = []
    while able and len(chosen) < ANCHORS:
        seen = {point.params["mechanism"] for point in chosen}
        able.sort(key=lambda p: p.params["mechanism"] in seen)
        chosen.append(able.pop(0))
    return chosen


def plan_extended(run: Run, asked: SweepRequest, added: Addition) -> Run:
    """The run as it would be from now on; nothing is written."""
    extension = Extension(
        began=format_now(),
        sweep=hash_sweep(asked.sweep),
        # Its own, and a second one that only the changed sweep plans.
        looks=run.looks + max(1, count_looks(asked.sweep) - count_looks(run.sweep) + 1),
        anchors=added.anchors,
    )
    planned = put_extensions(run, [*run.extensions, extension])
    identity = planned.identity | {"amounts": dict(added.amounts)}
    return planned._replace(identity=identity, sweep=asked.sweep, points=added.points)


def extend_run(run: Run, asked: SweepRequest, added: Addition) -> Run:
    """The same, written."""
    return write_extended(plan_extended(run, asked, added), asked.text)


def write_extended(planned: Run, sweep: str) -> Run:
    """Writes a run that was planned with one more extension, and the text of its sweep; run.json
    comes last, and until then the run is as it was.
    """
    write_text(planned.sweep_file, sweep)
    plan = number_version("plan.json", len(planned.extensions))
    write_json(planned.folder / plan, [point.model_dump() for point in planned.points])
    return write_identity(planned)


def format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def put_extensions(run: Run, extensions: list[Extension]) -> Run:
    """The run with these in place of its own; nothing is written."""
    content = [each.model_dump() for each in extensions]
    return run._replace(identity=run.identity | {"extensions": content})


def write_identity(run: Run) -> Run:
    write_json(run.folder / "run.json", run.identity)
    return read_run(run.folder)
