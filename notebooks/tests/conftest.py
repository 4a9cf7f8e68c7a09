"""Fixtures shared by tests: the golden fork, small sweeps, and machines of other kinds."""

import copy
import fcntl
import gc
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from handoff.claims.report import ClaimsReport
from handoff.cli.main import main
from handoff.files import write_json
from handoff.paths import DATA, ROOT, find_run_folder
from handoff.report import numbers, swept
from handoff.run import calibration, planning, runner
from handoff.run.host import lock, machine, readiness
from handoff.run.java import jar, jdk
from handoff.run.java.jdk import Jdk
from handoff.run.plan import expansion
from handoff.run.plan.points import Point, Slot
from handoff.run.plan.sweep import Sweep, validate_sweep
from handoff.run.store.identity import hash_setup
from handoff.run.store.run import Run, read_run
from handoff.tables import tidy
from tests import synthetic

# In the background, pytest would pass ignored signals to the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Collecting garbage after every 700 new objects would take a tenth of the tests' time.
gc.set_threshold(100_000, 20, 20)


def pytest_collection_modifyitems(items):
    """Run the longest files first, so that none runs alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("machine") is None)


@pytest.fixture(autouse=True, scope="session")
def isolate_session(tmp_path_factory):
    """Give each test process its own machine lock and its own folder of temporary files."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDOFF_LOCK", str(base / "measuring.lock"))
        patch.setattr(lock, "FILE", base / "measuring.lock")
        patch.setattr("tempfile.tempdir", str(base))
        # No test cuts the power; waiting for the disk would take most of the time of many.
        patch.setattr("os.fsync", lambda file: None)
        # Nor need they know how busy the machine is.
        patch.setattr(readiness, "LOOK_S", 0.01)
        yield


@pytest.fixture(autouse=True)
def leave_queue():
    """Let no test queue for the lock because an earlier one measured in this process."""
    yield
    os.environ.pop(lock.WAIT, None)


@pytest.fixture(scope="session")
def java() -> Jdk:
    """Return the JDK that built the jar."""
    installed = jdk.find_jdk()
    jar.build_jar(installed)
    return installed


@pytest.fixture(scope="session")
def golden_file() -> dict:
    """Return a real fork file: DISRUPTOR_STRIPED, one consumer, two shots.

    It serves fixtures that are shared by tests and do not change it.
    """
    return json.loads((DATA / "golden-fork.json").read_text())


@pytest.fixture
def golden(golden_file: dict) -> dict:
    """Return a copy of that fork file."""
    return copy.deepcopy(golden_file)


def copy_shared(base: Path, name: str, make: Callable[[Path], None]) -> Run:
    """Return a test process's copy of a run that the first process makes for all of them."""
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made, part = common / f"{name}-made", common / f"{name}-part"
    with (common / f"{name}-lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not made.exists():
            make(part)
            part.rename(made)
    return read_run(shutil.copytree(made, base / "runs" / name))


@pytest.fixture(scope="session")
def reference(tmp_path_factory) -> Run:
    """Return a tidied copy of the shipped run."""

    def make(folder: Path) -> None:
        tidy.write_tables(read_run(shutil.copytree(find_run_folder("reference"), folder)))

    return copy_shared(tmp_path_factory.getbasetemp(), "reference", make)


@pytest.fixture(scope="session")
def small(tmp_path_factory) -> Run:
    """Return the first session of three studies of the shipped run, tidied.

    It serves tests that need any run.
    """
    return copy_shared(tmp_path_factory.getbasetemp(), "small", make_small)


@pytest.fixture(scope="session")
def synthetic_run(tmp_path_factory, golden_file) -> Callable[[str], Run]:
    """Return a function that makes the synthetic run of a behaviour, such as 'paper', once."""

    @cache
    def make_world(name: str) -> Run:
        return copy_shared(
            tmp_path_factory.getbasetemp(),
            f"world-{name}",
            lambda folder: synthetic.make(folder, golden_file, getattr(synthetic, name)),
        )

    return make_world


def make_small(folder: Path) -> None:
    whole = read_run(find_run_folder("reference"))
    run = copy_some(whole, folder, lambda point: point.study in ("scaling", "latency", "counters"))
    write_json(folder / "run.json", {**run.identity, "sessions": 1})
    first = {f"{point.name}-{fork}.json" for point in run.points for fork in range(point.forks)}
    for path in (folder / "forks").iterdir():
        if path.name not in first:
            path.unlink()
    tidy.write_tables(read_run(folder))


def copy_some(run: Run, folder: Path, wanted: Callable[[Point], bool]) -> Run:
    """Copy a run, as planned from the start and measured only at the wanted points.

    It has no tables, and its claims are judged once.
    """
    left_out = shutil.ignore_patterns("generated", "forks", "tidy", "plan*", "sweep*")
    shutil.copytree(run.folder, folder, ignore=left_out)
    shutil.copy(run.sweep_file, folder / "sweep.yml")
    dropped = ("extensions", "planned_sessions")
    identity = {key: value for key, value in run.identity.items() if key not in dropped}
    write_json(folder / "run.json", identity)
    points = [point for point in run.points if wanted(point)]
    write_json(folder / "plan.json", [point.model_dump() for point in points])
    (folder / "forks").mkdir()
    for point in points:
        for path in (run.folder / "forks").glob(f"{point.name}-*"):
            shutil.copy(path, folder / "forks")
    return read_run(folder)


@pytest.fixture
def golden_point(golden: dict) -> Point:
    """Return the point that the golden fork measured."""
    threads = [
        Slot(role=t["role"], cpu=t["asked"], core=t["asked"], node=t["node"], oversubscribed=False)
        for t in golden["evidence"]["shots"][0]["threads"]
    ]
    planned = {"shots": 2, "warmup": 1, "forks": 1, "threads": threads}
    return Point(study="scaling", params=golden["params"], **planned)


@pytest.fixture
def files(tmp_path):
    """Return a function that writes a kernel's files under a root."""
    return lambda **contents: write_files(tmp_path, contents)


def write_files(folder: Path, contents: dict[str, str]) -> Path:
    """Write files of these names below a folder, and return the folder."""
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


@pytest.fixture
def sweep_file(tmp_path: Path):
    """Return a function that writes a sweep with one entry of the study scaling.

    By default no fork is measured again: the number of files must not depend on the machine's load.
    """
    return partial(write_sweep, tmp_path)


def write_sweep(folder: Path, entry: str = "", top: str = "") -> Path:
    path = folder / "own.yml"
    top += "" if "quiet:" in top else "\nquiet: {again: 0}"
    top += "" if "jvm:" in top else "\njvm: {heap: 64m}"
    shared = {"shots": 2, "warmup": 1, "events": 81920}
    standing = ", ".join(f"{k}: {v}" for k, v in shared.items() if f"{k}:" not in entry)
    path.write_text(
        f"about: a test\nforks: {{fitting: 1}}\n{top}\nstudies:\n  scaling:\n"
        f"    - {{{standing}{', ' if entry else ''}{entry}}}\n"
    )
    return path


FAKE_JAVA = """#!/bin/sh
# Stands for JMH: returns the golden fork's result at once, under the given parameters.
params=
while [ $# -gt 0 ]; do
  case $1 in -p) params="$params,\\"${2%%=*}\\":\\"${2#*=}\\"" ;; -rff) rff=$2 ;; esac
  shift
done
[ "$rff" ] || exit 1
@line
sed "s/@params/${params#,}/" "@here/jmh.json" > "$rff"
cp "@here/evidence.json" "${rff%/*}/evidence.json"
"""


@pytest.fixture
def fake_java(golden: dict, tmp_path: Path):
    """Return a function that makes a `java`, which returns the golden fork at once.

    It first runs a line of shell; JMH writes to $rff and measures $params.
    """

    def make(line: str = ":") -> Jdk:
        here = tmp_path / "fake java"
        here.mkdir(exist_ok=True)
        jmh = json.dumps([golden["jmh"] | {"params": "@"}])
        (here / "jmh.json").write_text(jmh.replace('"@"', "{@params}"))
        (here / "evidence.json").write_text(json.dumps(golden["evidence"]))
        (here / "java").write_text(FAKE_JAVA.replace("@line", line).replace("@here", str(here)))
        (here / "java").chmod(0o755)
        return Jdk(here / "java", 17, "fake 17.0.15+6-Debian-1deb12u1")

    return make


@pytest.fixture
def noisy(monkeypatch):
    """Return a function that simulates steal during the first `forks` forks."""

    def during(forks):
        calls, real = [0], machine.take_snapshot

        def snapshot(cpus):
            taken, calls[0] = real(cpus), calls[0] + 1
            stolen = 1e6 if calls[0] % 2 == 0 and calls[0] <= 2 * forks else 0
            return taken | {"cpu_s": taken["cpu_s"] | {"steal": stolen}}

        monkeypatch.setattr("handoff.run.fork.take_snapshot", snapshot)

    return during


MACHINE = {"id": "m", "topology": {"cpus": [], "virtual": None, "quota": None}}


@pytest.fixture
def fake_run(golden: dict, golden_point: Point, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that makes a run of the golden point at several loads, without a fork.

    The given java measures it, and its setup is not compared.
    """
    params = {name: int(v) if v.isdigit() else v for name, v in golden["params"].items()}

    def make(
        java: Jdk | None = None,
        loads: int = 3,
        forks: int = 1,
        folder: Path = tmp_path / "runs" / "fake-00000000",
        machine: dict = MACHINE,
        **top: object,
    ) -> Run:
        monkeypatch.setattr(jdk, "find_jdk", lambda: java)
        monkeypatch.setattr(planning, "require_same_setup", lambda run, java: None)
        content = {
            "about": "a test",
            "verdicts": False,
            "forks": {"fitting": forks},
            "jvm": {"heap": "256m"},
            "quiet": {"again": 0},
            **top,
            "studies": {"scaling": [params | {"sorts": f"1..{loads}", "shots": 2, "warmup": 1}]},
        }
        sweep = validate_sweep(copy.deepcopy(content), "a test")
        placed = {"threads": golden_point.threads, "forks": forks}
        points = [
            point.model_copy(update=placed) for point in expansion.expand_points(sweep, "a test", 2)
        ]
        return synthetic.write_run(folder, content, machine, IDENTITY | {"profile": "fake"}, points)

    return make


IDENTITY = {"jdk": "a JDK", "machine": "m", "jar": "j", "sweep": "s", "flags": "f"}


def sealed(golden: dict, **changed: object) -> dict:
    """Return the golden fork as one of the fake run's, changed and sealed again."""
    return synthetic.seal(golden | {"setup": hash_setup(IDENTITY), "machine": "m"} | changed)


def measured(run: Run, **options: object) -> list[str]:
    """Measure the missing forks and return what was wrong with each, in the order of completion."""
    return [outcome.wrong for _, outcome in runner.measure_run(run, **options)]


def raise_forks(run: Run, forks: dict[str, int]) -> Run:
    """Return the run with these numbers of forks planned, by point key."""
    plan = [
        point.model_dump() | {"forks": forks.get(point.key, point.forks)} for point in run.points
    ]
    write_json(run.folder / "plan.json", plan)
    return read_run(run.folder)


def read_files(run: Run) -> list[dict]:
    """Return the contents of the fork files of a run."""
    return [json.loads(path.read_text()) for path in sorted((run.folder / "forks").iterdir())]


def save_numbers(run: Run) -> dict:
    """Write what papers and pages say of a tidied run; return the numbers of the claims."""
    claims = ClaimsReport(run)
    claims.save()
    swept.save_numbers(run)
    return json.loads(numbers.save_numbers(run, claims).read_text())


def list_times(run: Run) -> dict[str, int]:
    """Return when each fork file of a run was last written."""
    return {path.name: path.stat().st_mtime_ns for path in (run.folder / "forks").iterdir()}


def orders(run: Run) -> list[tuple[int, int, int, int, int]]:
    """Return (order, block, fork, again, sorts) of every fork file."""
    return sorted(
        (f["order"], f["block"], f["fork"], f["again"], int(f["params"]["sorts"]))
        for f in read_files(run)
    )


def names(folder: Path, *states: str) -> list[str]:
    """Return the names of the files in a run's folders of these states."""
    return sorted(
        path.name for state in states for path in (folder / state).glob("*") if path.is_file()
    )


def on_machine(cores: int, loaded: Sweep, file: str = "own.yml") -> list[Point]:
    """Return a sweep's points as the jar would place them on one node.

    The node has `cores` cores without siblings.
    """
    guessed = calibration.guess_amounts(calibration.find_words(loaded, file))
    expanded = expansion.expand_points(loaded, file, 2, guessed)
    answers = []
    for point in expanded:
        threads = synthetic.count_threads(point.study, point.params)
        placement = point.params.get("placement")
        if placement == "SCATTER" or (placement == "ONE_NODE" and threads > cores):
            answers.append({"unavailable": f"{placement} needs more than there is"})
            continue
        cpus = [i % cores for i in range(threads)]
        slots = [
            {"role": f"t{i}", "cpu": c, "core": c, "node": 0, "oversubscribed": cpus.count(c) > 1}
            for i, c in enumerate(cpus)
        ]
        answers.append({"plan": {"threads": slots}})
    return expansion.settle_points(loaded, expanded, answers, file)


@pytest.fixture
def call(capsys) -> Callable[..., subprocess.CompletedProcess]:
    """Return a function that runs a command in this process, which is faster than `run_all`."""

    def run(*words: object) -> subprocess.CompletedProcess:
        code = main([str(word) for word in words])
        return subprocess.CompletedProcess(words, code, *capsys.readouterr())

    return run


def run_all(*words: object, cwd: str | Path = "/") -> subprocess.CompletedProcess:
    """Run `./run_all.sh` as a user does, in a separate process."""
    command = [str(ROOT / "run_all.sh"), *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, timeout=600, check=False
    )
