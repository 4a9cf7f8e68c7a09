"""Grading: full marks for the reference, one lost answer per wrong solution, and hostile packs."""

import contextlib
import csv
import io
import json
import os
import shutil
import time
import zipfile
from pathlib import Path

import pytest
import yaml

from handoff import archive
from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.grade import checks, sandbox
from handoff.grade.checks import is_close
from handoff.grade.grading import grade_folder, grade_pack
from handoff.grade.reports import disarm, format_gradescope
from handoff.grade.submission import Course, load_course
from handoff.labs.handin import make_pack
from handoff.labs.lab import MODULES, load_lab
from handoff.labs.work import Work
from handoff.paths import LABS

from . import students
from .solutions import Wrong, list_wrong

COURSE = Course(course="made-up", secret="not for students")
JAVA_ANSWERS = ("exchange", "model")
WRONG = [wrong for number in MODULES for wrong in list_wrong(number)]
WITHOUT_JAVA = sorted(number for number in MODULES if load_lab(number).own_class is None)


@pytest.fixture(autouse=True)
def no_checker(monkeypatch):
    """Try no real Java here; other tests do, while nothing else runs."""
    monkeypatch.setattr(checks, "check_model", lambda *_: (True, "not tried"))


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """Return a student per lab who solved all of it, with what the notebook printed."""
    home, opened = tmp_path_factory.mktemp("solved"), {}
    for number in WITHOUT_JAVA:
        student = students.start(number, home)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            students.run_notebook(student, seed=number)
        opened[number] = student, said.getvalue()
    return opened


@pytest.fixture(scope="module")
def solved(ended):
    return {number: student for number, (student, _) in ended.items()}


@pytest.fixture
def copy_of(solved, tmp_path):
    """Return a function that copies a solved lab, for tests that change it."""

    def copy(number: int, pseudonym: str = "anna") -> Work:
        before = solved[number].work
        shutil.copytree(before.folder, tmp_path / "work", dirs_exist_ok=True)
        return Work(before.lab, tmp_path / "work", before.course, pseudonym)

    return copy


def grade(file: Path, trust: bool = True, course: Course = COURSE):
    return grade_pack(file, checks.Grader(course, trust))


def failed(graded) -> dict[str, str]:
    return {check.name: check.sentence for check in graded.checks if check.passed is not True}


@pytest.mark.parametrize("number", WITHOUT_JAVA)
def test_the_notebook_with_solutions_runs_to_its_end(ended, number):
    opened, said = ended[number]
    assert "All is there: pack it." in said and f"lab{number}-anna.zip" in said
    assert make_pack(opened.work).stat().st_size > (1_000 if opened.lab.trials else 10_000)
    assert list(opened.compare()["what"])


@pytest.mark.parametrize("number", WITHOUT_JAVA)
def test_the_reference_gets_full_marks(solved, number):
    graded = grade(make_pack(solved[number].work))
    assert failed(graded) == {} and graded.points == graded.most > 8
    assert [check.name for check in graded.checks if not check.points] == ["answer text"]


def test_every_lab_has_five_wrong_solutions():
    assert min(len(list_wrong(number)) for number in MODULES) >= 5


@pytest.mark.parametrize(
    "wrong",
    [wrong for wrong in WRONG if wrong.answer not in JAVA_ANSWERS],
    ids=lambda wrong: f"{wrong.lab}-{wrong.name}",
)
def test_a_wrong_solution_fails_its_own_check_and_no_other(copy_of, wrong: Wrong):
    work = copy_of(wrong.lab)
    work.write_answer(wrong.answer, wrong.text)
    graded = grade(make_pack(work))
    assert list(failed(graded)) == [f"answer {wrong.answer}"], failed(graded)


@pytest.mark.parametrize(
    "change",
    [
        {"ticket": "0" * 64},
        {"found": {}},
        {"found": {"hammer": {"A": ""}}},
        {"found": 5},
        {"found": {"hammer": 5}},
    ],
)
def test_trials_that_are_not_whole_or_anothers_are_none(copy_of, change):
    work = copy_of(5)
    file = make_pack(work)
    content = json.loads((work.folder / "trials.json").read_text())
    inside = work.folder.parent / "inside"
    archive.unpack_archive(file, inside)
    (inside / "trials.json").write_text(json.dumps(content | change))
    archive.pack_folder(inside, file)
    lost = failed(grade(file))
    assert list(lost) == ["ticket", "forks", "answer schedule", "answer found"]
    assert lost["ticket"].startswith("there are no whole trials of this prediction")


def test_a_neighbours_forks_do_not_fit(copy_of):
    work = copy_of(1)
    stated = json.loads((work.folder / "prediction.json").read_text())
    for change in (
        {"pseudonym": "bert"},
        {"prediction": students.PREDICTIONS[1] | {"queue_cores_1": 1}},
    ):
        file = repack(work, stated | change)
        failures = failed(grade(file))
        assert failures["ticket"].startswith("there is no run of this prediction")


def repack(work: Work, stated: dict) -> Path:
    """Make the pack with another prediction.json."""
    file, inside = make_pack(work), work.folder.parent / "inside"
    shutil.rmtree(inside, ignore_errors=True)
    archive.unpack_archive(file, inside)
    (inside / "prediction.json").write_text(json.dumps(stated))
    archive.pack_folder(inside, file)
    return file


def test_a_ticket_that_was_to_be_registered_before_class(solved):
    file = make_pack(solved[1].work)
    registered = COURSE.model_copy(update={"tickets": [solved[1].work.ticket]})
    assert failed(grade(file, course=registered)) == {}
    late = COURSE.model_copy(update={"tickets": ["0" * 64]})
    assert failed(grade(file, course=late)) == {
        "ticket": "its ticket was not registered before class"
    }


def faster(content: dict) -> None:
    for shot in content["evidence"]["shots"]:
        shot["wallNs"] //= 10


def twice(content: dict) -> None:
    content["before"]["utc"] = content["after"]["utc"] = "2026-11-01T00:00:00.000+00:00"


def other_flags(content: dict) -> None:
    content["evidence"]["jvm"]["flags"] = ["-Xint"]


def elsewhere(content: dict) -> None:
    for shot in content["evidence"]["shots"]:
        shot["threads"][0]["mask"] = "0-1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (faster, "do not belong together"),
        (twice, "were under way at once"),
        (other_flags, "is not accepted: the JVM ran without"),
        (elsewhere, "was allowed on CPUs 0-1"),
    ],
)
def test_forks_that_were_changed_and_sealed_again_are_found(tmp_path, change, message):
    opened = students.start(1, tmp_path)
    students.run_notebook(opened, 1, change)
    assert message in failed(grade(make_pack(opened.work)))["forks"]


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
    (folder / "sweep.yml").write_text(
        (folder / "sweep.yml").read_text().replace("fitting: 5", "fitting: 6")
    )
    assert failed(grade(make_pack(work)))["ticket"] == "the run is of another sweep than this lab's"


def test_a_pack_that_is_handed_in_again_is_no_copy_and_a_neighbours_is(solved, tmp_path):
    packs = tmp_path / "packs"
    packs.mkdir()
    for name in ("a", "b"):
        shutil.copy(make_pack(solved[1].work), packs / f"{name}.zip")
    # Sealed again under another ticket, but measured at the same instants, to the nanosecond.
    copier = students.start(1, tmp_path, "copier")
    students.run_notebook(copier, seed=1)
    shutil.copy(make_pack(copier.work), packs / "c.zip")
    first, again, third = grade_folder(packs, COURSE, True, lambda line: None)
    assert failed(first) == failed(again) == {}
    assert failed(third)["forks"].startswith("a.zip holds some of the same forks")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"forks": 0}, "0 forks of 7 shots"),
        ({"forks": 10**12}, "1000000000000 forks"),
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
    assert message in failed(graded)["ticket"] == failed(graded)["forks"] and graded.points < 5


def test_a_study_that_is_a_path_writes_nowhere(copy_of, tmp_path):
    work = copy_of(1)
    file = work.find_run().folder / "plan.json"
    victim = tmp_path / "marks"
    plan = json.loads(file.read_text())
    pack = make_pack(work)
    inside = tmp_path / "inside"
    archive.unpack_archive(pack, inside)
    (copied,) = inside.glob("runs/*/plan.json")
    copied.write_text(json.dumps([plan[0] | {"study": str(victim), "forks": 0}, *plan]))
    archive.pack_folder(inside, pack)
    assert "there is no run" in failed(grade(pack))["forks"]
    assert not victim.with_suffix(".csv").exists()


def test_an_archive_inside_a_pack_is_not_opened(copy_of, tmp_path):
    work = copy_of(1)
    pack, inside = make_pack(work), tmp_path / "inside"
    archive.unpack_archive(pack, inside)
    (run,) = (inside / "runs").iterdir()
    archive.pack_folder(run, inside / "runs" / f"{run.name}.zip")
    shutil.rmtree(run)
    archive.pack_folder(inside, pack)
    assert "there is no run" in failed(grade(pack))["forks"]


def test_hidden_cases_follow_from_the_teachers_secret(solved):
    submission = checks.Submission("x", solved[1].work, None)
    answer = solved[1].lab.answers[0]
    other = COURSE.model_copy(update={"secret": "another secret"})
    drawn = [
        list(checks.Grader(course, True).draw_cases(submission, answer, answer.functions[0]))
        for course in (COURSE, COURSE, other)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


HOSTILE = {
    "no-archive": b"not a zip",
    "empty": b"",
}


def test_hostile_packs_get_a_sentence_and_the_others_are_graded(solved, tmp_path):
    for name, content in HOSTILE.items():
        (tmp_path / f"{name}.zip").write_bytes(content)
    packs = {
        "outside": {"../x": "y"},
        "nothing": {"readme.txt": "hello"},
        "half": {"prediction.json": '{"lab": 1'},
        "other-lab": {"prediction.json": json.dumps(stated(lab=99))},
        "other-course": {"prediction.json": json.dumps(stated(course="else"))},
        "bad-name": {"prediction.json": json.dumps(stated(pseudonym="=cmd|x"))},
        "deep": {"prediction.json": "[" * 100_000},
        "no-run": {"prediction.json": json.dumps(stated())},
        "alias-bomb": {
            "prediction.json": json.dumps(stated()),
            "runs/lab1-0/plan.json": "[]",
            "runs/lab1-0/run.json": json.dumps(
                {"sweep": "0", "machine": "0", "jar": "0", "jdk": "0", "flags": "0", "profile": ""}
            ),
            "runs/lab1-0/machine.json": json.dumps({"id": "0"}),
            "runs/lab1-0/sweep.yml": "a0: &a0 [x]\n"
            + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)),
        },
        "broken-run": {
            "prediction.json": json.dumps(stated()),
            "runs/lab1-0/plan.json": "[]",
            "runs/lab1-0/run.json": "7",
        },
    }
    for name, files in packs.items():
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as made:
            for inside, text in files.items():
                made.writestr(inside, text)
    shutil.copy(make_pack(solved[1].work), tmp_path / "good.zip")
    graded = {each.file: each for each in grade_folder(tmp_path, COURSE, True, lambda line: None)}
    assert len(graded) == len(HOSTILE) + len(packs) + 1
    assert failed(graded.pop("good.zip")) == {}
    for each in graded.values():
        assert each.points == 0 and all("\n" not in message for message in failed(each).values())
    assert failed(graded["other-lab.zip"])["pack"].startswith("it is of lab 99")
    assert "is not an allowed file name" in failed(graded["outside.zip"])["pack"]
    assert "there is no run" in failed(graded["broken-run.zip"])["ticket"]


def stated(**changed) -> dict:
    valid = {"course": "made-up", "pseudonym": "anna", "lab": 1}
    return valid | {"prediction": students.PREDICTIONS[1]} | changed


CODE = {
    "raises": ("raise ValueError('no')", "ended with ValueError: no"),
    "exits": ("import sys\ndef per_fork(f, w): sys.exit(3)", "ended with SystemExit: 3"),
    "kills": ("import os\ndef per_fork(f, w): os._exit(0)", "it ended without results"),
    "prints": ("def per_fork(f, w):\n    print('[[{}]]')\n    return 1", "returned 1 in a hidden"),
    "nan": ("def per_fork(f, w): return {'ns': float('nan')}", "in a hidden case"),
    "strange": ("def per_fork(f, w): return object()", "returned 'a object' in a hidden"),
    "other": ("def per_fork(a): return 1", "TypeError"),
}


@pytest.mark.parametrize("name", CODE)
def test_code_that_does_not_end_well_is_a_sentence(copy_of, name):
    code, message = CODE[name]
    text = code if "def per_fork(" in code else f"{code}\ndef per_fork(f, w): pass"
    work = copy_of(1)
    work.write_answer("per_fork", text)
    assert message in failed(grade(make_pack(work)))["answer per_fork"]


def test_a_pack_that_takes_too_long_or_too_much_is_a_sentence(monkeypatch):
    monkeypatch.setattr(sandbox, "PACK_LIMIT_S", 0.5)
    with pytest.raises(BadInput, match="was not graded within"):
        sandbox.run_apart(time.sleep, 30)
    monkeypatch.setattr(sandbox, "PACK_LIMIT_S", 60)
    with pytest.raises(BadInput, match=r"could not be graded .MemoryError|more memory than there"):
        sandbox.run_apart(bytearray, 2 * sandbox.PACK_MEMORY)
    with pytest.raises(BadInput, match="broke the grader"):
        sandbox.run_apart(os._exit, 7)
    assert sandbox.run_apart(len, "four") == 4


def test_code_that_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr(sandbox, "WALL_S", 1)
    with pytest.raises(sandbox.NotRun, match="did not end within 1 s"):
        sandbox.run_code("def f():\n    while True: pass", "x.py", [("f", [[]])], trust=True)


def test_without_a_sandbox_and_without_trust_no_code_runs(solved, monkeypatch):
    monkeypatch.setattr(sandbox, "find_bubblewrap", lambda: None)
    graded = grade(make_pack(solved[1].work), trust=False)
    (check,) = [check for check in graded.checks if check.passed is None]
    assert check.name == "answer per_fork" and "only under bubblewrap" in check.sentence
    assert graded.points == graded.most == 7
    report = format_gradescope(graded)
    assert "Not checked: answer per_fork" in report["output"]
    assert check.name not in {each["name"] for each in report["tests"]}


@pytest.mark.skipif(sandbox.find_bubblewrap() is None, reason="no bubblewrap, or not allowed here")
@pytest.mark.parametrize(
    "code",
    [
        "import socket\ndef f():\n    socket.create_connection(('127.0.0.1', 22), 2)",
        "def f():\n    open('/root/.profile').read()",
        f"import os\ndef f():\n    return os.listdir({str(LABS)!r})",
        "def f():\n    open('/usr/x', 'w').write('x')",
        "import os\ndef f():\n    os.kill(os.getppid(), 9); return os.listdir('/home')[0]",
    ],
)
def test_inside_the_sandbox_there_is_nothing_to_reach(code):
    ((result,),) = sandbox.run_code(code, "x.py", [("f", [[]])], trust=False)
    assert "error" in result


@pytest.mark.parametrize(
    ("given", "due", "close"),
    [
        (1.004, 1.0, True),
        (1.006, 1.0, False),
        ("1.0", 1.0, False),
        (True, 1.0, False),
        (None, None, True),
        ([10.0, 20.04], [10.0, 20.0], True),
        ([10.0, 20.06], [10.0, 20.0], False),
        ({"a": 1}, {"a": 1.0}, True),
        ({}, {"a": 1.0}, False),
        ("different", "different", True),
    ],
)
def test_close_means_half_a_percent(given, due, close):
    assert is_close(given, due) is close


def test_the_command_writes_what_a_teacher_needs(solved, tmp_path, capsys):
    packs, out = tmp_path / "packs", tmp_path / "out"
    packs.mkdir()
    for number, opened in solved.items():
        shutil.copy(make_pack(opened.work), packs / f"{number}.zip")
    (packs / "broken.zip").write_bytes(b"x")
    course = tmp_path / "course.yml"
    course.write_text(yaml.safe_dump({"course": "made-up", "secret": "not for students"}))
    words = ["grade", str(packs), "--course", str(course), "--out", str(out), "--trust"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert f"{len(solved) + 1} packs graded, 1 pack refused." in said
    report = json.loads((out / "gradescope" / "1.json").read_text())
    assert report["score"] == sum(test["max_score"] for test in report["tests"])
    with (out / "moodle.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Identifier"] for row in rows] == ["anna"] * len(solved) + ["broken"]
    texts = (out / "texts.md").read_text()
    assert "anna" not in texts and "## Lab 1" in texts
    assert (out / "class" / "lab1.csv").is_file() and (out / "class" / "lab1.png").is_file()


def test_a_cell_is_no_formula():
    assert disarm("=1+1") == "'=1+1" and disarm("anna") == "anna"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("course: x", "secret: is missing"),
        ("{course: x, secret: short}", "secret: "),
        ("{course: x, secret: long enough, labs: [77]}", "labs: there is no lab 77"),
        ("{course: x, secret: long enough, lab: 1}", "lab: unknown key"),
        ("{", "not readable as YAML"),
    ],
)
def test_a_course_that_is_wrong_is_one_sentence(tmp_path, text, message):
    (tmp_path / "course.yml").write_text(text)
    with pytest.raises(BadInput, match=message):
        load_course(tmp_path / "course.yml")


def test_a_lab_that_the_course_does_not_have_is_refused(solved):
    course = COURSE.model_copy(update={"labs": [2]})
    failures = failed(grade(make_pack(solved[1].work), course=course))
    assert failures == {"pack": "it is of lab 1, which this course does not have."}
    assert load_lab(1).number == 1
