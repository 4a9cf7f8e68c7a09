"""Grading: what makes a measurement count, and packs as a stranger may have made them."""

import json
import os
import shutil
import zipfile
from functools import reduce
from operator import getitem

import pytest

from handoff import archive
from handoff.errors import BadInput
from handoff.grade import grading, sandbox
from handoff.grade.grading import grade_folder
from handoff.grade.submission import describe_plan, load_course
from handoff.labs.apart import NotRun
from handoff.labs.handin import MOST_BYTES, make_pack
from handoff.labs.marks import Marker
from handoff.labs.measuring import make_sweep
from handoff.run.plan import expansion

from . import students
from .conftest import COURSE, failed, grade, list_conditions, repack, update_json

pytestmark = pytest.mark.usefixtures("no_checker")


@pytest.mark.parametrize(
    "change",
    [{"ticket": "0" * 64}]
    + [{"found": found} for found in ({}, {"hammer": {"A": ""}}, 5, {"hammer": 5})],
)
def test_trials_that_are_not_whole_or_anothers_are_none(copy_of, change):
    file = repack(copy_of(5), lambda inside: update_json(inside / "trials.json", change))
    graded = grade(file)
    assert list(list_conditions(graded)) == ["ticket", "forks"] and graded.points == 7
    assert list_conditions(graded)["ticket"].startswith("the pack has no complete trials of this")


@pytest.mark.parametrize(
    "change",
    [{"pseudonym": "bert"}, {"prediction": students.guess(1) | {"queue_cores_1": 1}}],
)
def test_a_neighbours_forks_do_not_fit(copy_of, change):
    file = repack(copy_of(1), lambda inside: update_json(inside / "prediction.json", change))
    failures = list_conditions(grade(file))
    assert failures["ticket"].startswith("the pack has no run of this prediction")


def test_a_ticket_that_was_to_be_registered_before_class(solved):
    file = make_pack(solved(1).work)
    registered = COURSE.model_copy(update={"tickets": [solved(1).work.ticket]})
    assert failed(grade(file, course=registered)) == {}
    graded = grade(file, course=COURSE.model_copy(update={"tickets": ["0" * 64]}))
    assert list_conditions(graded) == {"ticket": "its ticket was not registered before class"}
    assert graded.points == 4


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("jmh.params", ["consumers"], "is not accepted: "),
        ("evidence.shots.0.wallNs", 1_000_000, "do not belong together"),
        ("before.utc", "2026-11-01T00:00:00.000+00:00", "were under way at once"),
        ("evidence.jvm.flags", ["-Xint"], "is not accepted: the JVM ran without"),
        ("evidence.shots.0.threads.0.mask", "0-1", "was allowed on CPUs 0-1"),
    ],
)
def test_forks_that_were_changed_and_sealed_again_are_found(tmp_path, place, value, message):
    *path, last = [int(word) if word.isdigit() else word for word in place.split(".")]

    def change(content: dict) -> None:
        reduce(getitem, path, content)[last] = value

    work = students.start(1, tmp_path).work
    students.measure(work, 1, change=change)
    assert message in failed(grade(make_pack(work)))["forks"]


def test_an_edited_fork_is_found(copy_of):
    work = copy_of(1)
    file = next((work.find_run().folder / "forks").glob("*.json"))
    file.write_text(
        file.read_text().replace('"fork":0', '"fork":1', 1).replace('"load":', '"load":1')
    )
    assert "is not read as data" in failed(grade(make_pack(work)))["forks"]


def test_forks_added_until_it_fits_are_counted(copy_of):
    work = copy_of(3)
    folder = work.find_run().folder
    plan = json.loads((folder / "plan.json").read_text())
    (folder / "plan.json").write_text(json.dumps([each | {"forks": 6} for each in plan]))
    assert "6 forks of 7 shots" in failed(grade(make_pack(work)))["forks"]
    sweep = folder / "sweep.yml"
    sweep.write_text(sweep.read_text().replace("fitting: 5", "fitting: 6"))
    assert failed(grade(make_pack(work)))["ticket"] == "the run is of another sweep than this lab's"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"forks": 0}, "0 forks of 7 shots"),
        ({"forks": 900_000}, "900000 forks"),
        ({"shots": 5}, "5 forks of 5 shots"),
        ({"warmup": 0}, "5 forks of 7 shots"),
    ],
)
def test_a_plan_of_ones_own_is_refused_before_it_is_followed(copy_of, change, message):
    work = copy_of(1)
    file = work.find_run().folder / "plan.json"
    first, *others = json.loads(file.read_text())
    file.write_text(json.dumps([first | change, *others]))
    graded = grade(make_pack(work))
    assert message in failed(graded)["ticket"] == failed(graded)["forks"] and graded.points == 4


def test_a_run_whose_heap_the_kernel_refused_to_place_is_the_labs(solved):
    work = solved(1).work
    run, sweep = work.find_run(), make_sweep(work).sweep
    points = expansion.expand_points(sweep, "made up", students.CORES, unplaced=True)
    points = [
        point.model_copy(update={"threads": placed.threads, "forks": placed.forks})
        for point, placed in zip(points, run.points, strict=True)
    ]
    assert describe_plan(work, run._replace(points=points)) == ""


def test_a_study_that_is_a_path_writes_nowhere(copy_of, tmp_path):
    victim = tmp_path / "marks"

    def add_study(inside) -> None:
        (file,) = inside.glob("runs/*/plan.json")
        plan = json.loads(file.read_text())
        file.write_text(json.dumps([plan[0] | {"study": str(victim), "forks": 0}, *plan]))

    assert "the pack has no run" in failed(grade(repack(copy_of(1), add_study)))["forks"]
    assert not victim.with_suffix(".csv").exists()


def test_an_archive_inside_a_pack_is_not_opened(copy_of):
    def pack_run(inside) -> None:
        (run,) = (inside / "runs").iterdir()
        archive.pack_folder(run, inside / "runs" / f"{run.name}.zip")
        shutil.rmtree(run)

    assert "the pack has no run" in failed(grade(repack(copy_of(1), pack_run)))["forks"]


def test_hidden_cases_follow_from_the_teachers_secret_and_visible_ones_do_not(solved):
    answer = solved(1).lab.answers[0]

    def draw(secret: str | None) -> list:
        marker = Marker(solved(1).work, None, "", None, None, secret)
        return marker.draw_cases(answer, answer.functions[0])

    hidden = draw("one secret")
    assert hidden == draw("one secret") != draw("another secret")
    assert len(draw(None)) < len(hidden)


def state(**changed) -> str:
    """Return the content of a valid prediction.json, or of one with a change."""
    valid = {"course": "made-up", "pseudonym": "anna", "lab": 1, "prediction": students.guess(1)}
    return json.dumps(valid | changed)


RUN = {
    "prediction.json": state(),
    "runs/lab1-0/plan.json": "[]",
    "runs/lab1-0/run.json": json.dumps(
        {"sweep": "0", "machine": "0", "jar": "0", "jdk": "0", "flags": "0", "profile": ""}
    ),
    "runs/lab1-0/machine.json": json.dumps({"id": "0"}),
}
BOMB = "a0: &a0 [x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)
HOSTILE = {
    "outside": {"../x": "y"},
    "nothing": {"readme.txt": "hello"},
    "half": {"prediction.json": '{"lab": 1'},
    "no-lab": {"prediction.json": state(lab=99)},
    "other-lab": {"prediction.json": state(lab=2)},
    "other-course": {"prediction.json": state(course="else")},
    "bad-name": {"prediction.json": state(pseudonym="=cmd|x")},
    "deep": {"prediction.json": "[" * 100_000},
    "no-run": {"prediction.json": state()},
    "alias-bomb": RUN | {"runs/lab1-0/sweep.yml": BOMB},
    "broken-run": RUN | {"runs/lab1-0/run.json": "7"},
}


def test_hostile_packs_get_a_sentence_and_the_others_are_graded(solved, tmp_path):
    (tmp_path / "no-archive.zip").write_bytes(b"not a zip")
    (tmp_path / "empty.zip").touch()
    for name, files in HOSTILE.items():
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as made:
            for inside, text in files.items():
                made.writestr(inside, text)
    shutil.copy(make_pack(solved(1).work), tmp_path / "good.ZIP")
    course = COURSE.model_copy(update={"labs": [1]})
    graded = {each.file: each for each in grade_folder(tmp_path, course, True)}
    assert len(graded) == len(HOSTILE) + 3
    assert failed(graded.pop("good.ZIP")) == {}
    for each in graded.values():
        assert each.points == 0 and all("\n" not in message for message in failed(each).values())
    for name, lab in (("no-lab", 99), ("other-lab", 2)):
        wrong = f"it is of lab {lab}, which this course does not have."
        assert failed(graded[f"{name}.zip"]) == {"pack": wrong}
    assert "is not an allowed file name" in failed(graded["outside.zip"])["pack"]
    assert "the pack has no run" in failed(graded["broken-run.zip"])["ticket"]


def test_a_pack_that_takes_too_much_is_a_sentence(monkeypatch):
    monkeypatch.setattr(sandbox, "PACK_WALL_S", 60)
    with pytest.raises(NotRun, match=r"could not be graded .MemoryError|GiB"):
        sandbox.run_apart(bytearray, 2 * sandbox.PACK_MEMORY)
    with pytest.raises(NotRun, match="broke the grader"):
        sandbox.run_apart(os._exit, 7)
    assert sandbox.run_apart(len, "four") == 4


def test_a_full_disk_refuses_no_pack(solved, monkeypatch):
    full = shutil.disk_usage("/")._replace(free=MOST_BYTES - 1)
    monkeypatch.setattr(grading.shutil, "disk_usage", lambda _: full)
    graded = grade(make_pack(solved(1).work))
    assert graded.open_checks == ["pack"] and graded.refusal.startswith("not checked: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("course: x", "secret: is missing"),
        ("{course: x, secret: short}", "secret: "),
        ("{course: x, secret: long enough, labs: [77]}", "labs: unknown lab 77"),
        ("{course: x, secret: long enough, lab: 1}", "lab: unknown key"),
        (
            "{course: x, secret: long enough, roster: {a: {name: A, mail: b}}}",
            "roster.a.mail: unknown key; choose from name, email",
        ),
        ("{", "not readable as YAML"),
    ],
)
def test_a_course_that_is_wrong_is_one_sentence(tmp_path, text, message):
    (tmp_path / "course.yml").write_text(text)
    with pytest.raises(BadInput, match=message):
        load_course(tmp_path / "course.yml")
