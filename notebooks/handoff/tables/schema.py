"""What the columns of a run's tables mean: a Data Package (Frictionless) beside them."""

from typing import NamedTuple

import pandas as pd

from handoff.catalog import load_catalog


class Column(NamedTuple):
    """`kind` is a field type of the Table Schema, such as integer or datetime; `unit` is '' where
    there is none.
    """

    kind: str
    unit: str
    meaning: str


KEYS = {
    "study": Column("string", "", "the study"),
    "point": Column("string", "", "the point's hash, as in the names of its fork files"),
    "fork": Column("integer", "", "which fork of its point, from 0"),
    "again": Column("integer", "", "how often it was measured before because it ran disturbed"),
    "shot": Column("integer", "", "place in the fork, from 0"),
}

ORIGIN = {
    "setup": Column("string", "", "hash of machine, jar, JDK and flags"),
    "machine": Column("string", "", "hash of the machine's description"),
    "host": Column("string", "", "on a cluster, a pseudonym of the node; blank elsewhere"),
    "jvm": Column("string", "", "version of the JVM that measured"),
    "hash": Column("string", "", "first 12 digits of the fork file's sha256: a trace leads back"),
    "block": Column("integer", "", "as in the fork file"),
    "order_index": Column("integer", "", "the fork file's order: place in the order of execution"),
    "started": Column("datetime", "UTC", "when the fork began"),
    "session": Column(
        "integer",
        "",
        "from 1: a pause of six hours between two forks of the run begins another; on a cluster"
        " those of each host are its own",
    ),
    "counted": Column(
        "boolean",
        "",
        "whether this measurement is the fork's: the first that ran undisturbed, else the last;"
        " only these enter means and figures",
    ),
    "disturbed": Column(
        "string",
        "",
        "what disturbed the fork, by the thresholds of the sweep's quiet, in words; blank when"
        " nothing",
    ),
}

SURROUNDINGS = {
    "seconds": Column("number", "s", "what the fork took in all"),
    "load": Column("number", "", "load average of the last minute when it began"),
    "others_cores": Column(
        "number",
        "cores",
        "that processes other than the fork's used meanwhile (from the kernel's ticks: ± 0.05)",
    ),
    "stolen_cores": Column("number", "cores", "that the hypervisor gave to others meanwhile"),
    "waiting_share": Column(
        "number", "", "share of the time in which some thread of the machine waited for a CPU"
    ),
    "throttled": Column("integer", "times", "that heat or a quota slowed the machine meanwhile"),
    "mhz_least": Column("number", "MHz", "least frequency of the fork's CPUs at its end"),
    "mhz_most": Column("number", "MHz", "greatest frequency of the fork's CPUs at its end"),
    "clock": Column("string", "", "the kernel's clock source"),
    "clock_invariant": Column(
        "boolean", "", "whether the time stamp counter runs at one speed in all power states"
    ),
    "clock_read_ns": Column("number", "ns", "one reading of the clock"),
    "ns_per_sort": Column("number", "ns", "one sort of a sorted int[100], after the shots"),
    "ns_per_event_created": Column("number", "ns", "creating one event; scaling only"),
    "heap_nodes": Column("integer", "", "NUMA nodes that hold a part of the heap; see heap.csv"),
}

WARM_UP = {
    "warmup": Column("boolean", "", "whether the shot is left out as warm-up"),
    "settled": Column(
        "boolean", "", "whether the fork settled before its shots; blank without such a warm-up"
    ),
    "warmup_shots": Column("integer", "", "executions before the shots"),
    "warmup_ns": Column("integer", "ns", "time of these"),
}

TIMES = {
    "wall_ns": Column("integer", "ns", "wall time of the shot"),
    "ns_per_event": Column("number", "ns", "the same divided by its events"),
    "cpu_process": Column(
        "number", "cores", "(user + system) / wall of the whole process: the paper's CPU usage"
    ),
    "cpu_workers": Column("number", "cores", "of producer and consumers together"),
    "cpu_rest": Column("number", "cores", "the difference: garbage collection, compilation, JMH"),
    "cpu_producer": Column("number", "cores", "of the first thread, producer or starter"),
    "user_ns": Column("integer", "ns", "CPU time of the process in user mode"),
    "sys_ns": Column("integer", "ns", "CPU time of the process in the kernel"),
    "workers_ns": Column("integer", "ns", "CPU time of producer and consumers together"),
    "gc_ns": Column("integer", "ns", "garbage collection, in steps of 1 ms"),
    "compiler_ns": Column("integer", "ns", "CPU time of the just-in-time compilers"),
    "too_short": Column("boolean", "", "the shot took less than 50 ms"),
    "short_usage": Column(
        "boolean",
        "",
        "the fork's measured shots add up to less than 200 ms: its CPU usage is rough",
    ),
    "hop_near_ns": Column(
        "number",
        "ns",
        "a hop just before the shot, to the nearest thread; blank where threads are unpinned or"
        " share cores",
    ),
    "hop_far_ns": Column("number", "ns", "the same to the farthest thread"),
}

THREADS = {
    "nodes": Column("integer", "", "NUMA nodes that the threads were on; blank when unknown"),
    "sockets": Column("integer", "", "sockets that the threads were on; blank when unknown"),
    "caches": Column("integer", "", "last-level caches used; blank when unknown"),
    "kinds": Column("integer", "", "kinds of core used; blank where all cores are alike"),
    "oversubscribed": Column(
        "boolean", "", "some thread shares its physical core, or the container's quota"
    ),
    "path_threads": Column(
        "integer", "", "threads on the event path: all but a starter, who only waits"
    ),
    "voluntary": Column("integer", "switches", "voluntary context switches during the shot"),
    "involuntary": Column("integer", "switches", "involuntary ones"),
    "migrations": Column("integer", "", "changes of CPU during the shot: 0 for pinned threads"),
}

SHOT_COLUMNS = KEYS | ORIGIN | SURROUNDINGS | WARM_UP | TIMES | THREADS

OTHER_COLUMNS: dict[str, dict[str, Column]] = {
    "points": KEYS
    | {
        "asked": Column("integer", "", "forks asked for"),
        "found": Column("integer", "", "forks there"),
        "disturbed": Column("integer", "", "forks that ran disturbed every time"),
        "oversubscribed": THREADS["oversubscribed"],
        "nodes": THREADS["nodes"],
        "unavailable": Column("string", "", "why this machine cannot measure the point"),
    },
    "threads": KEYS
    | {
        "thread": Column(
            "integer", "", "place among the shot's threads, producer or starter first"
        ),
        "role": Column("string", "", "what it does"),
        "cpu": Column("integer", "", "CPU that it was pinned to; blank when unpinned"),
        "last_cpu": Column("integer", "", "CPU that it ran on last"),
        "node": Column("integer", "", "NUMA node of its CPU; blank when unknown"),
        "socket": Column("integer", "", "socket of its CPU; blank when unknown"),
        "cache": Column("integer", "", "last-level cache of its CPU, a running number"),
        "kind": Column("string", "", "kind of its core; blank where all cores are alike"),
        "oversubscribed": Column("boolean", "", "whether it shares its core"),
        "cpu_ns": Column("integer", "ns", "its CPU time during the shot"),
        "voluntary": THREADS["voluntary"],
        "involuntary": THREADS["involuntary"],
        "migrations": THREADS["migrations"],
    },
    "heap": KEYS
    | {
        "node": Column("integer", "", "a NUMA node"),
        "pages": Column("integer", "pages", "of the heap that lie on it"),
    },
    "curves": KEYS
    | {
        "curve": Column("string", "", "which: total, due, stage1 ..."),
        "quantile": Column("number", "", "from 0 to 1, evenly spaced in nines"),
        "ns": Column("number", "ns", "the time that so many events stayed below"),
    },
    "matrices": KEYS
    | {
        "matrix": Column("string", "", "which: hop"),
        "from_cpu": Column("integer", "", "CPU of the one thread"),
        "to_cpu": Column("integer", "", "CPU of the other"),
        "value": Column("number", "ns", "the time between them"),
    },
}

ABOUT = {
    "points": "one row a point: forks asked for and found, or why there are none",
    "threads": "one row a thread of each shot of the forks that count",
    "heap": "one row a NUMA node of each fork that counts",
    "curves": "one row a quantile of each measured shot of the forks that count",
    "matrices": "one row a pair of threads of each measured shot of the forks that count",
}


def keep_integers(table: pd.DataFrame, known: dict[str, Column]) -> pd.DataFrame:
    """The same with whole numbers written as such: pandas makes them floats where a cell of the
    column is blank, and 1.0 is no integer by the Table Schema.
    """
    whole = [
        name
        for name in table
        if known[name].kind == "integer" and pd.api.types.is_float_dtype(table[name])
    ]
    return table.astype(dict.fromkeys(whole, "Int64"))


def describe_tables(tables: dict[str, list[str]]) -> dict:
    """A Data Package of these tables, by name with their columns in order; KeyError for a column
    that nobody described.
    """
    return {
        "profile": "tabular-data-package",
        "name": "tidy",
        "resources": [
            describe_table(name, columns, *find_table(name)) for name, columns in tables.items()
        ],
    }


def find_table(name: str) -> tuple[str, dict[str, Column]]:
    """What a row of this table is, and all columns that it may have."""
    known = OTHER_COLUMNS.get(name, SHOT_COLUMNS)
    return ABOUT.get(name, "one row a shot"), list_study_columns(name) | known


def describe_table(name: str, columns: list[str], about: str, known: dict[str, Column]) -> dict:
    """A resource of a Data Package, with its Table Schema."""
    return {
        "profile": "tabular-data-resource",
        "name": name,
        "path": f"{name}.csv",
        "encoding": "utf-8",
        "description": about,
        "schema": {
            "fields": [describe_field(column, known[column]) for column in columns],
            "missingValues": [""],
        },
    }


def describe_field(name: str, column: Column) -> dict:
    field: dict = {"name": name, "type": column.kind, "description": column.meaning}
    if column.kind == "boolean":
        field |= {"trueValues": ["True"], "falseValues": ["False"]}
    if column.kind == "datetime":
        field |= {"format": "any"}
    return field | ({"unit": column.unit} if column.unit else {})


def list_study_columns(name: str) -> dict[str, Column]:
    """Parameters and measures: of one study, and of all of them in the table of points."""
    known = load_catalog()
    found = {}
    for study in [known[name]] if name in known else known.values() if name == "points" else []:
        for parameter in study.parameters:
            kind = "string" if parameter.values else "integer"
            found[parameter.name] = Column(kind, "", "a parameter of the point")
        for measure in study.measures:
            found[measure] = Column("number", "", "what the study measures besides time and CPU")
    return found
