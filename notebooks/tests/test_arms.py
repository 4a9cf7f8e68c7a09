"""Arms: JDKs, jars and flags that one sweep compares, in the same blocks, and never pools."""

from pathlib import Path

import pytest
import yaml

from handoff import paths
from handoff.analysis import summary
from handoff.analysis.forks import compute_fork_means
from handoff.claims import readers
from handoff.errors import BadInput
from handoff.run import planning
from handoff.run.accept import Rejected, accept_runtime
from handoff.run.java import arms, jar
from handoff.run.java.jdk import Jdk, find_jdk
from handoff.run.plan import expansion
from handoff.run.plan.points import Point
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweep import validate_sweep
from handoff.run.store.forkfile import CorruptFork, ForkFile
from handoff.run.store.identity import ARMS, compute_identity, hash_setup
from handoff.run.store.run import Run
from handoff.run.store.state import require_fork_of
from handoff.tables import schema, tidy
from handoff.tables.rows import make_shot_rows

ENTRY = {"consumers": 1, "sorts": 1, "events": 20000, "capacity": 64, "shots": 2}
MECHANISMS = ["SEQUENTIAL", "ARRAY_BLOCKING_QUEUE"]
CONTENT = {
    "about": "arms",
    "verdicts": False,
    "forks": {"fitting": 2},
    "arms": {"before": {}, "after": {"flags": ["-XX:+UseCompressedOops"]}},
    "studies": {"scaling": [ENTRY | {"mechanism": MECHANISMS}]},
}
OTHER = Jdk(Path("/jdks/25/bin/java"), 25, "OpenJDK 64-Bit Server VM 25.0.1+8 (Eclipse)")


def make_request(**changed) -> SweepRequest:
    sweep = validate_sweep(CONTENT | changed, "my.yml")
    return SweepRequest("my", "my.yml", yaml.safe_dump(CONTENT), sweep)


def expand(**changed) -> list[Point]:
    return expansion.expand_points(make_request(**changed).sweep, "my.yml", cores=2)


def test_every_point_is_planned_once_per_arm_with_its_flags():
    points = expand()
    assert [point.arm for point in points] == ["before", "after"] * 2
    assert len({point.key for point in points}) == 4
    assert {len(point.key) for point in points} == {16}
    sweep = make_request(jvm={"flags": ["-Xint"]}).sweep
    assert sweep.make_jvm("before").flags == ["-Xint"]
    assert sweep.make_jvm("after").flags == ["-Xint", "-XX:+UseCompressedOops"]


def test_a_jdk_that_is_not_installed_is_refused_with_those_that_were_found(monkeypatch):
    monkeypatch.setattr(arms, "list_installed", lambda: [OTHER])
    sweep = make_request(arms={"one": {"jdk": 99}}).sweep
    with pytest.raises(BadInput, match=r"my.yml: arms.one.jdk: no JDK 99 .* found 25 in /jdks/25"):
        arms.resolve_arms(sweep, find_jdk(), "my.yml")


def test_the_newest_patch_of_a_release_is_chosen(monkeypatch):
    older, newer = (
        OTHER._replace(runtime=f"OpenJDK 64-Bit Server VM {version} (x)")
        for version in ("25.0.9+1", "25.0.10+1")
    )
    monkeypatch.setattr(arms, "list_installed", lambda: [newer, older])
    assert arms.find_installed(25, find_jdk(), "arms") == newer


@pytest.mark.parametrize("wanted", ["nowhere/benchmarks.jar", __file__])
def test_a_file_that_is_no_jar_of_ours_is_refused(wanted):
    sweep = make_request(arms={"one": {"jar": wanted}}).sweep
    with pytest.raises(BadInput, match=f"arms.one.jar: {wanted} is not a benchmarks.jar"):
        arms.resolve_arms(sweep, find_jdk(), "my.yml")


def test_the_run_names_what_measures_each_arm_and_its_own_is_the_first():
    identity = compute_identity(make_request().sweep, {"id": "m"}, find_jdk())
    assert list(identity[ARMS]) == ["before", "after"]
    assert identity["flags"] == identity[ARMS]["before"]["flags"]
    assert identity[ARMS]["before"]["flags"] != identity[ARMS]["after"]["flags"]
    assert hash_setup(identity, "before") != hash_setup(identity, "after")


def test_the_table_of_arms_says_what_each_is(tmp_path):
    sweep = make_request(jvm={"flags": ["-Xint"]}).sweep
    old = {"jar": "0123456789abcdef", "jdk": "OpenJDK 17"}
    identity = old | {ARMS: {"before": old, "after": old | {"jdk": "OpenJDK 25"}}}
    rows = summary.tabulate_arms(Run(tmp_path, sweep, identity, {}, [])).to_dict("records")
    assert [list(row.values()) for row in rows] == [
        ["before", "OpenJDK 17", "0123456789ab", "-Xint"],
        ["after", "OpenJDK 25", "0123456789ab", "-Xint -XX:+UseCompressedOops"],
    ]
    plain = make_request(arms={}).sweep
    assert summary.tabulate_arms(Run(tmp_path, plain, identity, {}, [])).empty


def test_a_fork_of_one_arm_is_not_read_as_anothers(golden, golden_point, tmp_path):
    sweep = make_request(arms={"before": {}, "after": {}}).sweep
    java = {"jar": "j", "jdk": "k", "flags": "f"}
    identity = {"machine": "m", **java, ARMS: {"before": java, "after": java}}
    run = Run(tmp_path, sweep, identity, {"id": "m"}, [])
    changed = {"arm": "before", "setup": hash_setup(identity, "before"), "machine": "m"}
    fork = ForkFile.model_validate(golden | changed)
    before, after = (golden_point.model_copy(update={"arm": arm}) for arm in ("before", "after"))
    assert require_fork_of(run, before, fork.fork, fork.again, fork) is fork
    with pytest.raises(CorruptFork, match="contains another fork"):
        require_fork_of(run, after, fork.fork, fork.again, fork)


def test_a_fork_of_another_jdk_is_rejected(golden):
    reported = ForkFile.model_validate(golden).evidence.jvm
    accept_runtime(reported, f"OpenJDK 64-Bit Server VM {reported.version} (Debian)")
    with pytest.raises(Rejected, match=r"expected OpenJDK .* 25.0.1\+8"):
        accept_runtime(reported, OTHER.runtime)


def test_claims_and_tables_take_the_first_arm_alone(golden, golden_point, tmp_path):
    points = [golden_point.model_copy(update={"arm": arm}) for arm in ("before", "after")]
    sweep = make_request().sweep
    run = Run(tmp_path, sweep, {}, {"topology": {"cpus": []}}, points)
    fork = ForkFile.model_validate(golden)
    rows = [row for point in points for row in make_shot_rows(point, fork)]
    table = tidy.pd.DataFrame(rows).assign(session=1, counted=True)
    schema.save_tables(tmp_path / "tidy", {"scaling": table})
    assert set(tidy.load_table(run, "scaling")["arm"]) == {"before"}
    every = compute_fork_means(tidy.load_table(run, "scaling", every_arm=True))
    assert sorted(every["arm"]) == ["after", "before"]
    assert len(list(readers.list_planned(run, "scaling"))) == 1


def test_an_arm_is_checked_by_its_own_jar(monkeypatch):
    asked = []
    monkeypatch.setattr(
        jar, "check_points", lambda java, points, root: asked.append(java) or [{}] * len(points)
    )
    javas = {"before": OTHER, "after": find_jdk()}
    planning.check_points(javas, expand(), paths.ROOT)
    assert asked == list(javas.values())


def test_virtual_threads_run_on_a_newer_jdk(java, tmp_path, call):
    """Visible in the list of tests: whether a JDK with virtual threads was found."""
    newer = next((java for java in arms.list_installed() if java.feature >= 21), None)
    if newer is None:
        pytest.skip("no JDK of version 21 or newer was found")
    sweep = tmp_path / "virtual.yml"
    sweep.write_text(
        "about: virtual threads\nverdicts: false\nwarmup_limit: 0.3\njvm: {heap: 64m}\n"
        "quiet: {again: 0}\nforks: {fitting: 1}\n"
        f"arms: {{newer: {{jdk: {newer.java.parents[1]}}}}}\n"
        "studies:\n  executors:\n    - {mechanism: VIRTUAL_THREADS, events: 2000, shots: 1}\n"
    )
    # A busy machine may cost a first try, which the same command repeats.
    for _ in range(2):
        ended = call(sweep, "measure", "--data", tmp_path / "runs")
        if ended.returncode == 0:
            break
    logs = [path.read_text() for path in tmp_path.glob("runs/*/*/*.txt")]
    assert ended.returncode == 0, "\n".join([ended.stdout, ended.stderr, *logs])
