"""Tidy tables hold what the fork files hold, and only that; statistics on forks, by hand."""

import json
import shutil

import pandas as pd
import pytest

from handoff.analysis import summary
from handoff.analysis.effects import tabulate_effects
from handoff.analysis.forks import compute_fork_means
from handoff.analysis.swept import load_swept, tabulate_points
from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import COLUMNS, RUNS, SHIPPED, find_run_folder, list_run_folders
from handoff.report import overview
from handoff.run.store import state
from handoff.run.store.run import read_run
from handoff.tables import schema, tidy

from .conftest import names, sealed
from .table_schema import list_deviations


@pytest.fixture
def run(fake_run, golden):
    """Return a run of one point with two planned forks, of which the golden one is measured."""
    made = fake_run(loads=1, forks=2)
    put_fork(made, golden)
    return made


def put_fork(run, golden, name="@-0", **changed):
    """Write the golden fork with these changes, and return its name; @ stands for the point's."""
    name = name.replace("@", run.points[0].name)
    write_json(run.folder / "forks" / f"{name}.json", sealed(golden, **changed))
    return name


def test_tables_have_a_row_per_shot_thread_and_node_of_the_heap(run, golden):
    tables = tidy.write_tables(run)
    table, shots = tables["scaling"], golden["evidence"]["shots"]
    assert table["wall_ns"].tolist() == [shot["wallNs"] for shot in shots]
    assert table["warmup"].tolist() == [True, False]
    usage = (shots[1]["userNs"] + shots[1]["sysNs"]) / shots[1]["wallNs"]
    assert table["cpu_process"][1] == pytest.approx(usage)
    assert table["cpu_workers"][1] + table["cpu_rest"][1] == pytest.approx(usage)
    assert table["ns_per_event"][1] == pytest.approx(shots[1]["wallNs"] / shots[1]["events"])
    assert tables["threads"][["shot", "role", "cpu", "cpu_ns"]].to_numpy().tolist() == [
        # The first is a warm-up.
        [1, thread["role"], thread["asked"], thread["cpuNs"]]
        for thread in shots[1]["threads"]
    ]
    pages, heap = golden["evidence"]["heapPagesByNode"], tables["heap"]
    assert dict(zip(heap["node"].astype(str), heap["pages"], strict=True)) == pages
    assert tables["scaling"]["heap_nodes"].tolist() == [len(pages)] * len(shots)


def test_what_was_written_is_what_is_loaded(run):
    written = tidy.fill_parameters(tidy.write_tables(run)["scaling"], "scaling")
    tables = [written, tidy.load_table(run, "scaling")]
    written, loaded = (table.replace("", pd.NA).astype(object).fillna("") for table in tables)
    assert written.to_numpy().tolist() == loaded[list(written)].to_numpy().tolist()
    hashes = {"point": "1234e567", "setup": "00000012", "machine": "99999999"}
    table = tidy.write_tables(run)["scaling"].assign(**hashes)
    schema.write_table(table, run.folder / "tidy" / "scaling.csv")
    loaded = tidy.load_table(run, "scaling")[list(hashes)]
    assert loaded.drop_duplicates().to_dict("records") == [hashes]


def test_every_shipped_table_is_as_its_schema_says():
    for run in [each for each in list_run_folders(RUNS) if each.name.startswith(SHIPPED)]:
        folder = run / "tidy"
        resources = json.loads((folder / "datapackage.json").read_text())["resources"]
        tables = {folder / resource["path"]: resource["schema"] for resource in resources}
        assert set(tables) == set(folder.glob("*.csv"))
        for path, columns in tables.items():
            assert path.stat().st_size <= 1 or list_deviations(path, columns) == []


def test_the_page_of_columns_is_what_the_schemas_say():
    assert COLUMNS.read_text() == schema.format_page()


@pytest.mark.parametrize(
    ("name", "changed", "why"),
    [
        ("scaling-00000000-0", {}, "this run did not ask for it"),
        ("@-1", {}, "it contains another fork, fork 0 of scaling"),
        ("@-0", {"machine": "ffffffff"}, "on machine ffffffff"),
        ("@-0", {"setup": "00000000"}, "it comes from another run (00000000"),
        ("@-0", {"fork": 1}, "it contains another fork, fork 1"),
        ("@-1", {"fork": 1}, "it is a copy of"),
        ("@-0.again1", {}, "it contains another fork"),
        ("@-0.again²", {}, "this run did not ask for it"),
    ],
)
def test_what_does_not_belong_here_is_said_and_set_aside_when_measuring(
    run, golden, name, changed, why
):
    name = put_fork(run, golden, name, **changed)
    (sentence,) = tidy.write_tables(run)["points"].attrs["set_aside"]
    assert sentence.startswith(f"{name}.json is not read as data: ") and why in sentence
    assert names(run.folder, "quarantine") == []
    (moved,) = state.scan_run(run, move=True).corrupt
    assert moved.startswith(f"{name}.json was moved to quarantine: ")
    assert names(run.folder, "quarantine") == [f"{name}.1.json"]


def test_a_run_of_another_version_is_refused_with_nothing_moved(run, golden):
    put_fork(run, golden, schema=1)
    with pytest.raises(BadInput, match="has schema 1, but this version of Handoff reads schema 6"):
        state.scan_run(run, move=True)
    assert names(run.folder, "quarantine") == [] and len(names(run.folder, "forks")) == 1


def test_the_shipped_run_is_whole_and_its_tables_are_what_its_forks_say(tmp_path):
    shipped = find_run_folder("reference")
    left_out = shutil.ignore_patterns("tidy")
    run = read_run(shutil.copytree(shipped, tmp_path / "reference", ignore=left_out))
    assert tidy.write_tables(run)["points"].attrs["set_aside"] == [] and run.missing() == []
    for table in (shipped / "tidy").glob("*.csv"):
        before = pd.read_csv(table, dtype=str)
        now = pd.read_csv(run.folder / "tidy" / table.name, dtype=str)
        if table.stem == "effects":
            continue
        # A parameter that a mechanism does not have has its default in tables of before.
        same = now.reindex(columns=list(before)).fillna(before)
        pd.testing.assert_frame_equal(same, before)


def test_of_a_fork_measured_again_the_first_undisturbed_one_counts(run, golden):
    # Another process used half a core.
    busy = golden["before"]["cpu_s"]["user"] + golden["used_s"] + 0.5 * golden["seconds"]
    after = golden["after"] | {"cpu_s": golden["before"]["cpu_s"] | {"user": busy}}
    put_fork(run, golden, after=after)
    table = tidy.write_tables(run)
    # Of two shots, the first is a warm-up.
    assert table["scaling"]["counted"].tolist() == [False, True]
    assert table["points"][["asked", "found", "disturbed"]].to_numpy().tolist() == [[2, 1, 1]]
    for again in (1, 2):
        put_fork(run, golden, f"@-0.again{again}", again=again, order=again)
    table = tidy.write_tables(run)
    assert table["scaling"]["counted"].tolist() == [False, False, False, True, False, False]
    assert table["points"]["disturbed"].tolist() == [0]
    assert table["scaling"]["disturbed"][0].startswith("others used 0.5")
    assert compute_fork_means(tidy.load_table(run, "scaling"))["again"].tolist() == [1]


def test_without_forks_tables_are_empty_and_load_and_before_tidy_the_stage_is_named(run):
    with pytest.raises(BadInput, match="run the stage tidy first"):
        tidy.load_table(run, "scaling")
    (run.folder / "forks" / f"{run.points[0].name}-0.json").unlink()
    tidy.write_tables(run)
    assert tidy.load_table(run, "scaling").empty
    assert compute_fork_means(tidy.load_table(run, "scaling")).empty


def test_a_write_that_breaks_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.json"
    write_json(path, {"old": 1})
    with pytest.raises(TypeError):
        write_json(path, {"new": object()})
    assert json.loads(path.read_text()) == {"old": 1} and names(tmp_path, ".") == ["x.json"]


@pytest.mark.parametrize("number", [1, 3])
def test_a_fork_with_fewer_or_more_shots_than_planned_is_not_data(run, golden, number):
    golden["evidence"]["shots"] = (golden["evidence"]["shots"] * 2)[:number]
    put_fork(run, golden)
    (sentence,) = tidy.write_tables(run)["points"].attrs["set_aside"]
    assert f"it has {number} shots instead of 2" in sentence


def test_warm_up_is_not_in_the_time_for_a_cpu_usage_nor_a_starter_on_the_event_path(run, golden):
    for shot, wall in zip(golden["evidence"]["shots"], (300_000_000, 100_000_000), strict=True):
        shot["wallNs"] = wall
        shot["threads"][0]["role"] = "starter"
    put_fork(run, golden)
    table = tidy.write_tables(run)["scaling"]
    assert table["short_usage"].all() and set(table["path_threads"]) == {1}


def test_each_host_of_a_cluster_has_its_own_sessions(run):
    places = [(host, "2026-11-21T00:00:00+00:00") for host in ("a", "b")]
    assert list(tidy.assign_sessions(run, places).values()) == [1, 2]


def shots(**columns) -> pd.DataFrame:
    """Return three shots of one fork; the first is a warm-up."""
    zero = "fork user_ns sys_ns workers_ns gc_ns voluntary involuntary compiler_ns cpu_producer"
    base = {
        "study": "scaling",
        "point": "p",
        "shot": [0, 1, 2],
        "warmup": [True, False, False],
        "counted": [False, True, True],
        "events": 10,
        "too_short": False,
        "wall_ns": 1,
        "ns_per_event": 1.0,
    }
    return pd.DataFrame(base | dict.fromkeys(zero.split(), 0) | columns)


def test_warm_up_shots_are_excluded_and_one_shot_below_the_limit_marks_the_fork():
    rows = shots(ns_per_event=[900.0, 10.0, 20.0], too_short=[False, False, True])
    (fork,) = compute_fork_means(rows).itertuples()
    assert fork.ns_per_event == 15 and fork.too_short


def test_cpu_usage_is_summed_cpu_time_over_summed_wall_time():
    rows = shots(
        wall_ns=[1, 100, 300],
        user_ns=[1, 100, 100],
        sys_ns=[0, 0, 200],
        workers_ns=[0, 80, 200],
        cpu_producer=[9.0, 1.0, 0.2],
    )
    (fork,) = compute_fork_means(rows).itertuples()
    # 400 of 400; the mean of the shots' ratios would be 1 only by chance. Workers: 280 of 400.
    assert (fork.cpu_process, fork.cpu_workers, fork.cpu_rest) == pytest.approx((1, 0.7, 0.3))
    # 1.0 core for 100 ns and 0.2 for 300.
    assert fork.cpu_producer == pytest.approx(160 / 400)


def test_a_fork_has_the_greatest_latency_of_its_shots_and_else_their_median():
    hops = {f"hop_{name}": [5.0, 9.0, 4.0] for name in ("max", "min", "mean")}
    rows = shots(study="latency", warmup=False, counted=True, **hops)
    (fork,) = compute_fork_means(rows).itertuples()
    assert (fork.hop_max, fork.hop_min, fork.hop_mean) == (9, 4, 5)


def test_the_time_of_a_repeated_fork_is_in_the_whole():
    fork = {"point": "p", "fork": 0, "warmup": False, "warmup_ns": None, "wall_ns": 1e9}
    rows = pd.DataFrame([fork | {"again": again, "seconds": 2.0} for again in (0, 1)])
    assert overview.divide_time(rows).tolist() == [50.0, 0.0, 50.0]


@pytest.mark.parametrize("table", ["scaling", "points"])
def test_a_parameter_that_a_mechanism_does_not_have_is_blank(small, table):
    rows = pd.read_csv(small.folder / "tidy" / f"{table}.csv").query("study == 'scaling'")
    alone = rows["mechanism"] == "SEQUENTIAL"
    assert rows.loc[alone, "capacity"].isna().all() and rows.loc[~alone, "capacity"].notna().all()
    assert rows[["sorts", "events"]].notna().all(axis=None)


def test_what_was_blank_is_at_its_default_where_tables_are_loaded(small):
    loaded = tidy.load_table(small, "scaling")
    capacity = loaded.loc[loaded["mechanism"] == "SEQUENTIAL", "capacity"]
    assert set(capacity) == {8192} and loaded["capacity"].dtype == int


def test_points_and_effects_have_the_numbers_of_the_report_of_the_sweep(small):
    tables = summary.write_summary(small, tidy.write_tables(small))
    points, effects = (
        pd.read_csv(small.folder / "tidy" / f"{n}.csv") for n in ("points", "effects")
    )
    swept = load_swept(small, "scaling")
    columns = ["ns_per_event", "ns_per_event_low", "cpu_process_high"]
    expected = tabulate_points(swept)[columns].astype(float).sort_values(columns)
    found = points.query("study == 'scaling' and found > 0")[columns].sort_values(columns)
    assert found.to_numpy() == pytest.approx(expected.to_numpy(), nan_ok=True)
    assert set(points.loc[points["found"] > 0, "sessions"]) == {1}
    one = effects.query("study == 'scaling'").reset_index(drop=True)
    again = tabulate_effects(swept, "ns_per_event")
    assert one["ratio"].tolist() == pytest.approx(again["ratio"].tolist())
    resources = json.loads((small.folder / "tidy" / "datapackage.json").read_text())["resources"]
    assert {resource["name"] for resource in resources} == set(tables)
    for resource in resources:
        path = small.folder / "tidy" / resource["path"]
        assert list_deviations(path, resource["schema"]) == []
