"""One fork file as rows of a tidy table, a row a shot; the columns are described
in data/README.md.
"""

from handoff.catalog import load_catalog
from handoff.run import disturbance
from handoff.run.forkfile import ForkFile, Shot
from handoff.run.points import Point

TOO_SHORT_NS = 50e6
"""A shot below this is more start and end than middle."""

STARTER = "starter"
"""A thread that only sets the others going and sleeps until they are done: not on the event path.
"""

HASH_DIGITS = 12
"""Digits of a fork file's sha256 that tables carry."""

MIN_USAGE_WALL_NS = 200e6
"""Measured shots of a fork must add up to this for its CPU usage to mean something."""


def make_shot_rows(point: Point, fork: ForkFile) -> list[dict]:
    """The fork's shots in their order; `disturbed` is known only when all forks are."""
    measured_wall = sum(shot.wallNs for shot in fork.evidence.shots[point.warmup :])
    shared = {
        "setup": fork.setup,
        "machine": fork.machine,
        "host": fork.host or "",
        "jvm": fork.evidence.jvm.version,
        "study": fork.study,
        **dict.fromkeys(load_catalog()[fork.study].defaults()),
        **parse_numbers(fork.params),
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
        **describe_clock(fork),
        **describe_warm_up(fork),
        "ns_per_sort": fork.evidence.nsPerSort,
        "ns_per_event_created": fork.evidence.nsPerEventCreated,
        "heap_pages": join_pages(fork.evidence.heapPagesByNode),
        "short_usage": measured_wall < MIN_USAGE_WALL_NS,
    }
    return [
        {
            **shared,
            "shot": i,
            "warmup": i < point.warmup,
            **make_shot_columns(shot),
            **make_thread_columns(shot),
            **(shot.measures or {}),
        }
        for i, shot in enumerate(fork.evidence.shots)
    ]


def describe_surroundings(fork: ForkFile) -> dict:
    """What the machine did meanwhile; None where the kernel does not tell."""
    return {
        "load": fork.before.load,
        "others_cores": round_or_none(disturbance.compute_others_cores(fork)),
        "stolen_cores": round_or_none(disturbance.compute_stolen_cores(fork)),
        "waiting_share": round_or_none(disturbance.compute_waiting_share(fork)),
        "throttled": sum(disturbance.count_throttling(fork).values()),
        "mhz": " ".join(map(str, fork.after.mhz or [])),
    }


def describe_clock(fork: ForkFile) -> dict:
    """What timed the shots; None in files of before it was recorded."""
    text = fork.evidence.clock
    return {
        "clock": text and text.source,
        "clock_invariant": text and text.invariant,
        "clock_read_ns": text and round(text.readNs, 1),
    }


def describe_warm_up(fork: ForkFile) -> dict:
    """What went before the shots; None where nothing did."""
    found = fork.evidence.warmUp
    return {
        "settled": found and found.settled,
        "warmup_shots": found and len(found.wallNs),
        "warmup_ns": found and sum(found.wallNs),
    }


def make_curve_rows(point: Point, fork: ForkFile) -> list[dict]:
    """A row for each point of each curve of the fork's measured shots."""
    shared = {"study": fork.study, "point": point.key, "fork": fork.fork, "again": fork.again}
    return [
        {**shared, "shot": i, "curve": name, "quantile": quantile, "ns": ns}
        for i, shot in enumerate(fork.evidence.shots)
        if i >= point.warmup
        for name, pairs in (shot.curves or {}).items()
        for quantile, ns in pairs
    ]


def make_matrix_rows(point: Point, fork: ForkFile) -> list[dict]:
    """A row for each pair of threads of each matrix of the fork's measured shots, with their
    CPUs.
    """
    shared = {"study": fork.study, "point": point.key, "fork": fork.fork, "again": fork.again}
    return [
        {
            **shared,
            "shot": i,
            "matrix": name,
            "from_cpu": shot.threads[row].asked,
            "to_cpu": shot.threads[column].asked,
            "value": round(value, 2),
        }
        for i, shot in enumerate(fork.evidence.shots)
        if i >= point.warmup
        for name, rows in (shot.matrices or {}).items()
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
        if value is not None
    ]


def round_or_none(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


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
        "too_short": shot.wallNs < TOO_SHORT_NS,
        "hop_near_ns": shot.hops and round(shot.hops.nearNs, 1),
        "hop_far_ns": shot.hops and round(shot.hops.farNs, 1),
    }


def make_thread_columns(shot: Shot) -> dict:
    """Placement as observed, and what the threads did; lists in the order producer, consumers,
    joined by spaces.
    """
    moves = [thread.migrations for thread in shot.threads]
    return {
        "cpus": " ".join(thread.mask for thread in shot.threads),
        "last_cpus": " ".join(str(thread.lastCpu) for thread in shot.threads),
        "nodes": join_ids([thread.node for thread in shot.threads]),
        "sockets": join_ids([thread.socket for thread in shot.threads]),
        "caches": join_ids([thread.cache for thread in shot.threads]),
        "kinds": ", ".join(sorted({thread.kind for thread in shot.threads if thread.kind})),
        "oversubscribed": any(thread.oversubscribed for thread in shot.threads),
        "cpu_threads": " ".join(f"{thread.cpuNs / shot.wallNs:.3f}" for thread in shot.threads),
        "path_threads": sum(thread.role != STARTER for thread in shot.threads),
        "voluntary": sum(thread.voluntary for thread in shot.threads),
        "involuntary": sum(thread.involuntary for thread in shot.threads),
        "migrations": None if None in moves else sum(moves),
    }


def join_ids(ids: list[int | None]) -> str:
    """The nodes, sockets or caches used, joined by spaces; empty when unknown."""
    return " ".join(str(each) for each in sorted({each for each in ids if each is not None}))


def join_pages(by_node: dict[str, int] | None) -> str:
    """Where the heap really is, '0:262144' or '0:131072 1:131072' (node:pages); empty when the
    kernel does not tell.
    """
    return " ".join(f"{node}:{count}" for node, count in (by_node or {}).items())


def parse_numbers(params: dict[str, str]) -> dict[str, str | int]:
    return {name: int(value) if value.isdigit() else value for name, value in params.items()}
