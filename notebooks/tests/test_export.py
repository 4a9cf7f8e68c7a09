"""A run for other programs: JMH's JSON as JMH writes it."""

import json
import statistics

import pytest

from handoff.cli.main import main
from handoff.run.store.run import read_run
from handoff.tables import export, tidy

from .conftest import measured


@pytest.fixture(scope="module")
def rows(small):
    return export.make_jmh(small)


def test_every_point_is_a_benchmark_with_the_keys_that_jmh_writes(small, rows, golden):
    assert {key for row in rows for key in row} == set(golden["jmh"])
    assert all(set(row["primaryMetric"]) == set(golden["jmh"]["primaryMetric"]) for row in rows)
    assert len(rows) == sum(point.forks > 0 for point in small.points)
    names = {(row["benchmark"], *row["params"].items()) for row in rows}
    assert len(names) == len(rows), "two points look alike in a viewer"
    assert any(row["benchmark"] == "handoff.scaling.ScalingBenchmark.SEQUENTIAL" for row in rows)


def test_raw_data_are_forks_by_shots_and_their_mean_is_the_score(rows):
    for row in rows:
        raw, shots = row["primaryMetric"]["rawData"], row["measurementIterations"]
        assert len(raw) == row["forks"] and {len(fork) for fork in raw} == {shots}
        for metric in (row["primaryMetric"], *row["secondaryMetrics"].values()):
            everything = [value for fork in metric["rawData"] for value in fork]
            assert metric["score"] == pytest.approx(statistics.fmean(everything))
            assert metric["scorePercentiles"]["100.0"] == max(everything)


def test_the_numbers_are_those_of_the_tables(small, rows):
    shots = tidy.load_shots(small)
    shots = shots[shots["counted"]]
    means = shots.groupby("point")[["ns_per_event", "cpu_process"]].mean()
    scores = sorted(row["primaryMetric"]["score"] for row in rows)
    cores = sorted(row["secondaryMetrics"]["cpu"]["score"] for row in rows)
    assert scores == pytest.approx(sorted(means["ns_per_event"]))
    assert cores == pytest.approx(sorted(means["cpu_process"]))


def test_arms_are_distinguished_by_a_parameter(golden_point):
    arms = [golden_point.model_copy(update={"arm": arm}) for arm in ("before", "after")]
    (names,) = export.find_named_parameters(arms).values()
    known = {"benchmark": "handoff.scaling.ScalingBenchmark.measure"}
    series = [export.Series([1.0], [1.0], [1.0])]
    rows = [export.make_row(point, known, series, names) for point in arms]
    assert [row["params"]["arm"] for row in rows] == ["before", "after"]


def test_below_five_forks_there_is_no_error(fake_run, fake_java):
    run = fake_run(fake_java(), loads=1, forks=4)
    measured(run)
    (row,) = export.make_jmh(run)
    assert row["forks"] == 4 and row["primaryMetric"]["scoreError"] == "NaN"
    assert row["primaryMetric"]["scoreConfidence"] == ["NaN", "NaN"]


def test_of_a_fork_that_was_measured_again_only_one_measurement_is_exported(
    fake_run, fake_java, noisy
):
    noisy(1)
    run = fake_run(fake_java(), loads=1, quiet={"others": 1e9, "pressure": 1e9, "again": 1})
    measured(run)
    assert len(list((run.folder / "forks").iterdir())) == 2
    assert [row["forks"] for row in export.make_jmh(run)] == [1]


def test_from_five_forks_on_the_error_is_that_of_their_means():
    # Half of the 99.9 % interval of 1 to 5: t(0.9995, 4) = 8.610, standard error 0.7071.
    assert export.compute_error([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(6.088, abs=1e-3)


def test_the_command_writes_strict_json(small, tmp_path, capsys):
    assert main(["export", str(small.folder), "--output", str(tmp_path / "jmh")]) == 0
    rows = json.loads((tmp_path / "jmh").read_text(), parse_constant=pytest.fail)
    assert f"{len(rows)} benchmarks." in capsys.readouterr().out


def test_a_run_without_forks_is_refused(fake_run, fake_java, capsys):
    run = fake_run(fake_java())
    assert main(["export", str(run.folder)]) == 2
    assert "has no fork to export" in capsys.readouterr().err
    assert read_run(run.folder).missing()
