"""The same promises at lengths that nobody wants to wait for every day."""

import signal

import pytest

from ..calibration import FORKS, NOISES
from ..test_calibration import EFFECTS, require_calibrated
from ..test_kill import java, kill_and_resume, kill_part
from ..test_pipeline import interrupt_sweep
from .bench_scale import bench

__all__ = ["java"]


def test_killed_at_a_hundred_random_instants(sweep_file, tmp_path, java):
    kill_and_resume(sweep_file, tmp_path, java, kills=100, seed=100)


@pytest.mark.parametrize(
    ("kind", "code", "told"),
    [
        ("papermill", 1, "the notebook 01_measure failed: "),
        ("kernel", 1, "the notebook 01_measure failed: "),
        ("host JVM", 3, "1 of 2 forks are missing: 1 failed, see"),
    ],
)
def test_nothing_outlives_a_killed_part(sweep_file, tmp_path, java, kind, code, told):
    kill_part(sweep_file, tmp_path / "runs", kind, code, told)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_ending_session_costs_the_fork_under_way(sweep_file, tmp_path, java, number, code):
    interrupt_sweep(sweep_file, tmp_path / "runs", number, code)


@pytest.mark.parametrize("forks", FORKS[1:])
@pytest.mark.parametrize(("verdict", "spread"), EFFECTS)
@pytest.mark.parametrize("noise", NOISES)
def test_a_family_of_more_forks_rarely_has_a_wrong_verdict(verdict, noise, spread, forks):
    require_calibrated(verdict, noise, spread, forks)


def test_ten_thousand_forks_are_measured_resumed_and_tidied(golden):
    bench(10_000, golden)
