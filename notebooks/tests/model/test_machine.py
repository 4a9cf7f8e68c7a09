"""Machine files: every constant with its source, and those of a run."""

import pytest

from handoff.errors import BadInput
from handoff.model import machine as machines
from handoff.model import machine_file
from handoff.model.machine import MACHINES, PS, load_machine, load_machine_file
from handoff.paths import find_run_folder
from handoff.run.store.run import read_run

from .machines import X5650


def test_every_constant_has_a_source():
    content = load_machine_file("x5650")
    certainties = {constant.certainty for constant in content.constants.values()}
    assert certainties == {"published", "derived", "guess"}
    assert len(X5650.socket) == 12 and sum(X5650.socket) == 6
    assert X5650.hops[0, 1] < 40 * PS < 68 * PS < X5650.hops[0, 6]


def test_a_missing_or_incomplete_machine_file_is_one_sentence(tmp_path, monkeypatch):
    with pytest.raises(BadInput, match=r"unknown machine 'x5660'; choose from reference, x5650\."):
        load_machine("x5660")
    text = (machines.MACHINES / "x5650.yml").read_text()
    monkeypatch.setattr(machines, "MACHINES", tmp_path)
    for old, new, message in (
        ("  java:", "  jav:", "constants: jav is missing or unknown"),
        ("certainty: guess", "certainty: sure", "certainty"),
        ("sockets:", "socket:", "socket"),
    ):
        (tmp_path / "x5650.yml").write_text(text.replace(old, new, 1))
        with pytest.raises(BadInput, match=message):
            load_machine_file("x5650")


def test_the_shipped_machine_file_is_that_of_the_shipped_run(tmp_path, monkeypatch):
    run = read_run(find_run_folder("reference"))
    monkeypatch.setattr(machine_file, "MACHINES", tmp_path)
    for file in machine_file.write_machine(run, "reference"):
        assert (MACHINES / file.name).read_text() == file.read_text()
    content = load_machine_file("reference")
    assert content.jdk == 17 and content.constants["unpark"].certainty == "measured"
    assert content.constants["try_park"].source.startswith("as of x5650: ")


def test_other_sorts_and_orders_of_a_run_are_no_part_of_its_constants(monkeypatch):
    run = read_run(find_run_folder("reference"))
    shots = machine_file.tidy.load_table(run, "scaling")
    assert shots["sort"].nunique() > 1
    whole = machine_file.measure_work(run)
    monkeypatch.setattr(machine_file.tidy, "load_table", lambda *_: shots[shots["sort"] == "TODAY"])
    assert machine_file.measure_work(run) == whole


def test_a_sample_of_hops_makes_no_machine_file(monkeypatch):
    run = read_run(find_run_folder("reference"))
    tables = {name: machine_file.tidy.load_table(run, name) for name in ("hops", "matrices")}
    tables["matrices"] = tables["matrices"].head(1)
    monkeypatch.setattr(machine_file.tidy, "load_table", lambda _, name: tables[name])
    with pytest.raises(BadInput, match="timed hops of a sample of its pairs of CPUs"):
        machine_file.list_sockets(run)


@pytest.mark.parametrize(
    ("run", "name", "message"),
    [
        ("reference", "x5650", "x5650 is the paper's machine; choose another name."),
        ("reference-warmup", "mine", "reference-warmup has no forks of hops with mechanism CACHE"),
        ("nosuch", "mine", "nosuch is not a run"),
    ],
)
def test_a_machine_file_that_cannot_be_written_is_one_sentence(
    run, name, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(machine_file, "MACHINES", tmp_path)
    assert machine_file.main([run, name]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(message) and printed.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("jdk", "release"),
    [
        ("OpenJDK 64-Bit Server VM 17.0.15+6-Debian-1deb12u1 (Debian)", 17),
        ("OpenJDK 64-Bit Server VM 25+36-LTS (Eclipse Adoptium)", 25),
        ("Java HotSpot(TM) 64-Bit Server VM 1.8.0_402-b06 (Oracle)", 8),
    ],
)
def test_the_release_of_a_jdk_is_read_from_its_description(jdk, release):
    assert machine_file.find_release(jdk) == release
