"""The hops of made-up machines: what lies between two CPUs, and the matrix of all."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from handoff.paths import JAVA_BENCH
from handoff.run.store.forkfile import ForkFile, Hops
from handoff.studies.hops import MOST_PAIRS, count_hops, figures, numbers
from handoff.tables.rows import make_matrix_rows, make_shot_columns

NS = {"same cache": 40.0, "other cache": 90.0, "other socket": 200.0}


def machine(siblings=2):
    """Return two sockets of two caches of three cores; CPUs are numbered first siblings first."""
    places = [{"core": core, "cache": core // 3, "socket": core // 6} for core in range(12)]
    return {"topology": {"cpus": [{"id": i} | places[i % 12] for i in range(12 * siblings)]}}


PLAIN = machine(siblings=1)


@pytest.fixture
def hops():
    """Return three shots of each pair of the CPUs of a machine without siblings."""
    rows = [
        (a, b, NS[numbers.relate_cpus(PLAIN, a, b)] * (1 + shot / 10))
        for a, b in itertools.permutations(range(12), 2)
        for shot in range(3)
    ]
    return pd.DataFrame(rows, columns=["from_cpu", "to_cpu", "value"])


@pytest.mark.parametrize(
    ("one", "other", "between"),
    [(0, 12, "same core"), (0, 2, "same cache"), (2, 15, "other cache"), (0, 6, "other socket")],
)
def test_the_nearest_thing_that_two_cpus_share_is_named(one, other, between):
    assert numbers.relate_cpus(machine(), one, other) == between


def test_what_the_kernel_does_not_tell_is_not_guessed():
    made = machine()
    for cpu in made["topology"]["cpus"]:
        cpu["cache"] = None
    assert numbers.relate_cpus(made, 0, 12) == "same core"
    assert numbers.relate_cpus(made, 0, 2) == "unknown"


def test_the_table_counts_each_pair_once_and_the_matrix_keeps_the_order_of_threads(hops):
    table = numbers.tabulate_relations(hops, PLAIN)
    assert table["pairs"].to_dict() == {"same cache": 12, "other cache": 18, "other socket": 36}
    medians = {name: 1.1 * NS[name] for name in table.index}
    assert table["median"].to_dict() == pytest.approx(medians)
    order = [6, 7, 8, 0, 1, 2, 3, 4]
    matrix = numbers.build_matrix(hops, order)
    assert list(matrix.index) == order == list(matrix.columns)
    assert np.isnan(np.diag(matrix)).all() and matrix.loc[6, 0] == pytest.approx(220)
    assert numbers.find_borders(order, PLAIN, "socket") == [3]
    assert numbers.find_borders(order, PLAIN, "cache") == [3, 6]


@pytest.mark.parametrize(("left_out", "cells"), [([], 12 * 11), ([3, 7], 12 * 11 - 2)])
def test_each_measured_pair_of_a_small_matrix_has_its_number(hops, left_out, cells):
    measured = hops[~hops[["from_cpu", "to_cpu"]].isin(left_out).all(axis="columns")]
    figure, axes = plt.subplots()
    figures.draw_matrix(figure, axes, numbers.build_matrix(measured, range(12)))
    assert {text.get_text() for text in axes.texts} == {"220", "44", "99"}
    assert len(axes.texts) == cells


@pytest.mark.parametrize(
    ("threads", "sample"),
    [(45, ""), (512, " Measured: a random sample of 1,000 of 130,816 pairs of CPUs.")],
)
def test_sentences_name_the_sample(threads, sample):
    ns = {"hop_min": 40.0, "hop_p50": 60.0, "hop_max": 200.0}
    forks = pd.DataFrame([{"mechanism": "CACHE_LINE", "threads": threads} | ns])
    assert " ".join(numbers.list_sentences(forks)).endswith(f"over pairs and shots.{sample}")


@pytest.mark.parametrize(
    ("mechanism", "threads", "hops"),
    [("CACHE_LINE", 4, 12_000), ("CACHE_LINE", 46, 2_000_000), ("PRIMITIVES", 4, 2000)],
)
def test_events_are_the_hops_of_each_measured_pair(mechanism, threads, hops):
    params = {"mechanism": mechanism, "threads": str(threads), "events": "2000"}
    assert count_hops(params) == hops


def test_the_jar_measures_as_many_pairs():
    source = JAVA_BENCH / "src/main/java/handoff/hops/CacheLine.java"
    assert f"MOST_PAIRS = {MOST_PAIRS:_};" in source.read_text()


@pytest.fixture
def columns_of(golden):
    """Return a function that makes the columns of a shot with these changes."""
    shot = ForkFile.model_validate(golden).evidence.shots[0]
    return lambda **changed: make_shot_columns(shot.model_copy(update=changed))


def test_a_hop_that_was_not_timed_before_a_shot_is_blank(columns_of):
    hops = Hops.model_validate({"nearCpu": 1, "nearNs": None, "farCpu": 2, "farNs": 61.26})
    columns = columns_of(hops=hops)
    assert (columns["hop_near_ns"], columns["hop_far_ns"]) == (None, 61.3)


@pytest.mark.parametrize(("matrices", "short"), [(None, True), ({"hop": [[None]]}, False)])
def test_a_short_shot_with_a_time_for_each_pair_is_not_too_short(columns_of, matrices, short):
    assert columns_of(wallNs=10**6, matrices=matrices)["too_short"] == short


def test_a_matrix_of_a_fork_file_has_a_row_for_each_pair_of_cpus(golden, golden_point):
    (*_, shot) = golden["evidence"]["shots"]
    golden["evidence"]["shots"] = [shot | {"matrices": {"hop": [[None, 25.0], [25.0, None]]}}]
    point = golden_point.model_copy(update={"warmup": 0})
    rows = make_matrix_rows(point, ForkFile.model_validate(golden))
    one, other = (thread["asked"] for thread in shot["threads"][:2])
    found = [(row["from_cpu"], row["to_cpu"], row["value"]) for row in rows]
    assert found == [(one, other, 25.0), (other, one, 25.0)]
