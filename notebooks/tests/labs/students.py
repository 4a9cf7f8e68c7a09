"""MADE-UP students: their forks were not measured, but are the shipped run's, scaled and sealed."""

import copy
from functools import cache
from pathlib import Path

import numpy as np

from handoff.files import parse_yaml, write_json
from handoff.labs import measuring
from handoff.labs.borrowed import DROPPED
from handoff.labs.bytecode import NAME
from handoff.labs.lab import load_lab
from handoff.labs.lessons.correctness import LETTERS
from handoff.labs.saved import FILE, save_work
from handoff.labs.work import MEASURED, TRIALS, Work
from handoff.labs.work import RUNS as OWN_RUNS
from handoff.paths import find_run_folder
from handoff.run.java.jdk import find_jdk
from handoff.run.java.ownclass import provide_class
from handoff.run.plan import expansion
from handoff.run.plan.points import Point
from handoff.run.store.forkfile import ForkFile
from handoff.run.store.forks import read_forks
from handoff.run.store.identity import hash_identity, hash_setup, hash_sweep
from handoff.run.store.run import Run, read_run
from tests import synthetic

from .solutions import read_guess

CORES = 2
TIMES = ("wallNs", "userNs", "sysNs")
WARM_UP_SLOWER = 1.6


@cache
def load_shipped() -> tuple[Run, list[tuple[Point, list[ForkFile]]]]:
    """Return the shipped run, and every point with its forks."""
    run = read_run(find_run_folder("reference"))
    points: dict[str, tuple[Point, list[ForkFile]]] = {}
    for point, fork in read_forks(run, []):
        points.setdefault(point.key, (point, []))[1].append(fork)
    return run, list(points.values())


def find_template(point: Point) -> tuple[Point, list[ForkFile]]:
    """Return the shipped point that shares most parameters, above all mechanism and pacing.

    A similar one stands for 18 sorts, YOURS and steps of the ladder.
    """
    params = point.params | ({"sorts": "15"} if point.params.get("sorts") == "18" else {})
    study = "scaling" if point.study == "ladder" else point.study
    if params["mechanism"] == "YOURS" or study != point.study:
        params |= {"mechanism": "ARRAY_BLOCKING_QUEUE", "consumers": "1"}

    def count(entry: tuple[Point, list[ForkFile]]) -> int:
        other = entry[0].params
        same = [name for name, value in params.items() if other.get(name) == value]
        return len(same) + 10 * ("mechanism" in same) + 5 * ("pacing" in same) + ("threads" in same)

    return max((entry for entry in load_shipped()[1] if entry[0].study == study), key=count)


def measure(work: Work, seed: int, yours: str = "") -> Run:
    """Make up a run of the lab; `yours` names the student's own class, if the lab has one."""
    shipped, random = load_shipped()[0], np.random.default_rng(seed)
    request = measuring.make_sweep(work, yours)
    identity = {key: value for key, value in shipped.identity.items() if key not in DROPPED}
    identity |= {"sweep": hash_sweep(request.sweep), "profile": request.profile}
    folder = work.folder / OWN_RUNS / f"{request.profile}-{hash_identity(identity)}"
    points, forks = [], {}
    for point in expansion.expand_points(request.sweep, "made up", CORES):
        template, forks[point.key] = find_template(point)
        placed = {"threads": template.threads, "heap": template.heap}
        points.append(point.model_copy(update=placed | {"forks": request.sweep.forks.fitting}))
    run = synthetic.write_run(folder, parse_yaml(request.text), shipped.machine, identity, points)
    pace = random.normal(0, 0.2)
    for order, (point, number) in enumerate(run.tasks()):
        template = forks[point.key][random.integers(len(forks[point.key]))]
        content = make_fork(run, point, template, pace, random)
        content |= {"fork": number, "block": number, "order": order}
        file = folder / "forks" / f"{point.fork_name(number)}.json"
        write_json(file, synthetic.seal(content))
    return run


def make_fork(run: Run, point: Point, template: ForkFile, pace: float, random) -> dict:
    """Return the content of a fork like the template, slower by the exponential of `pace`."""
    content = template.model_dump(by_alias=True, exclude={"host"})
    luck = np.exp(pace + random.normal(0, 0.03))
    luck *= 18 / 15 if point.params.get("sorts") == "18" else 1
    shots = []
    for i in range(point.shots):
        slower = WARM_UP_SLOWER if i < point.warmup else 1.0
        scale = luck * slower * random.uniform(0.99, 1.01)
        counted = content["evidence"]["shots"][-1]
        shots.append(make_shot(counted, int(point.params["events"]), scale))
    content["evidence"] |= {"shots": shots, "warmUp": None}
    scores = [shot["wallNs"] * random.uniform(1.001, 1.02) for shot in shots]
    content["jmh"] |= {"primaryMetric": {"rawData": [scores]}}
    return content | {
        "study": point.study,
        "setup": hash_setup(run.identity),
        "machine": run.machine["id"],
        "params": point.params,
        "again": 0,
    }


def make_shot(template: dict, events: int, luck: float) -> dict:
    shot = copy.deepcopy(template)
    scale = events / template["events"] * luck
    shot |= {key: int(template[key] * scale) for key in TIMES} | {"events": events}
    for thread in shot["threads"]:
        thread |= {key: int(thread[key] * scale) for key in ("cpuNs", "voluntary")}
    return shot


def guess(number: int) -> dict[str, float | str]:
    """Return a valid prediction: of each value the first word, or the least number."""
    predictions = load_lab(number).predictions
    return {asked.name: asked.words[0] if asked.words else asked.least for asked in predictions}


def start(number: int, folder: Path) -> Work:
    """Return the work of a student who has predicted."""
    work = Work(load_lab(number), folder)
    work.predict(guess(number))
    return work


def hand_in(number: int, folder: Path, seed: int = 1, source: str = "") -> Path:
    """Return run.zip of a student who predicted as the solution does, and measured.

    `source` is the class of a lab that has one.
    """
    work = Work(load_lab(number), folder)
    work.predict(read_guess(number))
    if work.lab.trials:
        make_up_trials(work)
    else:
        yours = provide_class(find_jdk(), source, NAME) if work.lab.own_class else ""
        if yours:
            (folder / MEASURED).write_text(yours)
        measure(work, seed, yours)
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


def make_up_trials(work: Work) -> None:
    findings = {
        test: {letter: TRACE if letter in letters else "" for letter in LETTERS}
        for test, letters in SEEN.items()
    }
    write_json(work.folder / TRIALS, findings)
