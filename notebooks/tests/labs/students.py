"""MADE-UP students, who test labs and grading.

Their forks were not measured: they are the shipped run's, scaled and sealed under new tickets.
"""

import contextlib
import copy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from handoff.files import write_json
from handoff.labs import measuring
from handoff.labs.lab import load_lab
from handoff.labs.lessons.correctness import LETTERS
from handoff.labs.student import StudentLab
from handoff.labs.teaching import SOURCE, extract_solutions
from handoff.labs.work import RUNS as OWN_RUNS
from handoff.labs.work import TRIALS, Work
from handoff.paths import find_run_folder
from handoff.run.java.jdk import find_jdk
from handoff.run.plan import expansion
from handoff.run.plan.points import Point
from handoff.run.store.forkfile import ForkFile, compute_seal
from handoff.run.store.forks import read_forks
from handoff.run.store.identity import hash_identity, hash_setup, hash_sweep
from handoff.run.store.run import Run, read_run

CORES = 2
BEGAN = datetime(2026, 11, 1, tzinfo=UTC)
TIMES = ("wallNs", "userNs", "sysNs")
WARM_UP_SLOWER = 1.6

Change = Callable[[dict], None]
"""Changes a fork's content before it is sealed again, as a cheat would."""


@cache
def load_shipped() -> tuple[Run, dict[str, list[tuple[Point, list[ForkFile]]]]]:
    """Return the shipped run, and by study every point with its forks."""
    studies: dict[str, dict[str, tuple[Point, list[ForkFile]]]] = {}
    run = read_run(find_run_folder("reference"))
    for point, fork in read_forks(run, []):
        points = studies.setdefault(point.study, {})
        points.setdefault(point.key, (point, []))[1].append(fork)
    return run, {study: list(points.values()) for study, points in studies.items()}


@cache
def find_template(study: str, params: tuple[tuple[str, str], ...]) -> tuple[Point, list[ForkFile]]:
    """Return the shipped point that shares most parameters, above all mechanism and pacing."""

    def count(point: Point) -> int:
        same = [name for name, value in params if point.params.get(name) == value]
        return len(same) + 10 * ("mechanism" in same) + 5 * ("pacing" in same) + ("threads" in same)

    return max(load_shipped()[1][study], key=lambda entry: count(entry[0]))


def find_own_template(point: Point) -> tuple[Point, list[ForkFile]]:
    """Return a point's template; a similar one for 18 sorts, YOURS and steps of the ladder."""
    params = point.params | ({"sorts": "15"} if point.params.get("sorts") == "18" else {})
    study = "scaling" if point.study == "ladder" else point.study
    if params["mechanism"] == "YOURS" or study != point.study:
        params |= {"mechanism": "ARRAY_BLOCKING_QUEUE", "consumers": "1"}
    return find_template(study, tuple(sorted(params.items())))


def measure(work: Work, seed: int, change: Change | None = None, yours: str | None = None) -> Run:
    """Make up a run of the lab; `yours` names the student's own class, if the lab has one."""
    shipped, random = load_shipped()[0], np.random.default_rng(seed)
    request = measuring.make_sweep(work.lab, work.require(), work.ticket, yours)
    identity = shipped.identity | {"sweep": hash_sweep(request.sweep), "ticket": work.ticket}
    for key in ("more", "sessions"):
        identity.pop(key, None)
    folder = work.folder / OWN_RUNS / f"{request.profile}-{hash_identity(identity)}"
    (folder / "forks").mkdir(parents=True)
    (folder / "sweep.yml").write_text(request.text)
    write_json(folder / "machine.json", shipped.machine)
    write_json(folder / "run.json", identity | {"profile": request.profile})
    points = [
        place(point, request.sweep.forks.fitting)
        for point in expansion.expand_points(request.sweep, "made up", CORES)
    ]
    write_json(folder / "plan.json", [point.model_dump() for point in points])
    run = read_run(folder)
    start, pace = BEGAN + timedelta(days=seed), float(np.exp(random.normal(0, 0.2)))
    for order, (point, number) in enumerate(run.tasks()):
        content = make_fork(run, point, number, order, start, pace, random)
        if change:
            change(content)
        seal = {"sha256": compute_seal(content)}
        write_json(folder / "forks" / f"{point.fork_name(number)}.json", content | seal)
        start += timedelta(seconds=content["seconds"] + 0.2)
    return run


def place(point: Point, forks: int) -> Point:
    template, _ = find_own_template(point)
    return point.model_copy(
        update={"threads": template.threads, "heap": template.heap, "forks": forks}
    )


def make_fork(
    run: Run,
    point: Point,
    number: int,
    order: int,
    start: datetime,
    pace: float,
    random: np.random.Generator,
) -> dict:
    _, templates = find_own_template(point)
    template = templates[int(random.integers(len(templates)))]
    content = template.model_dump(by_alias=True, exclude={"sha256"})
    counted = content["evidence"]["shots"][-1]
    luck = pace * float(np.exp(random.normal(0, 0.03)))
    luck *= 18 / 15 if point.params.get("sorts") == "18" else 1
    shots = [
        make_shot(
            counted,
            int(point.params["events"]),
            luck
            * (WARM_UP_SLOWER if i < point.warmup else 1.0)
            * float(random.uniform(0.99, 1.01)),
        )
        for i in range(point.shots)
    ]
    content["evidence"] |= {"shots": shots, "warmUp": None}
    if run.sweep.jvm.yours:
        content["evidence"]["jvm"]["flags"] += [f"-Dhandoff.yours={run.sweep.jvm.yours}"]
    scores = [shot["wallNs"] * float(random.uniform(1.001, 1.02)) for shot in shots]
    metric = content["jmh"]["primaryMetric"] | {"rawData": [scores]}
    content["jmh"] |= {"params": dict(point.params), "primaryMetric": metric}
    seconds = sum(shot["wallNs"] for shot in shots) / 1e9 + float(random.uniform(1.6, 1.9))
    before = content["before"] | {"utc": start.isoformat(timespec="milliseconds")}
    busy = before["cpu_s"] | {"user": before["cpu_s"]["user"] + seconds}
    content |= {
        "schema": 6,
        "study": point.study,
        "setup": hash_setup(run.identity),
        "machine": run.machine["id"],
        "params": dict(point.params),
        "fork": number,
        "again": 0,
        "block": number,
        "order": order,
        "seconds": round(seconds, 3),
        "used_s": round(seconds, 3),
        "before": before,
        "after": before | {"cpu_s": busy},
    }
    content.pop("host", None)
    return content


def make_shot(template: dict, events: int, luck: float) -> dict:
    shot = copy.deepcopy(template)
    scale = events / template["events"] * luck
    shot |= {key: int(template[key] * scale) for key in TIMES} | {"events": events}
    for thread in shot["threads"]:
        thread["cpuNs"] = int(thread["cpuNs"] * scale)
        thread["voluntary"] = int(thread["voluntary"] * scale)
    return shot


PREDICTIONS = {
    1: {
        "queue_over_sequential_1": 2,
        "queue_over_sequential_300": 1,
        "disruptor_over_sequential_1": 1,
        "disruptor_over_sequential_300": 1,
        "queue_cores_1": 2,
        "disruptor_cores_1": 2,
        "queue_sleeps_1": 0.1,
        "disruptor_sleeps_1": 0,
    },
    2: {"pooled_different": 10, "forks_different": 6, "spread": 1.1},
    3: {
        "forks": 5,
        "P1": "reproduced",
        "P3": "reproduced",
        "P8": "not testable here",
        "P11": "reproduced",
        "P13": "not testable here",
    },
    4: {
        "plain": 0.5,
        "volatile": 5,
        "cas_1": 5,
        "lock_1": 20,
        "cas_2": 20,
        "lock_2": 50,
        "padding": 1.5,
    },
    6: {
        "over_queue_1": 0.3,
        "over_queue_300": 1,
        "over_disruptor_1": 1,
        "over_disruptor_300": 1,
        "power": 262144,
    },
    7: {
        f"{way}_{clock}_{part}": 1000
        for way in ("queue", "disruptor")
        for clock in ("after", "due")
        for part in ("p50", "p99")
    },
    5: {"hammer": 2, "checker": 5, "fields": 1} | dict.fromkeys("ABCDEF", "several"),
    8: {
        "work_0": 2,
        "work_10": 1.5,
        "work_30": 1,
        "work_100": 0.6,
        "shared": 2,
        "own": 0.5,
        "break_even": 30,
    },
    9: {"no_lock": 2, "padding": 1.5, "release": 1.2, "remember": 1.5, "yours": 1, "heavy": 1},
}


def start(number: int, home: Path, pseudonym: str = "anna", course: str = "made-up") -> StudentLab:
    """Return a student who has predicted."""
    lab = load_lab(number)
    work = Work(lab, home / pseudonym / lab.name, course, pseudonym)
    work.predict(PREDICTIONS[number])
    return StudentLab(work)


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
    write_json(work.folder / TRIALS, {"ticket": work.ticket, "found": findings})


LEFT_OUT = ("lab.try_class()", "try_model(lab.work)")
SHOWN_ONLY = ("lab.compare()", "lab.check()", "lab.plot(")
"""Parts of cells that change no answer."""


def run_notebook(student: StudentLab, seed: int, change: Change | None = None) -> None:
    """Run the code cells of the notebook with solutions, with made-up measurements.

    Cells that only try a class or a model, which takes a quarter of a minute, are left out.
    """
    for cell in list_cells(student):
        if cell == "lab.measure()" and student.lab.trials:
            make_up_trials(student.work)
        elif cell == "lab.measure()":
            own_class = student.lab.own_class
            yours = measuring.provide_own(student.work, find_jdk()) if own_class else None
            measure(student.work, seed, change, yours)
        else:
            run_cell(student, cell)


def answer_again(student: StudentLab, name: str, text: str) -> None:
    """Run the cells once more with another answer, from which later answers are computed.

    A cell that a wrong answer breaks leaves the answers after it as they were.
    """
    for cell in list_cells(student):
        if cell.startswith(f"%%answer {name}"):
            run_cell(student, f"%%answer {name}\n{text}")
        elif cell != "lab.measure()" and not any(part in cell for part in SHOWN_ONLY):
            with contextlib.suppress(Exception):
                run_cell(student, cell)


def list_cells(student: StudentLab) -> list[str]:
    """Return the notebook's cells, and make it start with this student's lab."""
    student.scope = {"__name__": "notebook", "display": lambda *shown: None}
    plt.switch_backend("agg")
    cells = extract_solutions(SOURCE / f"{student.lab.name}.ipynb")
    return [cell for cell in cells if cell not in LEFT_OUT]


def run_cell(student: StudentLab, cell: str) -> None:
    scope, opened = student.scope, f"lab = open_lab({student.lab.number})"
    if opened in cell:
        exec(cell.replace(opened, ""), scope)
        scope["lab"] = student
    elif cell.startswith("%%answer"):
        head, _, text = cell.partition("\n")
        file = student.work.write_answer(head.split()[1], text)
        exec(text if file.suffix == ".py" else "", scope)
    else:
        exec(cell, scope)
