"""MADE-UP students: their forks were not measured, but are the shipped run's, scaled and sealed."""

from functools import cache
from pathlib import Path

import numpy as np

from handoff.files import parse_yaml, write_json
from handoff.labs.bytecode import NAME
from handoff.labs.lab import Lab, load_lab
from handoff.labs.lessons.correctness import LETTERS
from handoff.labs.saved import CORES, DROPPED, FILE, find_stand_in, save_work
from handoff.labs.work import RUNS, TRIALS, Work
from handoff.paths import find_run_folder
from handoff.run.java.jdk import find_jdk
from handoff.run.java.ownclass import provide_class
from handoff.run.plan import expansion
from handoff.run.plan.points import Point
from handoff.run.store.forkfile import ForkFile
from handoff.run.store.identity import hash_identity, hash_sweep
from handoff.run.store.run import Run, read_run
from handoff.run.store.state import read_forks
from tests import synthetic

from .solutions import read_guess


@cache
def load_shipped() -> tuple[Run, dict[str, list[ForkFile]]]:
    """Return the shipped run, and the forks of each of its points."""
    run = read_run(find_run_folder("reference"))
    points: dict[str, list[ForkFile]] = {}
    for point, fork in read_forks(run, []):
        points.setdefault(point.key, []).append(fork)
    return run, points


def find_template(lab: Lab, point: Point) -> Point:
    """Return the shipped point that is borrowed for this one, or else the queue's at this load."""
    shipped, _ = load_shipped()
    if lab.forks_borrowed:
        return find_stand_in(lab, point, shipped)
    params = {"mechanism": "ARRAY_BLOCKING_QUEUE", "sorts": point.params["sorts"]}
    return next(p for p in shipped.points if params.items() <= p.params.items())


def measure(work: Work, seed: int, yours: str = "") -> Run:
    """Make up a run of the lab; `yours` names the student's own class, if the lab has one."""
    (shipped, forks), random = load_shipped(), np.random.default_rng(seed)
    request = work.make_sweep(yours)
    identity = {key: value for key, value in shipped.identity.items() if key not in DROPPED}
    identity |= {"sweep": hash_sweep(request.sweep), "profile": request.profile}
    folder = work.folder / RUNS / f"{request.profile}-{hash_identity(identity)}"
    points, templates = [], {}
    for point in expansion.expand_points(request.sweep, "made up", CORES):
        template = find_template(work.lab, point)
        templates[point.key] = forks[template.key]
        placed = {"threads": template.threads, "heap": template.heap}
        points.append(point.model_copy(update=placed | {"forks": request.sweep.forks.fitting}))
    run = synthetic.write_run(folder, parse_yaml(request.text), shipped.machine, identity, points)
    for order, (point, number) in enumerate(run.tasks()):
        template = templates[point.key][random.integers(len(templates[point.key]))]
        content = template.model_dump(by_alias=True, exclude={"host"})
        content["evidence"]["warmUp"] = None
        shot = content["evidence"]["shots"][-1]
        shot["wallNs"] = int(shot["wallNs"] * np.exp(random.normal(0, 0.03)))
        content["jmh"]["primaryMetric"]["rawData"] = [[1.01 * shot["wallNs"]] * point.shots]
        synthetic.write_fork(run, content, point, number, order, [shot] * point.shots)
    return run


def start(number: int, folder: Path) -> Work:
    """Return the work of a student who has predicted as the solution does."""
    work = Work(load_lab(number), folder)
    work.predict(read_guess(number))
    return work


def hand_in(number: int, folder: Path, seed: int = 1, source: str = "") -> Path:
    """Return run.zip of a student who predicted and measured.

    `source` is the class of a lab that has one.
    """
    work = start(number, folder)
    if work.lab.trials:
        write_json(folder / TRIALS, FINDINGS)
    else:
        measure(work, seed, provide_class(find_jdk(), source, NAME) if source else "")
    save_work(work)
    return folder / FILE


SEEN = {"hammer": "ADEF", "checker": "ADEF", "fields": "C"}
"""Queues of lab 5 in which each test found a fault on the authors' machine."""

TRACE = """= Invalid execution results =

The following interleaving leads to the error:
| Thread 1 | Thread 2 |
| -------- | -------- |
|          | poll(): 3 |
|          | switch |
| offer(3): true | |
"""


FINDINGS = {
    test: {letter: TRACE if letter in letters else "" for letter in LETTERS}
    for test, letters in SEEN.items()
}
