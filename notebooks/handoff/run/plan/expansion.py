"""Expand a sweep into its points on this machine, each placed or with a reason why it cannot be."""

import itertools
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from handoff.catalog import YOURS, load_catalog
from handoff.errors import BadInput
from handoff.run.plan import extent
from handoff.run.plan.points import DIGITS, Amounts, HeapPolicy, Housekeeping, Point, Slot
from handoff.run.plan.sweep import Entry, Sweep

MIN_EVENTS_PER_PLACE = 10
"""With fewer, a queue never fills, and time and CPU usage change their meaning."""

FIRST_TOUCH, PLACES_ITSELF = "FIRST_TOUCH", "PARALLEL_NUMA"
"""The heap placement that needs no permission, and the collector that places the heap itself."""

SPINNING_VALUES = {"wait": "BUSY_SPIN", "idle": "SPIN"}
"""Wait strategies that a thread must not use when it shares its core."""


def expand_points(
    sweep: Sweep,
    file: str,
    cores: int,
    amounts: Amounts = MappingProxyType({}),
    unplaced: bool = False,
) -> list[Point]:
    """Return every point of the sweep once per arm, for a machine of `cores` cores.

    `amounts` is the calibrated work for each published time. A parameter that a mechanism does not
    have keeps its default, and the duplicates that this makes are dropped. With `unplaced`, memory
    is FIRST_TOUCH where an entry does not name it.
    """
    extent.require_countable(sweep, file, cores, amounts)
    points: dict[str, Point] = {}
    for study, entry in sweep.entries():
        derived = entry.list_derived(cores)
        for params in expand_entry(study, entry, cores, amounts.get(study, {})):
            replaced = unplaced and is_replaceable(entry, params)
            params |= {"memory": FIRST_TOUCH} if replaced else {}
            point = Point(
                study=study,
                params=params,
                digits=DIGITS,
                shots=entry.shots,
                warmup=entry.warmup or 0,
                warmup_limit=sweep.warmup_limit if entry.warmup is None else 0,
                oversubscribed_forks=entry.oversubscribed,
                of_cores=not derived.isdisjoint(params.items()),
                unplaced=replaced,
            )
            before = points.setdefault(point.key, point)
            if before != point.model_copy(update={"of_cores": before.of_cores}):
                raise BadInput(
                    f"{file}: {point}: two entries give this point different shots, warmup or"
                    " oversubscribed; remove one of them."
                )
            if not point.of_cores:
                points[point.key] = point
    if not points:
        reason = extent.explain_emptiness(sweep, cores, amounts)
        raise BadInput(f"{file}: no point is left to measure, {reason}.")
    return [
        point.model_copy(update={"arm": arm})
        for point in points.values()
        for arm in sweep.arms or [""]
    ]


def is_replaceable(entry: Entry, params: Mapping[str, str]) -> bool:
    """Return whether FIRST_TOUCH may stand in for the heap's place, which no entry names."""
    named = any("memory" in product for product in entry.products())
    return not named and params.get("collector") != PLACES_ITSELF


def expand_entry(
    study: str, entry: Entry, cores: int, amounts: Mapping[str, int]
) -> Iterator[dict[str, str]]:
    """Yield all parameters of each combination in the entry that it does not exclude."""
    spec = load_catalog()[study]
    for product in entry.products():
        values = {
            name: spec.resolve(name, [amounts.get(value, value) for value in listed], cores)
            for name, listed in product.items()
        }
        for combination in itertools.product(*values.values()):
            params = spec.defaults() | {
                name: str(value) for name, value in zip(values, combination, strict=True)
            }
            if not entry.excludes(params, cores, amounts):
                relevant = spec.mechanisms[params["mechanism"]]
                yield params | {
                    k: v
                    for k, v in spec.defaults().items()
                    if k != "mechanism" and k not in relevant
                }


def settle_points(sweep: Sweep, points: list[Point], answers: list[dict], file: str) -> list[Point]:
    """Return the points with their forks and threads, from the jar's answers.

    Raise BadInput for a point that is invalid on every machine. What breaks a rule only because of
    the machine's cores is left out.
    """
    settled = []
    for point, answer in zip(points, answers, strict=True):
        if "mistake" in answer and point.of_cores:
            answer = {"unavailable": answer["mistake"]}
        if "mistake" in answer:
            raise BadInput(f"{file}: {point}: {answer['mistake']}")
        if point.params["mechanism"] == YOURS and not sweep.jvm.yours:
            raise BadInput(
                f"{file}: {point}: {YOURS} is a class of your own: name its file with --class"
                " MyHandoff.java, or run ./run_all.sh lab 6."
            )
        if sweep.verdicts:
            check_event_count(point, file)
        settled.append(place_point(sweep, point, answer))
    return settled


def place_point(sweep: Sweep, point: Point, answer: dict) -> Point:
    if "unavailable" in answer:
        return point.model_copy(update={"unavailable": answer["unavailable"]})
    threads = [Slot.model_validate(slot) for slot in answer["plan"]["threads"]]
    heap = answer.get("heap") and HeapPolicy.model_validate(answer["heap"])
    spare = answer.get("housekeeping") and Housekeeping.model_validate(answer["housekeeping"])
    placed = point.model_copy(update={"threads": threads, "heap": heap, "housekeeping": spare})
    relevant = load_catalog()[point.study].mechanisms[point.params["mechanism"]]
    spins = [
        word
        for name, word in SPINNING_VALUES.items()
        if name in relevant and placed.params[name] == word
    ]
    if spins and placed.oversubscribed and not sweep.spin_oversubscribed:
        reason = (
            f"{spins[0]} occupies a core that another thread needs; to measure it anyway, set"
            " spin_oversubscribed: true in the sweep."
        )
        return placed.model_copy(update={"unavailable": reason})
    forks = sweep.forks.fitting
    if placed.oversubscribed:
        entry_forks = point.oversubscribed_forks
        forks = sweep.forks.oversubscribed if entry_forks is None else entry_forks
    return placed.model_copy(update={"forks": forks})


def check_event_count(point: Point, file: str) -> None:
    spec = load_catalog()[point.study]
    relevant = spec.mechanisms[point.params["mechanism"]]
    if (
        spec.fills
        and "capacity" in relevant
        and int(point.params["events"]) < MIN_EVENTS_PER_PLACE * int(point.params["capacity"])
    ):
        raise BadInput(
            f"{file}: {point}: events={point.params['events']} is less than {MIN_EVENTS_PER_PLACE}"
            f" x capacity={point.params['capacity']}, so the queue might never fill; use more"
            " events, a smaller capacity or verdicts: false."
        )
