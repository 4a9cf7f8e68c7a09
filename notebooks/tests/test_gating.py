"""The command gate: arms of one run, made up or measured, its files and its exit codes."""

import argparse
import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from handoff.analysis import arms as comparison
from handoff.analysis import gate
from handoff.cli import gating
from handoff.draw.swept import SweptFigures
from handoff.draw.swept_layout import plan_figures
from handoff.errors import BadInput, Unjudged
from handoff.paths import DATA
from handoff.report import gate as report
from handoff.run.java.jdk import Jdk
from handoff.run.plan.points import Point, Slot
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweepfile import validate_sweep
from handoff.tables import tidy

from . import synthetic

ENTRY = {"mechanism": "ALL", "threads": [1, 2], "events": 1_000_000, "shots": 3}
SWEEP = {
    "about": "a made-up gate",
    "forks": {"fitting": 7},
    "arms": {"baseline": {}, "candidate": {"flags": ["-Xint"]}},
    "studies": {"counters": [ENTRY]},
}


def make(tmp_path, golden, slower, **changed):
    """Make a run whose candidate's points take `slower` times as long, by point."""

    def behave(point):
        return 400.0 * (slower(point) if point.arm == "candidate" else 1.0), None

    return synthetic.make(tmp_path / "gate-00000000", golden, behave, SWEEP | changed)


def is_locked(point):
    return point.params["mechanism"] == "LOCK" and point.params["threads"] == "2"


def test_a_candidate_that_is_not_slower_passes(tmp_path, golden):
    compared = comparison.compare_arms(make(tmp_path, golden, lambda point: 1.0))
    assert compared.code == 0 and compared.baseline == "baseline"
    assert set(compared.rows["outcome"]) == {"not slower"}
    assert compared.rows["point"].iloc[-1] == gate.ALL


def test_a_slower_point_fails_and_is_a_failure_in_every_file(tmp_path, golden):
    run = make(tmp_path, golden, lambda point: 1.6 if is_locked(point) else 1.0)
    compared = comparison.compare_arms(run)
    assert compared.code == 4
    slower = compared.rows[compared.rows["outcome"] == "slower"]
    assert slower["what"].tolist() == ["LOCK threads=2"] and slower["arm"].tolist() == ["candidate"]
    suite = ElementTree.fromstring(report.format_junit(run, compared, 0.05).encode())
    assert (suite.get("failures"), suite.get("errors")) == ("1", "0")
    assert len(suite) == len(compared.rows) == int(suite.get("tests"))
    (failure,) = suite.iter("failure")
    assert "more than 5% slower" in failure.get("message")
    text = report.format_markdown(run, compared, 0.05)
    assert text.startswith("### Gate: slower (exit code 4)") and "Baseline `baseline`" in text
    assert text.index("LOCK threads=2") < text.index("<details>")


def remove(run, wanted):
    for point in run.points:
        for number in range(7):
            file = run.folder / "forks" / f"{point.name}-{number}.json"
            if wanted(point, number):
                file.unlink()
    tidy.write_tables(run)


@pytest.mark.parametrize(
    ("gone", "code", "why"),
    [
        (lambda p, n: p.arm == "candidate", 6, "not measured after"),
        (lambda p, n: p.arm == "baseline" and is_locked(p), 6, "not measured before"),
        (lambda p, n: is_locked(p) and n > 2, 6, "3 forks, 5 needed"),
        (lambda p, n: is_locked(p) and n > 4, 3, ""),
        (lambda p, n: True, 6, "not measured before"),
    ],
)
def test_a_threefold_slowdown_without_its_forks_does_not_pass(tmp_path, golden, gone, code, why):
    run = make(tmp_path, golden, lambda point: 3.0 if is_locked(point) else 1.0)
    if code == 3:
        run = make(tmp_path / "same", golden, lambda point: 1.0)
    remove(run, gone)
    compared = comparison.compare_arms(run)
    assert compared.code == code and (not why or why in set(compared.rows["why"]))
    suite = ElementTree.fromstring(report.format_junit(run, compared, 0.05).encode())
    assert int(suite.get("errors")) >= 1


def test_three_arms_are_judged_together_each_against_the_first(tmp_path, golden):
    three = {"baseline": {}, "candidate": {"flags": ["-Xint"]}, "third": {"flags": ["-Xcomp"]}}
    compared = comparison.compare_arms(
        make(tmp_path, golden, lambda point: 1.6 if is_locked(point) else 1.0, arms=three)
    )
    assert compared.rows["arm"].value_counts().to_dict() == {"candidate": 6, "third": 6}
    slower = compared.rows[compared.rows["outcome"] == "slower"]
    assert slower["arm"].tolist() == ["candidate"]


def make_request(**changed) -> SweepRequest:
    return SweepRequest("my", "my.yml", "", validate_sweep(SWEEP | changed, "my.yml"))


def make_point(**changed) -> Point:
    slot = Slot(role="a", oversubscribed=changed.pop("shared", False))
    params = {"mechanism": "LOCK", "threads": "1"}
    return Point(
        study="counters", params=params, shots=1, threads=[slot], **{"forks": 7, **changed}
    )


@pytest.mark.parametrize(
    ("point", "why"),
    [
        (make_point(unavailable="CPUS_98", forks=0), "1 point left out here"),
        (make_point(shared=True), "1 point of threads that share cores"),
        (make_point(forks=4), "1 point of fewer than 5 forks"),
    ],
)
def test_what_can_never_be_judged_is_refused_before_it_is_measured(point, why):
    with pytest.raises(Unjudged, match=why) as refused:
        gating.require_judgeable([make_point(), point], make_request())
    assert refused.value.code == 6
    gating.require_judgeable([make_point()], make_request())


def test_a_candidate_that_is_the_baseline_is_refused(tmp_path):
    jars = [tmp_path / name for name in ("one.jar", "same.jar", "other.jar")]
    for jar, content in zip(jars, "aab", strict=True):
        jar.write_text(content)
    one, same, other = (Jdk(tmp_path / "java", 17, "x", jar) for jar in jars)
    with pytest.raises(BadInput, match="baseline and candidate are the same jar"):
        gating.require_unlike({"baseline": one, "candidate": same}, make_request())
    gating.require_unlike({"baseline": one, "candidate": other}, make_request())


@pytest.mark.parametrize(
    ("content", "baseline", "why"),
    [
        ({"arms": {}}, None, "lists no arms: give --baseline a jar or a commit"),
        ({}, "HEAD", "lists arms, of which the first is the baseline"),
        ({"arms": {"one": {}}}, None, "a gate compares two or more, got one"),
    ],
)
def test_a_gate_without_two_arms_is_refused(tmp_path, content, baseline, why):
    file = tmp_path / "my.yml"
    file.write_text(json.dumps(SWEEP | content))
    with pytest.raises(BadInput, match=why):
        gating.select_arms(gating.RunRequest(str(file), tmp_path), baseline)


def test_a_swept_figure_has_the_arms_in_their_order(tmp_path, golden):
    run = make(tmp_path, golden, lambda point: 1.6)
    figures = SweptFigures(run, tmp_path / "generated", "counters")
    assert figures.swept.values("arm") == ["baseline", "candidate"]
    assert {layout.along for layout in plan_figures(figures.swept)} == {"arm", "threads"}
    table = figures.effects()
    assert table.loc[table["parameter"] == "arm", "ratio"].item() == pytest.approx(1.6, rel=0.05)


def test_a_gate_writes_its_files_and_answers_by_the_schema(tmp_path, golden, capsys):
    run = make(tmp_path, golden, lambda point: 1.6 if is_locked(point) else 1.0)
    given = argparse.Namespace(report=tmp_path / "report", json=True)
    assert gating.report_gate(run, 0.05, 1.0, given) == 4
    *lines, last = capsys.readouterr().out.splitlines()
    answer = json.loads(last)
    jsonschema.validate(answer, json.loads((DATA / "answers.schema.json").read_text()))
    assert answer["exit"] == 4 and len(answer["slower"]) == 1 and not answer["not_judged"]
    for name in ("table", "junit", "summary"):
        assert Path(answer[name]).parent == tmp_path / "report" and Path(answer[name]).is_file()
    assert lines[0] == "1 of 6 judged points is slower by more than 5%."
