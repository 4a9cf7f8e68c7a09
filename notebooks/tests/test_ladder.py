"""The ladder: what each decision saves, and what is said where steps are missing."""

import itertools

import numpy as np
import pandas as pd
import pytest

from handoff.paths import find_run_folder
from handoff.run.store.run import read_run
from handoff.studies.ladder import STEPS, figures, numbers

STAIRS = {"ARRAY_BLOCKING_QUEUE": 400.0, "ONE_LOCK": 400.0, "ONE_LOCK_IDLE": 600.0}
STAIRS |= {"TWO_LOCKS": 300.0, "NO_LOCK": 100.0, "PADDED_CURSORS": 100.0, "BATCHED": 50.0}
OTHERS = {"SEQUENTIAL": 40.0, "BATCHED_UNPADDED": 75.0, "JCTOOLS_SPSC": 80.0, "DISRUPTOR": 70.0}
NS = STAIRS | OTHERS


def make_forks(*mechanisms: str) -> pd.DataFrame:
    """Return five forks per mechanism, which differ by about a hundredth."""
    forks = pd.DataFrame(itertools.product(mechanisms or NS, range(5)), columns=["point", "fork"])
    luck = np.random.default_rng(1).normal(0, 0.01, len(forks))
    return forks.assign(
        mechanism=forks["point"],
        ns_per_event=forks["point"].map(NS) * np.exp(luck),
        release="3.4.4",
        sorts=1,
        capacity=1024,
        events=1000,
        cpu_process=1.5,
        voluntary=0.0,
        oversubscribed=False,
    )


def test_savings_and_decisions_taken_away_are_compared_with_their_step():
    table = numbers.tabulate_steps(make_forks()).set_index("mechanism")
    assert table["saved"].dropna().round(1).to_dict() == {
        "ONE_LOCK": 1.0,
        "ONE_LOCK_IDLE": 0.7,
        "TWO_LOCKS": 2.0,
        "NO_LOCK": 3.0,
        "PADDED_CURSORS": 1.0,
    }
    table = numbers.tabulate_decisions(make_forks()).set_index("decision")
    row = table.loc[STEPS["PADDED_CURSORS"]]
    assert row["alone"] == pytest.approx(1.5, rel=0.02) and row["alone_low"] > 1


def test_sentences_name_the_largest_saving_first_or_say_that_none_is_sure():
    forks = make_forks("ARRAY_BLOCKING_QUEUE", "BATCHED")
    assert "saved" not in numbers.tabulate_steps(forks)
    (sentence,) = numbers.list_sentences(forks)
    assert "no single step saves a tenth with" in sentence
    (sentence,) = numbers.list_sentences(make_forks())
    assert sentence.startswith("With 1 sort per event time is saved by no lock (")
    assert "our own ring: from 4" in sentence


def test_without_two_steps_nothing_is_said():
    assert numbers.list_sentences(make_forks("SEQUENTIAL", "BATCHED_UNPADDED")) == []


def test_the_title_says_where_no_decision_saves_time():
    cheap = make_forks()
    dear = cheap.assign(sorts=300, ns_per_event=10_000.0)
    words = figures.write_stairs(numbers.tabulate_steps(pd.concat([cheap, dear])), "")
    assert words.title.endswith("none saves a tenth with a 95 % interval above 1")


@pytest.mark.parametrize(("name", "drawn"), [("reference", False), ("reference-decisions", True)])
def test_decisions_are_drawn_only_where_they_were_taken_away(tmp_path, name, drawn):
    run = read_run(find_run_folder(name))
    assert (figures.LadderFigures(run, tmp_path).away() is not None) == drawn
