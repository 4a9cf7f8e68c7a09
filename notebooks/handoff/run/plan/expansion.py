"""From a sweep to its points on this machine: every combination once, each with the places of its
threads or a reason why not.
"""

import itertools
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from handoff.catalog import YOURS, load_catalog
from handoff.errors import BadInput
from handoff.run.plan.points import Amounts, HeapPolicy, Housekeeping, Point, Slot
from handoff.run.plan.sweep import Entry, Sweep

MIN_EVENTS_PER_PLACE = 10
"""With fewer events than this per place, a queue never fills and time and CPU usage change their
meaning.
"""

SPINNING_VALUES = {"wait": "BUSY_SPIN", "idle": "SPIN"}
"""What no thread should do that shares its core."""


def expand_points(
    sweep: Sweep, file: str, cores: int, amounts: Amounts = MappingProxyType({})
) -> list[Point]:
    """Every point once, on a machine of `cores` cores; `amounts` is the work that it was found to
    need for a published time.

    A parameter that a mechanism does not have keeps its default, which makes duplicates.
    """
    points: dict[str, Point] = {}
    for study, entry in sweep.entries():
        for params in expand_entry(study, entry, cores, amounts.get(study, {})):
            point = Point(
                study=study,
                params=params,
                shots=entry.shots,
                warmup=entry.warmup or 0,
                warmup_limit=sweep.warmup_limit if entry.warmup is None else 0,
                oversubscribed_forks=entry.oversubscribed,
            )
            if points.setdefault(point.key, point) != point:
                raise BadInput(
                    f"{file}: {point}: two entries ask for this point with different shots, warmup"
                    " or oversubscribed; leave one of them."
                )
    if not points:
        raise BadInput(f"{file}: nothing is left to measure: exclude matches every point.")
    return list(points.values())


def expand_entry(
    study: str, entry: Entry, cores: int, amounts: Mapping[str, int]
) -> Iterator[dict[str, str]]:
    """All parameters of every combination that the entry asks for and does not
    exclude, spelt out.
    """
    known = load_catalog()[study]
    for asked in entry.products():
        values = {
            name: known.resolve(name, [amounts.get(value, value) for value in those], cores)
            for name, those in asked.items()
        }
        for combination in itertools.product(*values.values()):
            params = known.defaults() | {
                name: str(value) for name, value in zip(values, combination, strict=True)
            }
            if not entry.excludes(params, cores, amounts):
                matter = known.mechanisms[params["mechanism"]]
                yield params | {
                    k: v
                    for k, v in known.defaults().items()
                    if k != "mechanism" and k not in matter
                }


def settle_points(sweep: Sweep, points: list[Point], answers: list[dict], file: str) -> list[Point]:
    """The points with their forks and threads, from the jar's answers.

    BadInput for a point that is wrong on any machine.
    """
    settled = []
    for point, answer in zip(points, answers, strict=True):
        if "mistake" in answer:
            raise BadInput(f"{file}: {point}: {answer['mistake']}")
        if point.params["mechanism"] == YOURS and not sweep.jvm.yours:
            raise BadInput(
                f"{file}: {point}: {YOURS} is a class of one's own, which lab 6 compiles and"
                " measures: ./run_all.sh lab 6."
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
    own = answer.get("housekeeping") and Housekeeping.model_validate(answer["housekeeping"])
    placed = point.model_copy(update={"threads": threads, "heap": heap, "housekeeping": own})
    matter = load_catalog()[point.study].mechanisms[point.params["mechanism"]]
    spins = [
        word
        for name, word in SPINNING_VALUES.items()
        if name in matter and placed.params[name] == word
    ]
    if spins and placed.oversubscribed and not sweep.spin_oversubscribed:
        reason = (
            f"{spins[0]} burns a core that another thread needs; spin_oversubscribed: true in the"
            " sweep measures it all the same."
        )
        return placed.model_copy(update={"unavailable": reason})
    forks = sweep.forks.fitting
    if placed.oversubscribed:
        asked = point.oversubscribed_forks
        forks = sweep.forks.oversubscribed if asked is None else asked
    return placed.model_copy(update={"forks": forks})


def check_event_count(point: Point, file: str) -> None:
    known = load_catalog()[point.study]
    matter = known.mechanisms[point.params["mechanism"]]
    if (
        known.fills
        and "capacity" in matter
        and int(point.params["events"]) < MIN_EVENTS_PER_PLACE * int(point.params["capacity"])
    ):
        raise BadInput(
            f"{file}: {point}: events={point.params['events']} is less than {MIN_EVENTS_PER_PLACE}"
            f" x capacity={point.params['capacity']}, so the queue might never fill; use more"
            " events, a smaller capacity, or verdicts: false."
        )
