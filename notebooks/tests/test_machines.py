"""Plans of the shipped sweeps on machines that nobody here has, in one JVM."""

import json
from itertools import groupby
from pathlib import Path

import pytest

from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.readers import observe_plan
from handoff.claims.run_judging import describe_machine, list_answers
from handoff.claims.verdicts import JUDGED, NOT_MEASURED
from handoff.paths import SWEEPS
from handoff.run import calibration, planning
from handoff.run.host import machine
from handoff.run.host.kernel_files import CPU, NODE
from handoff.run.host.machine import count_roomy_sockets
from handoff.run.host.shape import Shape, parse_shape, write_tree
from handoff.run.java import jar
from handoff.run.java.jdk import Jdk
from handoff.run.plan.expansion import expand_points, settle_points
from handoff.run.plan.sweep import load_sweep
from handoff.run.store.run import Run

from .conftest import write_files

pytestmark = pytest.mark.machine


def allow(cpus: str) -> dict[str, str]:
    return {"proc/self/status": f"Name:\tjava\nCpus_allowed_list:\t{cpus}"}


def limit(quota: int) -> dict[str, str]:
    return {"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.max": f"{quota} 100000"}


def mix(big: int, total: int, name: str, fast: int, slow: int) -> dict[str, str]:
    """Return the speeds of `big` fast CPUs and of slow ones, as the kernel shows them."""
    speeds = [str(fast if cpu < big else slow) for cpu in range(total)]
    return {f"{CPU}/cpu{cpu}/{name}": speed for cpu, speed in enumerate(speeds)}


MEMORY_NODES = {f"{NODE}/node{n}/cpulist": "" for n in (2, 3)}

SHAPES = (
    *("1x1", "1x2", "1x6", "1x12", "1x128", "1x6*2", "1x32/4", "2x1", "2x6", "2x12", "2x64"),
    *("2x6*2", "2x64/4", "2x16/2*2", "8x64"),
)
"""Sockets x cores, nodes per socket, and threads per core."""

MACHINES: list[tuple[Shape, dict[str, str]]] = [
    *((parse_shape(shape), {}) for shape in SHAPES),
    (Shape(1, 14), mix(6, 14, "cpufreq/cpuinfo_max_freq", 5_000_000, 3_800_000)),
    (Shape(1, 8), mix(4, 8, "cpu_capacity", 1024, 400)),
    (Shape(2, 12), MEMORY_NODES),
    (Shape(2, 16), allow("0-5,16-21")),
    (Shape(2, 16), allow("0,2,4")),
    (Shape(2, 12, nodes=2), allow("3-20")),
    (Shape(1, 16), limit(250_000)),
    (Shape(1, 16), limit(50_000)),
    (Shape(2, 8), {f"{CPU}/isolated": "2-7,10-15"}),
    (Shape(1, 4), {f"{CPU}/isolated": "1-3", f"{CPU}/nohz_full": "1-3"}),
]


FEWER = slice(1, None, 4)
"""Machines on which sweeps other than quick are planned; the deep test takes them all."""


@pytest.fixture(scope="module")
def plans(java, tmp_path_factory) -> dict[str, list[Run]]:
    """Return the plan of each sweep on each machine, of which the last is this one."""
    machines = write_machines(java, tmp_path_factory.mktemp("machines"))
    return plan_sweeps(java, [*machines, (jar.HERE, planning.describe_here(java))])


def write_machines(java: Jdk, folder: Path) -> list[tuple[Path, dict]]:
    """Write a tree for each of MACHINES; return the trees with the machines' descriptions."""
    roots = [folder / str(number) for number in range(len(MACHINES))]
    for root, (shape, more) in zip(roots, MACHINES, strict=True):
        write_tree(shape, root)
        write_files(root, more)
    asked = json.dumps([{"root": str(root)} for root in roots])
    topologies = jar.query_jar(java, "check", stdin=asked)
    return [
        (root, machine.describe_machine(topology, root))
        for root, topology in zip(roots, topologies, strict=True)
    ]


def plan_sweeps(java: Jdk, machines: list[tuple[Path, dict]]) -> dict[str, list[Run]]:
    """Return the plan of each shipped sweep on each machine, from one JVM."""
    sweeps = {file.stem: load_sweep(file) for file in sorted(SWEEPS.glob("*.yml"))}
    asked = []
    for name, sweep in sweeps.items():
        amounts = calibration.guess_amounts(calibration.find_words(sweep, name))
        for root, here in machines if name == "quick" else machines[FEWER]:
            cores = machine.count_usable_cores(here)
            for point in expand_points(sweep, name, cores, amounts):
                asked.append(((name, str(root)), point, here))
    text = json.dumps([{"study": p.study, "root": k[1]} | p.params for k, p, _ in asked])
    answers = json.loads(jar.run_jar(java, ["-Xmx4g", "-XX:+UseSerialGC"], ["check"], text).stdout)
    planned: dict[str, list[Run]] = {name: [] for name in sweeps}
    pairs = zip(asked, answers, strict=True)
    for (name, root), group in groupby(pairs, key=lambda pair: pair[0][0]):
        listed = list(group)
        points = [point for (_, point, _), _ in listed]
        settled = settle_points(sweeps[name], points, [answer for _, answer in listed], name)
        planned[name].append(Run(Path(root), sweeps[name], {}, listed[0][0][2], settled))
    return planned


def test_no_sweep_is_refused_and_what_is_left_out_has_a_reason(plans):
    for name, runs in plans.items():
        measured = [point for point in runs[-1].points if point.forks]
        assert "COMPACT" in {point.params["placement"] for point in measured}, name
        for run in runs:
            left_out = [p for p in run.points if not p.threads]
            assert all(p.unavailable for p in left_out), name


@pytest.mark.parametrize("name", ["quick", "full", "paper"])
def test_no_thread_shares_a_core_where_cores_suffice(plans, name):
    for run in plans[name]:
        cores = run.machine["topology"]["quota"] or machine.count_usable_cores(run.machine)
        isolated = any(cpu["isolated"] for cpu in run.machine["topology"]["cpus"])
        for point in run.points:
            threads = sum(slot.role != "starter" for slot in point.threads)
            assert not point.oversubscribed or threads > cores or isolated, (cores, str(point))


def test_the_claims_about_sockets_can_be_answered_where_two_have_six_cores(plans):
    runs = [run for run in plans["quick"] if count_roomy_sockets(run.machine, 6) == 2]
    assert len(runs) >= 8
    for run in runs:
        answers = list_answers(run)
        can = next(line for line in answers if line.startswith("Can answer"))
        assert {"P4", "P9"} <= set(can.rstrip(".").split(": ")[1].split(", "))
        # Nothing was measured, so that no number is printed as found here.
        assert not any("; here " in line for line in answers)


@pytest.mark.parametrize("name", ["full", "paper"])
def test_every_claim_that_can_be_judged_has_all_points_where_two_sockets_have_12_cores(plans, name):
    number, unjudged = str(SHAPES.index("2x12")), set()
    (run,) = [run for run in plans[name] if run.folder.name == number]
    for study in ("scaling", "topologies", "latency"):
        file, observed = load_claim_files()[study], observe_plan(run, study)
        for setting in file.settings:
            verdicts = judge_claims(file, observed, describe_machine(run), setting)
            unjudged |= {
                each.identity
                for each in verdicts
                if each.verdict not in JUDGED or each.coverage.words.strip()
            }
    # P5's verdicts are by construction; the others need counters, a profile or root.
    assert unjudged == {"P5", "P14", "L10", "L11"}


@pytest.mark.parametrize("name", ["full", "paper", "ring"])
def test_every_claim_of_the_ring_has_its_literal_points(plans, name):
    # Whether the loads are the posts' is known only when they are measured.
    file = load_claim_files()["ring"].model_copy(update={"load": None})
    for run in plans[name]:
        verdicts = judge_claims(file, observe_plan(run, "ring"), describe_machine(run))
        missing = {each.identity for each in verdicts if each.verdict == NOT_MEASURED}
        assert missing == set(), run.machine["topology"]


def test_in_quick_each_claim_has_one_answer_and_every_point_of_the_paper_forks(plans):
    for run in plans["quick"][::12]:
        lines = [line.partition(": ")[2].partition(" (")[0] for line in list_answers(run)]
        named = [name for line in lines for name in line.rstrip(".").split(", ")]
        assert sorted(named) == sorted(set(named)), run.machine["topology"]
    for run in plans["quick"]:
        if machine.count_usable_cores(run.machine) >= 12:
            papers = [p for p in run.points if p.params["placement"] in ("PAPER", "COMPACT")]
            assert {p.forks for p in papers} == {5}


def test_a_shape_is_read_as_it_was_written(java, tmp_path):
    write_tree(parse_shape("2x8/2*2"), tmp_path)
    here = machine.describe_machine(jar.query_topology(java, tmp_path), tmp_path)
    assert machine.count_usable_cores(here) == 16
    assert (machine.count_usable(here, "node"), machine.count_usable(here, "socket")) == (4, 2)
    assert count_roomy_sockets(here, 8) == 2 and len(here["topology"]["cpus"]) == 32
