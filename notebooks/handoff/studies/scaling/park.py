"""The park: how long the producer sleeps at a full ring, against the work that the ring holds.

In each release of 3.x after 3.2.0 the producer parks for a nanosecond while the ring is full; the
kernel makes that tens of microseconds. Where the consumer empties the ring in less, it runs out
of events, and the time of an event is no longer that of the hand-over alone.
"""

from typing import NamedTuple

import pandas as pd

from handoff.analysis.forks import estimate_ratio, make_term, mean_level
from handoff.analysis.intervals import estimate
from handoff.draw.marks import format_brief_ns
from handoff.draw.words import join_words
from handoff.run.store.run import Run
from handoff.studies.scaling import STUDY
from handoff.studies.scaling.cost_table import QUEUE, RINGS
from handoff.tables import tidy
from handoff.text import format_range, format_value, pluralize

OFTEN = 0.5
"""Least sleeps of the producer per ring of events at which it sleeps whenever the ring is full."""

TIME = "ns_per_event"


class Park(NamedTuple):
    """Sleep of the producer of a release at one load.

    `sleep_ns` is the time of one sleep, `ring_ns` that of the work in a full ring, on one thread
    alone, both in nanoseconds. `longer` says whether the 95 % interval of their ratio is above 1.
    """

    release: str
    sorts: int
    sleep_ns: float
    ring_ns: float
    longer: bool


def load_sleeps(run: Run) -> pd.DataFrame:
    """Return how the producer of each fork slept, by `point` and `fork`; empty without threads.

    `sleep_ns` is its time off a core per voluntary switch, in nanoseconds, and `sleeps` the number
    of these switches per event, both over the shots that count.
    """
    if not (run.folder / "tidy" / "threads.csv").is_file():
        return pd.DataFrame()
    return measure_sleeps(tidy.load_table(run, "threads"), tidy.load_table(run, STUDY.name))


def measure_sleeps(threads: pd.DataFrame, shots: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `load_sleeps` from those of threads and shots."""
    keys = ["point", "fork", "shot"]
    producers = threads[(threads["study"] == STUDY.name) & (threads["role"] == "producer")]
    counted = shots.loc[shots["counted"], [*keys, "wall_ns", "events"]]
    rows = producers[[*keys, "cpu_ns", "voluntary"]].merge(counted, on=keys)
    total = rows.drop(columns="shot").groupby(["point", "fork"]).sum()
    slept = total[total["voluntary"] > 0]
    away = slept["wall_ns"] - slept["cpu_ns"]
    return pd.DataFrame(
        {
            "sleep_ns": away / slept["voluntary"],
            "sleeps": slept["voluntary"] / slept["events"],
        }
    )


def list_parks(forks: pd.DataFrame, sleeps: pd.DataFrame) -> list[Park]:
    """Return the sleep by release and load where the producer sleeps whenever the ring is full.

    `forks` have one consumer and one design of the Disruptor, with a core for each thread.
    """
    if forks.empty or sleeps.empty:
        return []
    rings = forks[forks["mechanism"].isin(RINGS)]
    slept = rings.join(sleeps, on=["point", "fork"]).dropna(subset=["sleep_ns"])
    sequential = forks[forks["mechanism"] == STUDY.sequential]
    alone = dict(list(sequential.groupby(["sort", "sorts"])))
    parks = []
    for (release, *work), point in slept.groupby(["release", "sort", "sorts"]):
        often = (point["sleeps"] * point["capacity"]).mean() >= OFTEN
        if often and tuple(work) in alone:
            parks.append(measure_park(str(release), int(work[1]), point, alone[tuple(work)]))
    return parks


def measure_park(release: str, sorts: int, point: pd.DataFrame, alone: pd.DataFrame) -> Park:
    """Return a point's sleep against the work in its ring, from the forks of one thread alone."""
    capacity = point["capacity"].iloc[0]
    sleep = make_term(1.0, point, "sleep_ns", like=TIME)
    bounds = estimate([sleep, make_term(-1.0, alone)]).interval()
    longer = bounds is not None and bool(bounds[0] > capacity)
    sleep_ns = mean_level(point, "sleep_ns", like=TIME)
    return Park(release, sorts, sleep_ns, float(capacity * mean_level(alone)), longer)


def describe_parks(parks: list[Park]) -> str:
    """Return where a sleep is surely longer than the work in the ring, or ''; for a caption."""
    longer = [park for park in parks if park.longer]
    if not longer:
        return ""
    first = longer[0]
    also = [str(park.sorts) for park in longer[1:] if park.release == first.release]
    more = f" So it is with {join_words(also)} sorts." if also else ""
    sleep = format_brief_ns(first.sleep_ns)
    ring = format_brief_ns(first.ring_ns)
    return (
        f"With {pluralize(first.sorts, 'sort')} the producer of the Disruptor {first.release}"
        f" sleeps {sleep} each time the ring is full, longer than the consumer needs to empty it"
        f" ({ring}): its time there is that of the sleep, too, not of the hand-over alone.{more}"
    )


def list_sentences(forks: pd.DataFrame, parks: list[Park]) -> list[str]:
    """Return what follows from each sleep that is surely the longer one, for the paper's reasons.

    `forks` are those of `list_parks`, of all releases.
    """
    sentences = []
    for park in parks:
        if not park.longer:
            continue
        load = forks[forks["sorts"] == park.sorts]
        asleep = {other.release for other in parks if other.sorts == park.sorts}
        sentences.append(" ".join([describe_consequence(park), *compare_awake(load, asleep)]))
    return sentences


def describe_consequence(park: Park) -> str:
    return (
        f"With {pluralize(park.sorts, 'sort')} per event, the producer of the Disruptor"
        f" {park.release} sleeps {format_brief_ns(park.sleep_ns)} each time the ring is full, but"
        f" the work in a full ring takes one thread {format_brief_ns(park.ring_ns)} only: the"
        " consumer runs out of events before the producer wakes up. A comparison with this release"
        " at this load is one of that sleep, too, and not of the hand-over alone."
    )


def compare_awake(load: pd.DataFrame, asleep: set[str]) -> list[str]:
    """Return how the queue compares with the releases whose producer does not sleep at a load."""
    queue = load[load["mechanism"] == QUEUE]
    awake = ~load["release"].isin(asleep) & load["sort"].isin(queue["sort"])
    rings = load[load["mechanism"].isin(RINGS) & awake]
    sentences = []
    for release, ring in rings.groupby("release"):
        if queue.empty:
            continue
        made = estimate_ratio(queue, ring)
        if bounds := made.interval():
            sentences.append(
                f"The queue takes {format_value(made.ratio)} times as long as the Disruptor"
                f" {release}, whose producer does not sleep there (95 %: {format_range(*bounds)})."
            )
    return sentences
