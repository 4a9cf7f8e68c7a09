"""The machine of a run as a file that the model reads, each constant with its source:
`python -m handoff.modelled.machine_file RUN NAME` writes data/machines/NAME.yml.
"""

import argparse
import csv
import io
import sys
from pathlib import Path

import yaml

from handoff.errors import BadInput, HandoffError
from handoff.files import write_text
from handoff.model.machine import MACHINES, MachineFile, load_machine_file
from handoff.modelled.here import list_constants, require_hops
from handoff.modelled.predictions import PAPER
from handoff.paths import display_path, find_run_folder
from handoff.run.host.machine import find_places
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy

HEAD = "# Written by `python -m handoff.modelled.machine_file {run} {name}`.\n"


def list_sockets(run: Run) -> list[list[int]]:
    """The CPUs between which the run timed hops, by socket; all in one where that is not told.
    BadInput where it timed none.
    """
    require_hops(run)
    hops = tidy.load_table(run, "matrices")
    sockets: dict[object, list[int]] = {}
    for cpu in sorted(set(hops["from_cpu"]) | set(hops["to_cpu"])):
        (socket,) = find_places(run.machine, (cpu,), "socket")
        sockets.setdefault(socket, []).append(int(cpu))
    return list(sockets.values())


def write_hops(run: Run, order: list[int]) -> str:
    """CSV: the median ns between every two CPUs, a lower triangle in this order."""
    hops = tidy.load_table(run, "matrices")
    medians = hops.groupby(["from_cpu", "to_cpu"])["value"].median()
    told = io.StringIO()
    lines = csv.writer(told, lineterminator="\n")
    for row, cpu in enumerate(order):
        timed = [round(float(medians[cpu, other]), 1) for other in order[:row]]
        lines.writerow([*timed, *[""] * (len(order) - row)])
    return told.getvalue()


def make_machine_file(run: Run, name: str, sockets: list[list[int]]) -> MachineFile:
    """Places instead of CPU numbers: the hops' rows are in the order of the sockets."""
    paper = load_machine_file(PAPER)
    places = iter(range(sum(map(len, sockets))))
    return MachineFile(
        about=run.title(),
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
    """Both files; returns their paths. BadInput, and nothing written, where the run did not measure
    hops, primitives and one thread alone at two loads, or where the name is the paper's.
    """
    if name == PAPER:
        raise BadInput(f"{PAPER} is the paper's machine: take another name.")
    sockets = list_sockets(run)
    made = make_machine_file(run, name, sockets)
    order = [cpu for cpus in sockets for cpu in cpus]
    files = {
        MACHINES / made.hops: write_hops(run, order),
        MACHINES / f"{name}.yml": HEAD.format(run=run.folder.name, name=name)
        + yaml.safe_dump(made.model_dump(), sort_keys=False, allow_unicode=True, width=200),
    }
    for file, content in files.items():
        write_text(file, content)
    return list(files)


def main(arguments: list[str]) -> int:
    """A bad ending is one sentence and its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m handoff.modelled.machine_file", description=__doc__
    )
    parser.add_argument("run", metavar="RUN", help="which measured hops and one consumer")
    parser.add_argument("name", metavar="NAME", help="of the file, without .yml")
    asked = parser.parse_args(arguments)
    try:
        files = write_machine(read_run(find_run_folder(asked.run)), asked.name)
    except HandoffError as error:
        print(error, file=sys.stderr)
        return error.code
    print("Wrote", " and ".join(map(display_path, files)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
