"""Points whose forks fall into two groups: which are, which are not, and how a figure says so."""

import numpy as np
import pytest

from handoff.analysis.forks import compute_fork_means
from handoff.analysis.groups import (
    LEAST_FACTOR,
    LEAST_GAP,
    SMALLEST_GROUP,
    fall_apart,
    list_fallen_apart,
)
from handoff.draw.words import describe_groups
from handoff.paths import DOCS, find_run_folder
from handoff.run.store.run import read_run
from handoff.studies.ladder.figures import LadderFigures
from handoff.tables.tidy import list_studies, load_table

from .calibration import NOISES
from .misses import BIMODAL, make_bimodal


@pytest.mark.parametrize(
    ("values", "apart"),
    [
        ([10, 10.5, 11, 20, 21], True),
        ([10, 10.5, 11, 11.5, 21], False),  # an outlier
        ([10, 10.1, 10.2, 12, 12.1], False),  # less than half more
        ([5, 8, 11, 17, 25], False),  # the gap is not larger than what the groups vary
        ([10, 10.5, 20, 21], False),  # too few
        ([10] * 3 + [20] * 2, True),
    ],
)
def test_two_groups_need_two_forks_each_and_a_gap(values, apart):
    assert fall_apart(np.log(values)) is apart
    assert fall_apart(-np.log(values[::-1])) is apart


def count_apart(noise, spread, forks, repeats=2000):
    random = np.random.default_rng(3)
    drawn = (spread * noise(random, forks, True) for _ in range(repeats))
    return sum(fall_apart(logs) for logs in drawn) / repeats


@pytest.mark.parametrize("forks", [5, 10, 15])
@pytest.mark.parametrize(("noise", "most"), [("normal", 0.001), ("skewed", 0.01)])
def test_noisy_points_are_not_named(noise, most, forks):
    assert count_apart(NOISES[noise], 0.15, forks) <= most


@pytest.mark.parametrize(("forks", "least"), [(5, 0.2), (10, 0.5), (15, 0.5)])
def test_most_bimodal_points_are_named_from_ten_forks_on(forks, least):
    assert count_apart(make_bimodal(0.25), BIMODAL, forks) >= least


@pytest.fixture(scope="module")
def shipped():
    run = read_run(find_run_folder("reference"))
    return {study: compute_fork_means(load_table(run, study)) for study in list_studies(run)}


def test_few_of_the_shipped_points_are_named(shipped):
    points = sum(forks["point"].nunique() for forks in shipped.values())
    named = [list_fallen_apart(forks, "ns_per_event") for forks in shipped.values()]
    assert 0 < sum(map(len, named)) <= 0.05 * points
    assert describe_groups(shipped["scaling"]) == ""


def test_the_ladders_figure_names_its_bimodal_point(shipped, tmp_path):
    words = "The forks of a lock for each end at 1 sort fall into two groups, by time."
    assert describe_groups(shipped["ladder"]) == words
    figures = LadderFigures(read_run(find_run_folder("reference")), tmp_path)
    cheap = figures.baseline[figures.baseline["sorts"] == 1]
    assert "forks of a lock for each end fall into two groups, by time." in figures.note("a", cheap)
    dear = figures.baseline[figures.baseline["sorts"] == 300]
    assert "two groups" not in figures.note("a", dear)


def test_the_concepts_have_the_rules_numbers():
    text = (DOCS / "concepts.md").read_text(encoding="utf-8")
    rule = text[text.index("**Two groups.**") :].partition("\n-")[0]
    assert f"leaves {SMALLEST_GROUP} forks or more" in rule
    assert f"factor of {LEAST_FACTOR} or more" in rule
    assert f"{LEAST_GAP:g} standard deviations" in rule
