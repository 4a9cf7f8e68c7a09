"""Decide, by the sweep's thresholds, which forks ran disturbed, and which measurement counts."""

from functools import cached_property
from typing import NamedTuple

from handoff.run.host.machine import IDLE
from handoff.run.plan.settings import Quiet
from handoff.run.store.forkfile import ForkFile


class Measurement(NamedTuple):
    """Repetition `again` of fork `number` of the point with this key."""

    point: str
    number: int
    again: int


class Assessment:
    """The disturbances in a whole run; add every fork before any query.

    A fork that ran disturbed is measured again, and both measurements stay. The first undisturbed
    one counts, or else the last.
    """

    def __init__(self, quiet: Quiet) -> None:
        self._quiet = quiet
        self._forks: dict[Measurement, tuple[list[str], float | None]] = {}

    def add(self, fork: ForkFile, key: str, oversubscribed: bool) -> Measurement:
        """Add and return one measurement of the point with this key."""
        measurement = Measurement(key, fork.fork, fork.again)
        reasons = list_disturbances(fork, self._quiet, oversubscribed)
        self._forks[measurement] = reasons, fork.evidence.nsPerSort
        return measurement

    def list_reasons(self, measurement: Measurement) -> list[str]:
        """Return a phrase for each disturbance; the others' calibrations say what is slow."""
        reasons, ns = self._forks[measurement]
        usual, slower = self._usual_sort, self._quiet.slower
        # Guests, heat and low frequencies leave no trace in the kernel's counters of a virtual CPU.
        if ns is None or usual is None or slower is None or ns <= usual * (1 + slower):
            return reasons
        return [*reasons, f"the machine was {ns / usual - 1:.0%} slower than usual"]

    @cached_property
    def _usual_sort(self) -> float | None:
        """The usual time of a sort in the run, or None without calibrations."""
        # The lower quartile, so that the forks with the machine to themselves decide.
        known = sorted(ns for _, ns in self._forks.values() if ns is not None)
        return known[len(known) // 4] if known else None

    @cached_property
    def repetitions(self) -> dict[tuple[str, int], dict[int, bool]]:
        """(point's key, fork's number) to each repetition and whether it ran disturbed."""
        by_fork: dict[tuple[str, int], dict[int, bool]] = {}
        for measurement in self._forks:
            fork = by_fork.setdefault((measurement.point, measurement.number), {})
            fork[measurement.again] = bool(self.list_reasons(measurement))
        return by_fork

    def counts(self, measurement: Measurement) -> bool:
        """Check whether this is the repetition of its fork that counts."""
        repetitions = self.repetitions[measurement.point, measurement.number]
        undisturbed = [again for again, disturbed in repetitions.items() if not disturbed]
        return measurement.again == (undisturbed[0] if undisturbed else list(repetitions)[-1])


def list_disturbances(fork: ForkFile, quiet: Quiet, oversubscribed: bool) -> list[str]:
    """Return a phrase such as 'others used 0.61 cores' for each threshold that the fork exceeds."""
    others, stolen = compute_others_cores(fork), compute_stolen_cores(fork)
    waited = compute_waiting_share(fork)
    parts = []
    if others is not None and others > quiet.others:
        parts.append(f"others used {others:.2f} cores")
    if stolen is not None and stolen > quiet.steal:
        parts.append(f"the hypervisor took {stolen:.2f} cores")
    # Threads that share cores wait for each other; that is intended, not a disturbance.
    if waited is not None and waited > quiet.pressure and not oversubscribed:
        parts.append(f"threads waited for a CPU in {waited:.0%} of the time")
    parts += [
        f"{count} times throttled by {cause}"
        for cause, count in count_throttling(fork).items()
        if count > quiet.throttled
    ]
    return parts


def compute_others_cores(fork: ForkFile) -> float | None:
    """Return the cores that other processes used, on the CPUs that the fork may use."""
    passed = [compute_growth(fork, kind) for kind in fork.before.cpu_s if kind not in IDLE]
    known = [seconds for seconds in passed if seconds is not None]
    return (sum(known) - fork.used_s) / fork.seconds if known else None


def compute_stolen_cores(fork: ForkFile) -> float | None:
    """Return the cores that the hypervisor gave to others while this machine wanted them."""
    stolen = compute_growth(fork, "steal")
    return None if stolen is None else stolen / fork.seconds


def compute_waiting_share(fork: ForkFile) -> float | None:
    """Return the share of time in which a thread was ready to run but had no CPU."""
    waited = subtract(fork.after.pressure_s, fork.before.pressure_s)
    return None if waited is None else waited / fork.seconds


def count_throttling(fork: ForkFile) -> dict[str, int]:
    """Return how often heat and a quota throttled the machine, where the kernel counts."""
    after = fork.after.throttled
    counts = {cause: subtract(after.get(cause), n) for cause, n in fork.before.throttled.items()}
    return {cause: int(count) for cause, count in counts.items() if count is not None}


def compute_growth(fork: ForkFile, kind: str) -> float | None:
    return subtract(fork.after.cpu_s.get(kind), fork.before.cpu_s.get(kind))


def subtract(after: float | None, before: float | None) -> float | None:
    return None if before is None or after is None else after - before
