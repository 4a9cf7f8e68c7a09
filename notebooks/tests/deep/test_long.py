"""Longer versions of other tests, too slow to run every day."""

import signal

import pytest

from handoff.catalog import load_catalog
from handoff.run import planning
from handoff.run.java import jar
from handoff.run.plan import selection

from .. import test_machines
from ..any_sweep import make_run
from ..calibration import FORKS, NOISES, SPREADS, World, coverage, wrongly
from ..misses import CONFIDENCES, KINDS, count_misses
from ..test_any_sweep import make_everything
from ..test_calibration import LEAST_COVERAGE, PROMISED_SHARE, UNEVEN, VERDICTS
from ..test_kill import kill_and_resume, resume, stop_part
from ..worlds import WORLDS, count_wrong, imagine_table, list_tables


def test_killed_at_a_hundred_random_instants(sweep_file, tmp_path, java):
    kill_and_resume(sweep_file, tmp_path, java, kills=100, seed=100)


@pytest.mark.parametrize(
    ("kind", "number", "code", "message"),
    [
        ("papermill", signal.SIGKILL, 1, "the notebook 01_measure failed: "),
        ("kernel", signal.SIGKILL, 1, "the notebook 01_measure failed: "),
        ("host JVM", signal.SIGKILL, 3, "1 of 3 forks are missing: 1 failed, see"),
        ("command", signal.SIGTERM, 143, "continues from here"),
        ("command", signal.SIGHUP, 129, "continues from here"),
    ],
)
def test_a_stopped_part_costs_only_the_running_fork(
    sweep_file, tmp_path, java, kind, number, code, message
):
    resume(*stop_part(sweep_file, tmp_path / "runs", kind, number, code, message))


@pytest.mark.parametrize("forks", FORKS[1:])
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("noise", NOISES)
def test_a_family_of_more_forks_rarely_has_a_wrong_verdict(verdict, noise, spread, forks):
    # The rates are up to 3.6 %: of fewer runs, more than 5 % may be wrong by chance.
    assert wrongly(verdict, 1000, World(NOISES[noise], spread, forks)) <= PROMISED_SHARE


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("noise", UNEVEN)
def test_a_table_of_uneven_forks_rarely_has_a_wrong_verdict(verdict, noise):
    assert wrongly(verdict, 100, World(*UNEVEN[noise])) <= PROMISED_SHARE


@pytest.mark.parametrize("forks", FORKS[1:])
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("noise", NOISES)
def test_intervals_of_more_forks_hold_the_truth(noise, spread, forks):
    assert coverage(2000, NOISES[noise], spread, forks) >= LEAST_COVERAGE


@pytest.mark.parametrize(
    ("kind", "most"),
    # With few slow forks, a run may have none at that point: the interval cannot know of them.
    [("none", 0.005), ("one fork in two", 0.015), ("one fork in four", 0.06)],
)
@pytest.mark.parametrize("sessions", [2, 3])
def test_an_interval_rarely_misses_the_ratio_of_one_bimodal_point(sessions, kind, most):
    missed = count_misses(4000, sessions, KINDS[kind])
    assert missed[CONFIDENCES[1]].rule <= most


@pytest.mark.parametrize("forks", FORKS[:2])
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize(("study", "machine"), list_tables())
def test_a_studys_table_rarely_has_a_wrong_verdict(study, machine, world, forks):
    wrong = count_wrong(imagine_table(study, machine, world), 50, forks)
    assert max(wrong.values()) <= 0.05 + 3 * (0.05 * 0.95 / 50) ** 0.5, wrong


def test_a_load_is_calibrated_once_per_run(sweep_file, tmp_path, java):
    sweep = tmp_path / "own.yml"
    sweep.write_text(
        "about: a test\nforks: {fitting: 1}\nquiet: {again: 0}\nstudies:\n  ring:\n"
        "    - {mechanism: SHARED_POOL, work: NS_2225, events: 40000, shots: 2, warmup: 1}\n"
    )
    selected = selection.select_sweep(str(sweep), [], [])
    runs = [
        planning.prepare_run(selected, planning.LocalPlanner(java), tmp_path / "runs", create=True)
        for _ in range(2)
    ]
    assert runs[0].identity == runs[1].identity
    (point,) = runs[0].points
    assert runs[0].identity["amounts"] == {"ring": {"NS_2225": int(point.params["work"])}}


def test_all_sweeps_are_planned_on_every_machine(java, tmp_path, monkeypatch):
    monkeypatch.setattr(test_machines, "FEWER", slice(None))
    here = (jar.HERE, planning.describe_here(java))
    plans = test_machines.plan_sweeps(java, [*test_machines.write_machines(java, tmp_path), here])
    test_machines.test_no_sweep_is_refused_and_what_is_left_out_has_a_reason(plans)
    for name in plans:
        assert len(plans[name]) == len(test_machines.MACHINES) + 1
        test_machines.test_no_thread_shares_a_core_where_cores_suffice(plans, name)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("study", load_catalog())
def test_everything_is_made_from_any_small_sweep(study, golden, java, tmp_path):
    for seed in range(1, 20):
        make_everything(make_run(tmp_path / str(seed) / "run", golden, study, str(seed), java))
