"""Expand a sweep into its points on this machine, each placed or with a reason why it cannot be."""

import itertools
import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from handoff.catalog import OF_CORES, YOURS, load_catalog
from handoff.errors import BadInput
from handoff.run.plan.points import Amounts, Point
from handoff.run.plan.sweep import Entry, Sweep
from handoff.study import find_study

MOST_COMBINATIONS = 100_000
"""The limit of a sweep, which is days of forks and a minute of planning."""

MIN_EVENTS_PER_PLACE = 10
"""With fewer, a queue never fills, and time and CPU usage change their meaning."""

FIRST_TOUCH, PLACES_ITSELF = "FIRST_TOUCH", "PARALLEL_NUMA"
"""The heap placement that needs no permission, and the collector that places the heap itself."""

SPINNING_VALUES = {"wait": "BUSY_SPIN", "idle": "SPIN"}
"""Wait strategies that a thread must not use when it shares its core."""


class Product(NamedTuple):
    """Values by parameter whose combinations an entry asks for: as listed, and on this machine.

    `names_memory`: whether the entry names the heap's place.
    """

    study: str
    entry: Entry
    listed: dict[str, list]
    values: dict[str, list]
    names_memory: bool


def expand_points(
    sweep: Sweep,
    file: str,
    cores: int,
    amounts: Amounts = MappingProxyType({}),
    unplaced: bool = False,
) -> list[Point]:
    """Return every point of the sweep once per arm, for a machine of `cores` cores.

    A parameter that a mechanism does not have keeps its default, and the duplicates that this makes
    are dropped. With `unplaced`, memory is FIRST_TOUCH where an entry does not name it.
    """
    products = list_products(sweep, cores, amounts)
    arms = list(sweep.arms) or [""]
    require_countable(products, len(arms), file)
    points: dict[str, Point] = {}
    for product in products:
        entry, replaceable = product.entry, unplaced and not product.names_memory
        for params, of_cores in combine_values(product, cores, amounts.get(product.study, {})):
            replaced = replaceable and params.get("collector") != PLACES_ITSELF
            params |= {"memory": FIRST_TOUCH} if replaced else {}
            point = Point(
                study=product.study,
                params=params,
                shots=entry.shots,
                warmup=entry.warmup or 0,
                warmup_limit=sweep.warmup_limit if entry.warmup is None else 0,
                warmup_events=entry.warmup_events or 0,
                oversubscribed_forks=entry.oversubscribed,
                of_cores=of_cores,
                unplaced=replaced,
            )
            check_warm_up(point, file)
            add_point(points, point, file)
    if not points:
        raise BadInput(f"{file}: {explain_emptiness(products, cores)}.")
    return [point.model_copy(update={"arm": arm}) for point in points.values() for arm in arms]


def list_products(sweep: Sweep, cores: int, amounts: Amounts) -> list[Product]:
    products = []
    for study, entry in sweep.entries():
        spec, known = load_catalog()[study], amounts.get(study, {})
        listings = entry.products()
        names_memory = any("memory" in listed for listed in listings)
        for listed in listings:
            given = {name: [known.get(v, v) for v in values] for name, values in listed.items()}
            values = {name: spec.resolve(name, words, cores) for name, words in given.items()}
            products.append(Product(study, entry, given, values, names_memory))
    return products


def require_countable(products: list[Product], arms: int, file: str) -> None:
    """Raise BadInput for too many combinations, even where most of them would be dropped."""
    number = arms * sum(math.prod(map(len, product.values.values())) for product in products)
    if number > MOST_COMBINATIONS:
        raise BadInput(
            f"{file}: {number:,} combinations of values; the limit of a sweep is"
            f" {MOST_COMBINATIONS:,}."
        )


def explain_emptiness(products: list[Product], cores: int) -> str:
    empty = dict.fromkeys(
        f"{name}={', '.join(map(str, product.listed[name]))}"
        for product in products
        for name, resolved in product.values.items()
        if not resolved
    )
    reason = f"{'; '.join(empty)} is not possible on {cores} cores" if empty else ""
    return f"no point is left to measure, because {reason or 'exclude matches every one'}"


def combine_values(
    product: Product, cores: int, amounts: Mapping[str, int]
) -> Iterator[tuple[dict[str, str], bool]]:
    """Yield all parameters of each combination, and whether a value follows from the cores."""
    spec = load_catalog()[product.study]
    listed = {name: set(map(str, values)) for name, values in product.listed.items()}
    for combination in itertools.product(*product.values.values()):
        chosen = dict(zip(product.values, map(str, combination), strict=True))
        params = spec.defaults() | chosen
        if not product.entry.excludes(params, cores, amounts):
            relevant = ("mechanism", *spec.mechanisms[params["mechanism"]])
            kept = {name: value for name, value in params.items() if name in relevant}
            of_cores = any(value not in listed.get(name, {value}) for name, value in kept.items())
            yield spec.defaults() | kept, of_cores


def add_point(points: dict[str, Point], point: Point, file: str) -> None:
    """Add a point by its key, unless another entry has given it already."""
    before = points.setdefault(point.key, point)
    if before is point:
        return
    alike = {"of_cores": before.of_cores, "unplaced": before.unplaced}
    if before != point.model_copy(update=alike):
        raise BadInput(
            f"{file}: {point}: two entries give this point different shots, warmup, warmup_events"
            " or oversubscribed; remove one of them."
        )
    if not point.of_cores:
        points[point.key] = point


def list_idle_excludes(sweep: Sweep) -> list[str]:
    """Return a sentence for each item of an exclude that matches no combination."""
    sentences = []
    for study, entry in sweep.entries():
        for rule in entry.rules():
            if not any(may_match(study, listed, rule) for listed in entry.products()):
                items = [f"{key}: {', '.join(map(str, values))}" for key, values in rule.items()]
                sentences.append(
                    f"studies.{study}: exclude {{{', '.join(items)}}} matches nothing."
                )
    return sentences


def may_match(study: str, listed: dict[str, list], rule: dict[str, list]) -> bool:
    """Return whether one combination has a listed value of each key; CORES may be any number."""
    defaults = load_catalog()[study].defaults()
    for name, words in rule.items():
        wanted = set(map(str, words))
        given = set(map(str, listed.get(name, [defaults[name]])))
        if not (wanted & given or any(map(OF_CORES.fullmatch, wanted | given))):
            return False
    return True


def settle_points(sweep: Sweep, points: list[Point], answers: list[dict], file: str) -> list[Point]:
    """Return the points with their forks and threads; raise BadInput for an invalid one."""
    settled = []
    for point, answer in zip(points, answers, strict=True):
        # A point that is invalid only because of the machine's cores is left out.
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
    places = {name: answer.get(name) for name in ("heap", "housekeeping")}
    placed = Point.model_validate(dict(point) | places | {"threads": answer["plan"]["threads"]})
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


def check_warm_up(point: Point, file: str) -> None:
    """Raise BadInput where the point's warm-up shots cannot be as short, or as long, as asked."""
    if not point.warmup_events:
        return
    if not load_catalog()[point.study].shortens:
        raise BadInput(
            f"{file}: studies.{point.study}: warmup_events: {point.study} has whole shots in its"
            " warm-up only; remove the key."
        )
    events = find_study(point.study).count_events(point.params)
    if point.warmup_events > events:
        raise BadInput(
            f"{file}: {point}: warmup_events={point.warmup_events} is more than events={events};"
            " use fewer, or remove the key."
        )


def check_event_count(point: Point, file: str) -> None:
    spec = load_catalog()[point.study]
    if not spec.fills or "capacity" not in spec.mechanisms[point.params["mechanism"]]:
        return
    events, capacity = point.params["events"], point.params["capacity"]
    if int(events) < MIN_EVENTS_PER_PLACE * int(capacity):
        raise BadInput(
            f"{file}: {point}: events={events} is less than {MIN_EVENTS_PER_PLACE} x"
            f" capacity={capacity}, so the queue might never fill; use more events, a smaller"
            " capacity or verdicts: false."
        )
