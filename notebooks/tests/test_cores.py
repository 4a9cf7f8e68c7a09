"""Sweep values that depend on the machine's cores, and forks where threads share cores."""

import pytest

from handoff.catalog import YOURS, load_catalog, resolve_cores
from handoff.errors import BadInput
from handoff.paths import SWEEPS
from handoff.run.plan.expansion import expand_points
from handoff.run.plan.sweepfile import load_sweep, validate_sweep
from tests.conftest import on_machine


def test_a_word_stands_for_this_machines_cores():
    content = {
        "about": "x",
        "forks": {"fitting": 1},
        "studies": {"executors": [{"threads": "CORES-2..CORES+1", "shots": 1, "warmup": 0}]},
    }
    threads = [
        int(point.params["threads"])
        for point in expand_points(validate_sweep(content, "own.yml"), "own.yml", 8)
    ]
    assert threads == [6, 7, 8, 9]
    assert [
        int(point.params["threads"])
        for point in expand_points(validate_sweep(content, "own.yml"), "own.yml", 2)
    ] == [1, 2, 3]
    assert (
        resolve_cores("CORES", 4) == 4
        and resolve_cores("CORES-1", 4) == 3
        and resolve_cores(7, 4) == 7
    )


def test_a_word_may_be_excluded_too():
    entry = {
        "threads": "CORES-2..CORES+1",
        "exclude": [{"threads": "CORES-1"}],
        "shots": 1,
        "warmup": 0,
    }
    content = {"about": "x", "forks": {"fitting": 1}, "studies": {"executors": [entry]}}
    assert [
        int(p.params["threads"])
        for p in expand_points(validate_sweep(content, "own.yml"), "own.yml", 8)
    ] == [6, 8, 9]


def test_a_list_may_mix_numbers_ranges_and_words():
    entry = {"threads": [1, "2..4", "CORES", "CORES+1"], "shots": 1, "warmup": 0}
    content = {"about": "x", "forks": {"fitting": 1}, "studies": {"executors": [entry]}}
    assert [
        int(p.params["threads"])
        for p in expand_points(validate_sweep(content, "own.yml"), "own.yml", 4)
    ] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("word", ["CORES*2", "cores", "CORES-", "CORES-0", "CORES+100"])
def test_an_unknown_word_is_refused(word):
    content = {
        "about": "x",
        "forks": {"fitting": 1},
        "studies": {"executors": [{"threads": word, "shots": 1, "warmup": 0}]},
    }
    with pytest.raises(BadInput, match="threads"):
        validate_sweep(content, "own.yml")


def test_an_entry_without_points_on_this_machine_is_skipped():
    entries = [
        {"threads": "CORES-2", "shots": 1, "warmup": 0},
        {"threads": 1, "mechanism": "PEKKO", "shots": 1, "warmup": 0},
    ]
    content = {"about": "x", "forks": {"fitting": 1}, "studies": {"executors": entries}}
    assert [
        p.params["mechanism"]
        for p in expand_points(validate_sweep(content, "own.yml"), "own.yml", 2)
    ] == ["PEKKO"]


def test_a_word_stands_for_twice_the_cores_but_not_in_a_range():
    entry = {
        "mechanism": "SHARED_POOL",
        "threads": [1, "CORES", "TWICE_CORES"],
        "shots": 1,
        "warmup": 0,
    }
    content = {"about": "x", "forks": {"fitting": 1}, "studies": {"ring": [entry]}}
    assert [
        int(p.params["threads"])
        for p in expand_points(validate_sweep(content, "own.yml"), "own.yml", 6)
    ] == [1, 6, 12]
    with pytest.raises(BadInput, match="threads"):
        validate_sweep(
            {**content, "studies": {"ring": [entry | {"threads": "1..TWICE_CORES"}]}}, "own.yml"
        )


def test_an_entry_may_set_the_forks_of_its_oversubscribed_points():
    entry = {"mechanism": "SHARED_POOL", "threads": [1, 4], "shots": 1, "warmup": 0}
    other = {"mechanism": "PI_TASKS", "threads": 2, "oversubscribed": 0, "shots": 1, "warmup": 0}
    content = {
        "about": "x",
        "verdicts": False,
        "forks": {"fitting": 7},
        "studies": {"ring": [entry | {"oversubscribed": 5}, other]},
    }
    assert [p.forks for p in on_machine(2, validate_sweep(content, "own.yml"))] == [7, 5, 7]
    assert [p.forks for p in on_machine(1, validate_sweep(content, "own.yml"))] == [7, 5, 0]
    assert [
        p.forks
        for p in on_machine(1, validate_sweep({**content, "studies": {"ring": [entry]}}, "own.yml"))
    ] == [7, 1]


def test_the_same_point_with_different_forks_is_refused():
    entries = [
        {"threads": 2, "shots": 1, "warmup": 0},
        {"threads": 2, "shots": 1, "warmup": 0, "oversubscribed": 5},
    ]
    with pytest.raises(BadInput, match="different shots, warmup or oversubscribed"):
        expand_points(
            validate_sweep(
                {"about": "x", "forks": {"fitting": 1}, "studies": {"ring": entries}}, "own.yml"
            ),
            "own.yml",
            2,
        )


@pytest.mark.parametrize("study", load_catalog())
def test_smoke_contains_every_mechanism(study):
    planned = {
        p.params["mechanism"]
        for p in expand_points(load_sweep(SWEEPS / "smoke.yml"), "smoke.yml", 2)
        if p.study == study
    }
    assert planned == set(load_catalog()[study].mechanisms) - {YOURS}
