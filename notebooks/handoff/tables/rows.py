"""Rows of the tidy tables, made from one fork file; data/tables.yml describes the columns."""

from collections.abc import Iterable

from handoff.catalog import load_catalog
from handoff.run.plan.points import Point
from handoff.run.store import disturbance
from handoff.run.store.forkfile import ForkFile, Shot

TOO_SHORT_NS = 50e6
"""A shorter shot is mostly its own start and end."""

STARTER = "starter"
"""Role of a thread that only starts the others and waits for them, off the event path."""

PLACES = ("node", "socket", "cache", "kind")
"""Fields of a thread that locate its CPU, and the kind of its core."""

HASH_DIGITS = 12
"""Digits of a fork file's SHA-256 that tables hold."""

MIN_USAGE_WALL_NS = 200e6
"""Wall time that a fork's measured shots must add up to for a meaningful CPU usage."""


def make_shot_rows(point: Point, fork: ForkFile) -> list[dict]:
    """Return one row per shot, in order.

    `disturbed`, `counted` and `session` are filled in once all forks are known.
    """
    shared = make_fork_columns(point, fork)
    return [
        {
            **shared,
            "shot": i,
            "warmup": i < point.warmup,
            **make_shot_columns(shot),
            **make_thread_columns(shot),
            **(shot.measures or {}),
            "counted": False,
            "session": 0,
        }
        for i, shot in enumerate(fork.evidence.shots)
    ]


def make_fork_columns(point: Point, fork: ForkFile) -> dict:
    """Return what the shots of a fork share; None for what older files do not have."""
    evidence = fork.evidence
    clock, warm_up = evidence.clock, evidence.warmUp
    measured_wall = sum(shot.wallNs for shot in evidence.shots[point.warmup :])
    return {
        "setup": fork.setup,
        "machine": fork.machine,
        "host": fork.host or "",
        "jvm": evidence.jvm.version,
        "study": fork.study,
        **name_arm(point),
        # A parameter that a fork does not have is younger than it, and was at its default.
        **name_parameters(fork.study, load_catalog()[fork.study].defaults() | fork.params),
        "point": point.key,
        "fork": fork.fork,
        "again": fork.again,
        "disturbed": "",
        "hash": fork.sha256[:HASH_DIGITS],
        "block": fork.block,
        "order_index": fork.order,
        "started": fork.before.utc,
        "seconds": fork.seconds,
        **describe_surroundings(fork),
        "clock": clock and clock.source,
        "clock_invariant": clock and clock.invariant,
        "clock_read_ns": clock and round(clock.readNs, 1),
        "settled": warm_up and warm_up.settled,
        "warmup_shots": warm_up and len(warm_up.wallNs),
        "warmup_ns": warm_up and sum(warm_up.wallNs),
        "ns_per_sort": evidence.nsPerSort,
        "ns_per_event_created": evidence.nsPerEventCreated,
        "heap_nodes": count_places(evidence.heapPagesByNode or ()),
        "short_usage": measured_wall < MIN_USAGE_WALL_NS,
    }


def describe_surroundings(fork: ForkFile) -> dict:
    """Return what the machine did in the meantime; None where the kernel does not report it."""
    return {
        "load": fork.before.load,
        "others_cores": round_or_none(disturbance.compute_others_cores(fork)),
        "stolen_cores": round_or_none(disturbance.compute_stolen_cores(fork)),
        "waiting_share": round_or_none(disturbance.compute_waiting_share(fork)),
        "throttled": sum(disturbance.count_throttling(fork).values()),
        "mhz_least": fork.after.mhz and min(fork.after.mhz),
        "mhz_most": fork.after.mhz and max(fork.after.mhz),
    }


def make_shot_columns(shot: Shot) -> dict:
    workers = sum(thread.cpuNs for thread in shot.threads)
    process = shot.userNs + shot.sysNs
    return {
        "wall_ns": shot.wallNs,
        "ns_per_event": shot.wallNs / shot.events,
        "cpu_process": process / shot.wallNs,
        "cpu_workers": workers / shot.wallNs,
        "cpu_rest": (process - workers) / shot.wallNs,
        "user_ns": shot.userNs,
        "sys_ns": shot.sysNs,
        "workers_ns": workers,
        "gc_ns": shot.gcNs,
        "compiler_ns": shot.compilerNs,
        # The numbers of a matrix are timed one by one inside the shot.
        "too_short": shot.wallNs < TOO_SHORT_NS and not shot.matrices,
        "hop_near_ns": shot.hops and round_or_none(shot.hops.nearNs, 1),
        "hop_far_ns": shot.hops and round_or_none(shot.hops.farNs, 1),
    }


def make_thread_columns(shot: Shot) -> dict:
    """Return totals over the threads of a shot; threads.csv has the values of each thread."""
    threads, moves = shot.threads, [thread.migrations for thread in shot.threads]
    return {
        **{f"{place}s": count_places(getattr(t, place) for t in threads) for place in PLACES},
        "oversubscribed": any(thread.oversubscribed for thread in threads),
        "cpu_producer": round(threads[0].cpuNs / shot.wallNs, 3),
        "path_threads": sum(thread.role != STARTER for thread in threads),
        "voluntary": sum(thread.voluntary for thread in threads),
        "involuntary": sum(thread.involuntary for thread in threads),
        "migrations": None if None in moves else sum(moves),
    }


def make_curve_rows(point: Point, fork: ForkFile) -> list[dict]:
    """Return one row per point of each curve of the measured shots."""
    return [
        {"shot": i, "curve": name, "quantile": quantile, "ns": ns}
        for i, shot in enumerate(fork.evidence.shots[point.warmup :], point.warmup)
        for name, pairs in (shot.curves or {}).items()
        for quantile, ns in pairs
    ]


def make_matrix_rows(point: Point, fork: ForkFile) -> list[dict]:
    """Return one row per pair of threads of each matrix of the measured shots."""
    return [
        {
            "shot": i,
            "matrix": name,
            "from_cpu": shot.threads[row].asked,
            "to_cpu": shot.threads[column].asked,
            "value": round(value, 2),
        }
        for i, shot in enumerate(fork.evidence.shots[point.warmup :], point.warmup)
        for name, rows in (shot.matrices or {}).items()
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
        if value is not None
    ]


def make_thread_rows(point: Point, fork: ForkFile) -> list[dict]:
    """Return one row per thread of the measured shots."""
    return [
        {
            "shot": i,
            "thread": number,
            "role": thread.role,
            "cpu": thread.asked,
            "last_cpu": thread.lastCpu,
            **{place: getattr(thread, place) for place in PLACES},
            "oversubscribed": thread.oversubscribed,
            "cpu_ns": thread.cpuNs,
            "voluntary": thread.voluntary,
            "involuntary": thread.involuntary,
            "migrations": thread.migrations,
        }
        for i, shot in enumerate(fork.evidence.shots[point.warmup :], point.warmup)
        for number, thread in enumerate(shot.threads)
    ]


def make_heap_rows(_: Point, fork: ForkFile) -> list[dict]:
    """Return one row per NUMA node with a part of the heap; none if the kernel reports none."""
    pages = fork.evidence.heapPagesByNode or {}
    return [{"node": int(node), "pages": number} for node, number in pages.items()]


MAKERS = {
    "threads": make_thread_rows,
    "heap": make_heap_rows,
    "curves": make_curve_rows,
    "matrices": make_matrix_rows,
}
"""Tables that hold all studies together, and the functions that make their rows."""


def identify_fork(point: Point, fork: ForkFile) -> dict:
    """Return the columns that identify the fork in every table but those of shots."""
    named = {"study": fork.study, **name_arm(point)}
    return named | {"point": point.key, "fork": fork.fork, "again": fork.again}


def name_arm(point: Point) -> dict:
    """Return the column that only runs with arms have."""
    return {"arm": point.arm} if point.arm else {}


def count_places(places: Iterable[int | str | None]) -> int | None:
    """Return the number of distinct nodes, sockets, caches or kinds; None when unknown."""
    return len({place for place in places if place is not None}) or None


ALWAYS = ("mechanism", "events")
"""Parameters that every mechanism has."""


def name_parameters(study: str, params: dict[str, str]) -> dict[str, str | int | None]:
    """Return the columns of a point's parameters; None for those that its mechanism lacks."""
    relevant = load_catalog()[study].mechanisms.get(params["mechanism"], list(params))
    return {
        name: value if name in ALWAYS or name in relevant else None
        for name, value in parse_numbers(params).items()
    }


def round_or_none(value: float | None, digits: int = 3) -> float | None:
    return None if value is None else round(value, digits)


def parse_numbers(params: dict[str, str]) -> dict[str, str | int]:
    return {name: int(value) if value.isdigit() else value for name, value in params.items()}
