"""Machine file of a run: what the run measured of its machine, as constants of a simulation.

`python -m handoff.model.machine_file RUN NAME` writes data/machines/NAME.yml. Constants that no run
measures are those of the paper's machine, and say so.
"""

import argparse
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from handoff.analysis.baseline import select_baseline
from handoff.analysis.forks import compute_fork_means
from handoff.errors import BadInput, HandoffError
from handoff.files import write_text
from handoff.model.machine import MACHINES, PAPER, Constant, MachineFile, load_machine_file
from handoff.model.mechanisms import SEQUENTIAL
from handoff.paths import display_path, find_run_folder
from handoff.run.host.machine import find_places
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy

HEAD = "# Written by `python -m handoff.model.machine_file {run} {name}`.\n"
MEASURED = ("yields", "unpark", "nap", "nap_cpu", "produce")
"""Constants that a run times directly; the others are derived from what it times."""


def load_part(run: Run, study: str, mechanism: str) -> pd.DataFrame:
    """Load the fork means of a mechanism. Raise BadInput if the run has none."""
    if study in {point.study for point in run.points}:
        forks = compute_fork_means(tidy.load_table(run, study))
        if mechanism in set(forks["mechanism"]):
            return forks[forks["mechanism"] == mechanism]
    raise BadInput(f"{run.folder.name} has no forks of {study} with mechanism {mechanism}.")


def list_sockets(run: Run) -> list[list[int]]:
    """List the CPUs between which the run timed hops, by socket; an unknown socket counts as one.

    Raise BadInput if it timed none, or only a sample of all pairs.
    """
    load_part(run, "hops", "CACHE_LINE")
    hops = tidy.load_table(run, "matrices")
    cpus = sorted(set(hops["from_cpu"]) | set(hops["to_cpu"]))
    if len(hops[["from_cpu", "to_cpu"]].drop_duplicates()) < len(cpus) * (len(cpus) - 1):
        raise BadInput(f"{run.folder.name} timed hops of a sample of its pairs of CPUs only.")
    sockets: dict[object, list[int]] = {}
    for cpu in cpus:
        (socket,) = find_places(run.machine, (cpu,), "socket")
        sockets.setdefault(socket, []).append(int(cpu))
    return list(sockets.values())


def format_hops(run: Run, order: list[int]) -> str:
    """Return the median ns between every two CPUs as CSV, a lower triangle in this order."""
    hops = tidy.load_table(run, "matrices")
    medians = hops.groupby(["from_cpu", "to_cpu"])["value"].median().map(lambda ns: round(ns, 1))
    matrix = medians.unstack().reindex(index=order, columns=order)
    lower = np.tri(len(order), k=-1, dtype=bool)
    return matrix.where(lower).to_csv(header=False, index=False, lineterminator="\n")


def list_constants(run: Run) -> dict[str, Constant]:
    """List all constants. Raise BadInput if the run did not measure what they are made from."""
    primitives = load_part(run, "hops", "PRIMITIVES").median(numeric_only=True)
    known = load_machine_file(PAPER).constants
    read_ns = known["hit"].ns
    fence = max(0.0, primitives["volatile_store_ns"] - read_ns)
    # The waker continues as soon as the other is on its way: half of a round trip is one way.
    switch = primitives["park_unpark_ns"] / 2
    times = {
        "fence": (fence, "a volatile store less a read"),
        "atomic": (max(0.0, primitives["cas_ns"] - read_ns), "compare and set less a read"),
        "yields": (primitives["yield_ns"], "a yield"),
        "unpark": (primitives["unpark_ns"], "unpark, for its caller"),
        "switch": (switch, "half of a round trip of park and unpark"),
        "switch_cpu": (switch / 2, "half of the switch"),
        "nap": (primitives["park_1ns_ns"], "parking for 1 ns"),
        "nap_cpu": (primitives["park_1ns_cpu_ns"], "CPU time of parking for 1 ns"),
        **measure_work(run),
    }
    constants = {
        name: constant.model_copy(update={"source": f"as of {PAPER}: {constant.source}"})
        for name, constant in known.items()
    }
    for name, (ns, words) in times.items():
        constants[name] = Constant(
            ns=round(float(ns), 3),
            certainty="measured" if name in MEASURED else "derived",
            source=f"run {run.folder.name}: {words}",
        )
    return constants


def measure_work(run: Run) -> dict[str, tuple[float, str]]:
    """Return ns, and in words their origin, of making an event, filling its array, and a sort.

    Making an event is timed alone; the others follow from one thread's time for all three.
    """
    forks = select_baseline(load_part(run, "scaling", SEQUENTIAL), "scaling", ("sorts",))
    produce = float(forks["ns_per_event_created"].median())
    alone = forks.groupby("sorts")["ns_per_event"].mean()
    few, many = alone.index.min(), alone.index.max()
    if len(alone) < 2:
        raise BadInput(f"{run.folder.name} has one thread alone at fewer than two loads.")
    sort = (alone[many] - alone[few]) / (many - few)
    fill = max(0.0, alone[few] - few * sort - produce)
    return {
        "sort": (sort, "one thread alone at two loads"),
        "produce": (produce, "making an event, timed alone"),
        "fill": (fill, "one thread alone, less the sorts and the making"),
    }


def find_release(jdk: str) -> int:
    """Return the feature release of a JDK from its description, such as '... VM 17.0.15+6 ...'."""
    found = re.search(r" (?:1\.)?(\d+)[.+\w]*", jdk.partition(" VM")[2])
    if not found:
        raise BadInput(f"the JDK's release was not found in '{jdk}'.")
    return int(found[1])


def make_machine_file(run: Run, name: str, sockets: list[list[int]]) -> MachineFile:
    """Make the content of a machine file; cores are numbered by socket, not as the run's CPUs."""
    paper = load_machine_file(PAPER)
    places = iter(range(sum(map(len, sockets))))
    return MachineFile(
        about=run.title(),
        jdk=find_release(run.identity["jdk"]),
        sockets=[[next(places) for _ in cpus] for cpus in sockets],
        hops=f"{name}-hops.csv",
        hops_source=f"run {run.folder.name}: median over forks and shots, half of a round trip",
        store_buffer=paper.store_buffer,
        store_buffer_source=f"as of {PAPER}: {paper.store_buffer_source}",
        constants=list_constants(run),
        idle_states=[],
        idle_source="none: what waking costs was measured with idle cores' exits in it",
    )


def write_machine(run: Run, name: str) -> list[Path]:
    """Write the machine file and its hops; return both paths.

    Raise BadInput, and write nothing, if the name is the paper's machine, or unless the run
    measured hops, primitives and one thread alone at two loads.
    """
    if name == PAPER:
        raise BadInput(f"{PAPER} is the paper's machine; choose another name.")
    sockets = list_sockets(run)
    content = make_machine_file(run, name, sockets)
    files = {
        MACHINES / content.hops: format_hops(run, [cpu for cpus in sockets for cpu in cpus]),
        MACHINES / f"{name}.yml": HEAD.format(run=run.folder.name, name=name)
        + yaml.safe_dump(content.model_dump(), sort_keys=False, allow_unicode=True, width=200),
    }
    for file, text in files.items():
        write_text(file, text)
    return list(files)


def main(arguments: list[str]) -> int:
    """Write a machine file; print one sentence and return an exit code if that fails."""
    prog = "python -m handoff.model.machine_file"
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    parser.add_argument("run", metavar="RUN", help="name of a run that measured hops and scaling")
    parser.add_argument("name", metavar="NAME", help="name of the file, without .yml")
    options = parser.parse_args(arguments)
    try:
        files = write_machine(read_run(find_run_folder(options.run)), options.name)
    except HandoffError as error:
        print(error, file=sys.stderr)
        return error.code
    print("Wrote", " and ".join(map(display_path, files)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
