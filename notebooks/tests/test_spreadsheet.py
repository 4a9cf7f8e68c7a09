"""Every interval against a second implementation, which a spreadsheet can follow."""

import math
from collections import Counter

import numpy as np
import pytest

from handoff.analysis.intervals import Term, estimate
from handoff.analysis.sessions import SessionMeans
from handoff.claims import evaluation
from handoff.claims.run_judging import judge_run
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run

from .spreadsheet import Point, widest

CONFIDENCES = (0.9, 0.95, 0.991)
SIZES = {"a": 1, "b": 4, "c": 2}
"""Points of each mechanism."""


def draw_points(random, sessions, forks, apart):
    """Return points without weights; of the first, one fork in three is slower by `apart`."""
    points = []
    for mechanism, size in SIZES.items():
        for _ in range(size):
            logs = random.normal(0, 0.1, (sessions, forks)) + random.normal(0, 0.05, (sessions, 1))
            if not points:
                logs[:, ::3] += apart
            by_session = {session: list(row) for session, row in enumerate(logs)}
            points.append(Point(0.0, mechanism, by_session, 0.05**2))
    return points


def make_term(point, study):
    """Return a point as the product has it."""
    labels = np.repeat(list(point.forks), [len(logs) for logs in point.forks.values()])
    logs = np.concatenate(list(point.forks.values()))
    return Term(point.weight, logs, point.floor, labels, point.mechanism, study)


def make_point(term):
    """Return a term of the product as a point."""
    forks = {s: list(term.within(s).logs) for s in term.labels()}
    return Point(term.weight, term.mechanism, forks, term.floor)


def halve(interval):
    return math.log(interval[1] / interval[0]) / 2


WEIGHTS = {
    "a ratio of mechanisms": [1, -1],
    "a ratio within one": [0, 1, -1],
    "a change of a ratio": [0, 1, -1, 0, 0, -1, 1],
    "a mean of ratios": [-1, 0.5, 0.5],
    "a level": [1],
}


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("sessions", [1, 2, 3, 5])
@pytest.mark.parametrize("apart", [0.0, 0.6])
def test_the_interval_is_that_of_a_second_implementation(name, sessions, apart):
    random = np.random.default_rng([sessions, int(10 * apart)])
    points = draw_points(random, sessions, 5, apart)
    means = [(p.mechanism, {s: float(np.mean(v)) for s, v in p.forks.items()}) for p in points]
    study = SessionMeans(
        (p.mechanism, term.logs, term.sessions) for p in points for term in [make_term(p, None)]
    )
    weights = WEIGHTS[name] + [0] * len(points)
    weighed = [p._replace(weight=w) for p, w in zip(points, weights, strict=False) if w]
    made = estimate(make_term(point, study) for point in weighed)
    if name == "a level" and sessions == 2:
        assert len(made.apart) == 2
        return
    for confidence in CONFIDENCES:
        expected = widest(weighed, means, confidence).half(confidence)
        assert halve(made.interval(confidence)) == pytest.approx(expected)


def test_all_judged_comparisons_of_the_shipped_run_agree_and_each_variance_counts_somewhere(
    monkeypatch,
):
    compared = []

    def note(terms):
        kept = list(terms)
        compared.append((kept, estimate(kept)))
        return compared[-1][1]

    monkeypatch.setattr(evaluation, "estimate", note)
    run, counted = read_run(find_run_folder("reference")), Counter()
    for study in ("scaling", "ladder"):
        judge_run(run, study)
    for terms, made in compared:
        kept = [term for term in terms if term.weight]
        if made.interval() is None:
            continue
        rows = kept[0].study.points
        for confidence in CONFIDENCES:
            counts = widest([make_point(term) for term in kept], rows, confidence)
            counted[counts.name] += 1
            assert halve(made.interval(confidence)) == pytest.approx(counts.half(confidence))
    assert {"forks", "pooled", "own"} == set(counted)
