"""Tidy tables hold what the fork files hold, and only that."""

import json
import re

import pandas as pd
import pytest

from handoff import tidy
from handoff.errors import BadInput
from handoff.judge.forks import fork_means
from handoff.paths import DATA
from handoff.run.forkfile import seal, write_once
from handoff.run.store import Run, hexed
from handoff.run.sweep import Forks, Sweep

IDENTITY_OF_RUN = {"jdk": "a JDK", "machine": "m", "jar": "j", "sweep": "s", "flags": "f"}


def sealed(golden, **changed):
    content = golden | {"run": hexed(IDENTITY_OF_RUN)} | changed
    return content | {"sha256": seal(content)}


@pytest.fixture
def run(golden, golden_point, tmp_path):
    """A run of one point, two forks asked for, one there: the golden one."""
    machine = {"id": golden["machine"], "topology": {"cpus": [], "virtual": None, "quota": None}}
    asked = golden_point.model_copy(update={"forks": 2})
    sweep = Sweep(about="a test", forks=Forks(fitting=2), studies={"scaling": [{}]})
    made = Run(tmp_path / "run", sweep, IDENTITY_OF_RUN, machine, [asked])
    made.fork_path(asked, 0).parent.mkdir(parents=True)
    write_once(made.fork_path(asked, 0), sealed(golden))
    return made


def test_one_row_a_shot_with_the_papers_cpu_usage(run, golden):
    table = tidy.tidy(run)["scaling"]
    shots = golden["evidence"]["shots"]
    assert table["wall_ns"].tolist() == [shot["wallNs"] for shot in shots]
    assert table["warmup"].tolist() == [True, False]
    usage = (shots[1]["userNs"] + shots[1]["sysNs"]) / shots[1]["wallNs"]
    assert table["cpu_process"][1] == pytest.approx(usage)
    assert table["cpu_workers"][1] + table["cpu_rest"][1] == pytest.approx(usage)
    assert table["ns_per_event"][1] == pytest.approx(shots[1]["wallNs"] / shots[1]["events"])


def test_what_was_written_is_what_is_loaded(run):
    pd.testing.assert_frame_equal(tidy.tidy(run)["scaling"], tidy.load(run, "scaling"), check_dtype=False)


def test_asked_and_found_are_counted(run):
    points = tidy.tidy(run)["points"]
    assert points[["asked", "found"]].to_numpy().tolist() == [[2, 1]]


def test_every_column_is_in_the_data_dictionary(run):
    dictionary = set(re.findall(r"`(\w+)`", (DATA / "README.md").read_text()))
    for table in tidy.tidy(run).values():
        assert set(table.columns) <= dictionary


def test_a_stranger_among_the_forks_stops(run):
    (run.folder / "forks" / "scaling-00000000-0.json").write_text("{}")
    with pytest.raises(BadInput, match="never asked for: scaling-00000000-0"):
        tidy.tidy(run)


def test_a_fork_copied_to_another_place_stops(run, golden):
    write_once(run.fork_path(run.points[0], 1), sealed(golden))
    with pytest.raises(BadInput, match="does not hold what its place says"):
        tidy.tidy(run)


def test_a_fork_of_another_machine_stops(run, golden):
    write_once(run.fork_path(run.points[0], 0), sealed(golden, machine="ffffffff"))
    with pytest.raises(BadInput, match="on machine ffffffff"):
        tidy.tidy(run)


def test_a_fork_of_another_run_stops(run, golden):
    write_once(run.fork_path(run.points[0], 0), sealed(golden, run="00000000"))
    with pytest.raises(BadInput, match="comes from another run"):
        tidy.tidy(run)


def test_without_forks_tables_are_empty_and_load(run):
    run.fork_path(run.points[0], 0).unlink()
    tidy.tidy(run)
    assert tidy.load(run, "scaling").empty
    assert fork_means(tidy.load(run, "scaling")).empty


def test_before_tidy_the_sentence_names_the_stage(run):
    with pytest.raises(BadInput, match="run the stage tidy first"):
        tidy.load(run, "scaling")


def test_a_write_that_breaks_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.json"
    write_once(path, {"old": 1})
    with pytest.raises(TypeError):
        write_once(path, {"new": object()})
    assert json.loads(path.read_text()) == {"old": 1}
