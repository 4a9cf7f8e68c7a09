"""The same promises at lengths that nobody wants to wait for every day."""

from ..test_kill import java, kill_and_resume
from .bench_scale import bench

__all__ = ["java"]


def test_killed_at_a_hundred_random_instants(sweep_file, tmp_path, java):
    kill_and_resume(sweep_file, tmp_path, java, kills=100, seed=100)


def test_ten_thousand_forks_are_measured_resumed_and_tidied(golden):
    bench(10_000, golden)
