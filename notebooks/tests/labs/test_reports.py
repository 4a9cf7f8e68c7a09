"""What a teacher gets: marks that import, feedback, copies; nothing of a student's text acts."""

import csv
import os
import re
import shutil
from datetime import UTC, datetime

import pytest
import yaml

from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.grade import grading, sandbox
from handoff.grade.grading import Graded, grade_folder, mark_replaced
from handoff.grade.marksheet import Mark, fill_worksheet, list_marks, read_worksheet
from handoff.grade.plain import clean, disarm
from handoff.grade.submission import Student
from handoff.labs.apart import NotRun
from handoff.labs.check import Check, make_condition
from handoff.labs.handin import make_pack

from . import students
from .conftest import COURSE, FIRST_SEED, grade, list_conditions, update_json

pytestmark = pytest.mark.usefixtures("no_checker")

HEADER = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments"
)
ADA = "Participant 7,Ada Example,ada@x.org,Submitted,,20.00,Yes,-,-,"
BO = "Participant 8,Bo Example,bo@x.org,Submitted,,20.00,Yes,-,-,"


@pytest.fixture
def packs(tmp_path):
    (tmp_path / "packs").mkdir()
    return tmp_path / "packs"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.fixture
def run_grade(packs, out, tmp_path):
    """Return a function that grades the packs by the command, and returns its exit code."""

    def run(*options: str, **course: object) -> int:
        content = {"course": "made-up", "secret": "not for students"} | course
        file = tmp_path / "course.yml"
        file.write_text(yaml.safe_dump(content))
        return main(["grade", str(packs), "--course", str(file), "--out", str(out), *options])

    return run


def read_table(file) -> list[dict]:
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def import_grades(file, participants: dict[str, str], most: float) -> dict[str, float]:
    """Import a worksheet by the rules of Moodle's importer (mod/assign/feedback/offline)."""
    rows = read_table(file)
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(rows[0])
    grades = {}
    for row in rows:
        number = row["Identifier"][len("Participant ") :]
        if number not in participants or row["Grade"] == "":
            continue
        if 0 <= float(row["Grade"]) <= most:
            grades[participants[number]] = float(row["Grade"])
    return grades


def test_one_command_writes_what_a_teacher_imports(solved, packs, tmp_path, run_grade, out, capsys):
    for number in (1, 2):
        shutil.copy(make_pack(solved(number).work), packs / f"{number}.zip")
    (packs / "broken.zip").write_bytes(b"x")
    (tmp_path / "sheet.csv").write_text("\ufeff" + "\n".join([HEADER, ADA, BO]) + "\n")
    late = datetime.fromtimestamp((packs / "1.zip").stat().st_mtime - 5400, UTC)
    roster = {
        "anna": {"name": "Ada Example", "email": "ada@x.org"},
        "bert": {"name": "Bo Example", "email": "bo@x.org"},
    }
    sheets, deadlines = {1: "sheet.csv"}, {1: late.isoformat()}
    assert run_grade("--trust", roster=roster, worksheets=sheets, deadlines=deadlines) == 0
    said = capsys.readouterr().out
    assert "3 packs graded, 1 pack refused." in said
    assert "none for lab 2: the course's file names no worksheet" in said
    assert import_grades(out / "moodle-lab1.csv", {"7": "ada", "8": "bo"}, 20) == {"ada": 20.0}
    remarks = {row["Full name"]: row for row in read_table(out / "moodle-lab1.csv")}
    assert remarks["Ada Example"]["Feedback comments"].startswith("late by 1.5 h")
    assert remarks["Bo Example"]["Feedback comments"] == "no pack was handed in"
    marks = {(row["pseudonym"], row["lab"]): row for row in read_table(out / "marks.csv")}
    assert marks["anna", "2"]["points"] == "10.0" and marks["bert", "1"]["points"] == ""
    assert marks["broken", ""]["remark"].startswith("refused: ")
    page = (out / "feedback" / "anna.html").read_text()
    assert "Lab 1: What does one hand-over cost?" in page and "Handed in 1.5 hours late" in page
    assert "10 of 10 points" in page and "a dot per fork" in page
    # A picture may spell any four letters.
    assert "bert" not in re.sub(r'src="data:[^"]*"', "", page)
    assert not (out / "feedback" / "bert.html").exists()
    texts = (out / "texts.md").read_text()
    assert "anna" not in texts and "## Lab 1" in texts
    assert (out / "class" / "lab1.csv").is_file() and (out / "class" / "lab1.png").is_file()


def test_a_pack_whose_student_is_not_in_the_worksheet_is_named(
    solved, packs, tmp_path, run_grade, capsys
):
    shutil.copy(make_pack(solved(1).work), packs)
    (tmp_path / "sheet.csv").write_text(f"{HEADER}\n{BO}\n")
    assert run_grade("--trust", worksheets={1: "sheet.csv"}) == 0
    assert "moodle-lab1.csv, which has no single row for anna" in capsys.readouterr().out


def make_graded(pseudonym: str, **changed: object) -> Graded:
    """Return a pack of lab 1 with full marks, or one with a change."""
    checks = [Check("numbers", "", 10, 10, "right")]
    return Graded(f"{pseudonym}.zip", 1, pseudonym, checks)._replace(**changed)


@pytest.mark.parametrize(
    ("students_named", "rows_named"), [("ab", "x"), ("a", "xy")], ids=["students", "rows"]
)
def test_a_name_that_several_have_gets_nobodys_grade(tmp_path, students_named, rows_named):
    marks = [
        Mark(pseudonym, 1, make_graded(pseudonym), "Bo Example", "", 0.0)
        for pseudonym in students_named
    ]
    rows = [f"Participant {row},Bo Example,,-" for row in rows_named]
    header = "Identifier,Full name,Grade,Last modified (grade)"
    (tmp_path / "sheet.csv").write_text("\n".join([header, *rows]) + "\n")
    unmatched = fill_worksheet(marks, tmp_path / "sheet.csv", tmp_path / "out.csv")
    assert unmatched == set(students_named)
    assert {row["Grade"] for row in read_table(tmp_path / "out.csv")} == {""}


def test_a_pack_under_anothers_pseudonym_does_not_change_the_others_grade(
    solved, packs, tmp_path, run_grade, out
):
    thief = students.start(1, tmp_path / "thief").work
    thief.predict(students.guess(1) | {"queue_cores_1": 1})
    students.measure(thief, seed=9)
    files = {"Ada_7": make_pack(solved(1).work), "Bo_8": make_pack(thief)}
    for sender, file in files.items():
        folder = packs / f"{sender}_assignsubmission_file"
        folder.mkdir()
        shutil.copy(file, folder / "lab1.zip")
    assert all(pack.held for pack in grade_folder(packs, COURSE, True))
    (tmp_path / "sheet.csv").write_text("\n".join([HEADER, ADA, BO]) + "\n")
    roster = {"anna": {"name": "Ada Example", "email": "ada@x.org"}}
    cleared = ["Ada_7_assignsubmission_file/lab1.zip"]
    run_grade("--trust", roster=roster, worksheets={1: "sheet.csv"}, cleared=cleared)
    assert import_grades(out / "moodle-lab1.csv", {"7": "ada", "8": "bo"}, 20) == {"ada": 20.0}


def test_the_last_pack_of_a_participant_counts_under_any_pseudonym():
    graded = [
        make_graded(name, participant="7", handed_in=time) for time, name in enumerate(["b", "a"])
    ]
    assert [mark_replaced(pack, graded).replaced for pack in graded] == ["a.zip", ""]


@pytest.mark.parametrize(
    ("file", "remark"),
    [
        ("lab1-bo", "refused: it is empty"),
        ("Bo_8_assignsubmission_file_lab1-bo (1)", "refused: it is empty"),
        ("lab1-bob", "no pack was handed in"),
        ("lab2-bo", "no pack was handed in"),
    ],
)
def test_a_student_whose_pack_was_refused_reads_why(file, remark):
    refused = make_graded(file, lab=None, checks=[make_condition("pack", "it is empty", "")])
    course = COURSE.model_copy(update={"roster": {"bo": Student(name="Bo Example")}})
    bo, _ = list_marks([refused, make_graded("anna")], course)
    assert bo.pseudonym == "bo" and bo.remark == remark


def test_a_pack_that_could_not_be_graded_ends_loudly(solved, packs, run_grade, capsys, monkeypatch):
    def give_up(*_: object) -> None:
        raise NotRun("it was not graded within 60 minutes.")

    monkeypatch.setattr(grading, "run_apart", give_up)
    shutil.copy(make_pack(solved(1).work), packs)
    assert run_grade("--trust") == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "INCOMPLETE: 1 pack" in said and "refused" not in said
    assert said.endswith("it was not graded within 60 minutes.")


def test_a_folder_that_cannot_hold_the_reports_is_refused_before_grading(
    solved, packs, run_grade, out, capsys
):
    shutil.copy(make_pack(solved(1).work), packs)
    out.touch()
    assert run_grade("--trust") == 2
    said = capsys.readouterr()
    assert said.out == "" and "out: File exists." in said.err


def test_moodles_own_download_names_the_participants(solved, packs, run_grade, out):
    folder = packs / "Ada Example_4711_assignsubmission_file"
    folder.mkdir()
    shutil.copy(make_pack(solved(1).work), folder)
    assert run_grade("--trust") == 0
    assert import_grades(out / "moodle-lab1.csv", {"4711": "ada"}, 10) == {"ada": 10.0}


def test_a_sheet_that_moodle_would_refuse_is_refused(tmp_path):
    (tmp_path / "sheet.csv").write_text("Identifier,Grade\nParticipant 1,\n")
    with pytest.raises(BadInput, match=r"no column 'Last modified .grade.'"):
        read_worksheet(tmp_path / "sheet.csv")


def test_a_batch_without_a_sandbox_ends_loudly_and_leaves_marks_empty(
    solved, packs, run_grade, out, capsys, monkeypatch
):
    absent = sandbox.Bubblewrap(None, "bubblewrap is not installed (apt-get install bubblewrap)")
    monkeypatch.setattr(sandbox, "find_bubblewrap", lambda: absent)
    shutil.copy(make_pack(solved(1).work), packs)
    assert run_grade() == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "code runs NOT AT ALL: bubblewrap is not installed" in said
    left_open = "per_fork: ns, per_fork: cores, per_fork: sleeps"
    assert f"6 of 6, 4 NOT CHECKED ({left_open})" in said and "INCOMPLETE: 1 pack" in said
    assert "could not be checked here: students' code runs only in a sandbox, or with" in said
    (row,) = read_table(out / "marks.csv")
    assert row["points"] == "" and row["remark"] == f"not checked yet: {left_open}"


def test_packs_with_the_same_forks_are_all_held_until_a_person_decides(
    solved, packs, run_grade, out, tmp_path
):
    shutil.copy(make_pack(solved(1).work), packs / "owner.zip")
    thief = students.start(1, tmp_path, "aaron")
    students.run_notebook(thief, seed=FIRST_SEED + 1)
    shutil.copy(make_pack(thief.work), packs / "a.zip")
    graded = grade_folder(packs, COURSE, True)
    assert [pack.points for pack in graded] == [0, 0] and all(pack.held for pack in graded)
    assert not any(other in graded[0].held for other in ("owner", "anna"))
    cleared = COURSE.model_copy(update={"cleared": ["anna"]})
    points = {pack.pseudonym: pack.points for pack in grade_folder(packs, cleared, True)}
    assert points == {"aaron": 0, "anna": 10}
    run_grade("--trust")
    copies = (out / "copies.md").read_text()
    assert "the same forks: a.zip, owner.zip" in copies
    assert "lab 1, answer per_fork, is the published solution: a.zip, owner.zip" in copies
    for name, other in (("anna", "aaron"), ("aaron", "owner")):
        page = (out / "feedback" / f"{name}.html").read_text()
        assert "your teacher has to look" in page and other not in page
    assert not (out / "class").exists()


def test_a_pack_of_another_sender_is_held_and_an_earlier_one_replaced(solved, packs):
    pack = make_pack(solved(1).work)
    for name in ("Ada_1_assignsubmission_file", "Bo_2_assignsubmission_file"):
        (packs / name).mkdir()
        shutil.copy(pack, packs / name / f"{name}.zip")
    assert all(each.held for each in grade_folder(packs, COURSE, True))
    shutil.rmtree(packs / "Bo_2_assignsubmission_file")
    again = shutil.copy(pack, packs / "Ada_1_assignsubmission_file" / "again.zip")
    os.utime(again, (2e9, 2e9))
    graded = {each.file: each for each in grade_folder(packs, COURSE, True)}
    assert not any(each.held for each in graded.values())
    first = "Ada_1_assignsubmission_file/Ada_1_assignsubmission_file.zip"
    assert graded[first].replaced == "Ada_1_assignsubmission_file/again.zip"


ESCAPE = "\x1b[2K\rlab1-s01.zip  10 of 10  all right\u202e"


def test_no_control_character_of_a_student_reaches_the_terminal(
    copy_of, packs, run_grade, out, capsys
):
    work = copy_of(1)
    work.write_answer("per_fork", f"def per_fork(f, w): raise ValueError({ESCAPE!r})")
    work.write_answer("text", f"{ESCAPE} One. Two. Three.")
    shutil.copy(make_pack(work), packs / "a\x1b[2J.zip")
    run_grade("--trust")
    files = [file for file in out.rglob("*") if file.suffix in (".csv", ".md", ".html")]
    for text in (capsys.readouterr().out, *(file.read_text() for file in files)):
        assert "\x1b" not in text and "\r" not in text and "\u202e" not in text


def test_clean_keeps_lines_and_drops_controls():
    assert clean("a\x07\nb\tc\u2066") == "a\nb c"


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-cmd|x", "@SUM(A1)", "\t=1", " =1", "\x00=1"])
def test_no_cell_is_a_formula(cell):
    assert disarm(cell).startswith("'")


@pytest.mark.parametrize(("cell", "kept"), [("-", "-"), (-1.5, -1.5), ("anna", "anna"), (None, "")])
def test_what_is_no_formula_stays_in_its_cell(cell, kept):
    assert disarm(cell) == kept


def test_an_edited_machine_and_refused_forks_are_in_no_table_and_no_picture(copy_of):
    work = copy_of(1)
    update_json(work.find_run().folder / "machine.json", {"cpu": "+1+1 @SUM(A1)"})
    graded = grade(make_pack(work))
    assert "machine.json was edited" in list_conditions(graded)["forks"]
    assert graded.entry is None and graded.points == 4
