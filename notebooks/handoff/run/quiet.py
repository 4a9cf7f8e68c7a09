"""When a fork counts as disturbed: the rules, over what the machine did while it ran. The thresholds are the sweep's (`quiet`)."""

from collections.abc import Iterable

from handoff.run.forkfile import ForkFile
from handoff.run.sweep import Quiet

IDLE = ("idle", "iowait", "steal")


def disturbances(fork: ForkFile, quiet: Quiet, oversubscribed: bool) -> list[str]:
    """One phrase for each threshold that the fork exceeds, such as 'others used 0.61 cores'; none when it ran undisturbed."""
    others, stolen, waited = others_cores(fork), stolen_cores(fork), waiting_share(fork)
    told = []
    if others is not None and others > quiet.others:
        told.append(f"others used {others:.2f} cores")
    if stolen is not None and stolen > quiet.steal:
        told.append(f"the hypervisor took {stolen:.2f} cores")
    # Where threads share cores, they wait for each other: that is the point, not a disturbance.
    if waited is not None and waited > quiet.pressure and not oversubscribed:
        told.append(f"threads waited for a CPU in {waited:.0%} of the time")
    told += [f"{count} times throttled by {cause}" for cause, count in throttled(fork).items() if count > quiet.throttled]
    return told


def slower(ns_per_sort: float | None, usual: float | None, quiet: Quiet) -> list[str]:
    """A phrase when this fork's calibration took longer than usual: the machine was slower, whatever its counters say.

    A hypervisor's other guests, heat and a low frequency slow a virtual CPU without a trace in the kernel's counters.
    """
    if ns_per_sort is None or usual is None or ns_per_sort <= usual * (1 + quiet.slower):
        return []
    return [f"the machine was {ns_per_sort / usual - 1:.0%} slower than usual"]


def usual(calibrations: Iterable[float | None]) -> float | None:
    """What a sort usually takes in a run: the quarter of the forks that had the machine to themselves decide; None without any."""
    known = sorted(value for value in calibrations if value is not None)
    return known[len(known) // 4] if known else None


def others_cores(fork: ForkFile) -> float | None:
    """Cores that processes other than the fork's used, on the CPUs that it may use."""
    passed = [growth for kind in fork.before.cpu_s if kind not in IDLE and (growth := grown(fork, kind)) is not None]
    return (sum(passed) - fork.used_s) / fork.seconds if passed else None


def stolen_cores(fork: ForkFile) -> float | None:
    """Cores that the hypervisor gave to others while this machine wanted them."""
    stolen = grown(fork, "steal")
    return None if stolen is None else stolen / fork.seconds


def waiting_share(fork: ForkFile) -> float | None:
    """Share of the time in which some thread of the machine was ready to run and had no CPU."""
    if fork.before.pressure_s is None or fork.after.pressure_s is None:
        return None
    return (fork.after.pressure_s - fork.before.pressure_s) / fork.seconds


def throttled(fork: ForkFile) -> dict[str, int]:
    """How often heat and a quota slowed the machine meanwhile, where the kernel counts."""
    pairs = {cause: (count, fork.after.throttled.get(cause)) for cause, count in fork.before.throttled.items()}
    return {cause: after - before for cause, (before, after) in pairs.items() if before is not None and after is not None}


def grown(fork: ForkFile, kind: str) -> float | None:
    before, after = fork.before.cpu_s.get(kind), fork.after.cpu_s.get(kind)
    return None if before is None or after is None else after - before
