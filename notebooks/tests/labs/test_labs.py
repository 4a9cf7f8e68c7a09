"""Labs as students have them: predictions first, mistakes as sentences, notebooks that run."""

import json
import re
import socket

import nbformat
import numpy as np
import pytest

from handoff.errors import BadInput
from handoff.labs import commands, door, facts, handin, measuring, ownclass, teaching
from handoff.labs.answers import Code, Model, Numbers, OwnClass, Text
from handoff.labs.lab import MODULES, load_lab
from handoff.labs.work import Statement, Work, load_identity
from handoff.paths import LABS
from handoff.run.host import readiness

from . import students

NUMBERS = sorted(MODULES)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_students_notebook_is_made_from_the_one_with_solutions(number):
    lab = load_lab(number)
    made = teaching.format_student_notebook(lab)
    assert (LABS / f"{lab.name}.ipynb").read_text() == made
    assert "SOLUTION" not in made and teaching.PLACE in made


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_left_of_a_cell_can_be_read_by_python(number):
    for cell in nbformat.read(LABS / f"{load_lab(number).name}.ipynb", 4).cells:
        if cell.cell_type == "code" and not cell.source.startswith("%%answer"):
            compile(cell.source, "cell", "exec")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lab_has_its_teachers_page_and_its_words_are_in_the_glossary(number):
    lab = load_lab(number)
    assert (facts.PAGES / f"{lab.name}.md").read_text() == facts.format_page(lab)
    listed = facts.load_facts(number)
    words = (LABS / "GLOSSARY.md").read_text()
    assert all(f"| {word} |" in words for word in listed["words"])
    assert len(listed["questions"]) >= 3 and list(listed["rubric"]) == [2, 1, 0]
    assert lab.trials or any("lab.plot()" in cell for cell in teaching.extract_solutions(lab))


def test_a_students_bundle_has_no_solutions_and_no_tests(tmp_path):
    teaching.copy_checkout(tmp_path)
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    assert "notebooks/labs/01_hand_over.ipynb" in files and "run_all.sh" in files
    assert not [file for file in files if file.startswith(teaching.HIDDEN)]


def test_every_lab_has_its_notebook_sweep_and_questions():
    for number in NUMBERS:
        lab = load_lab(number)
        assert lab.number == number and (lab.trials or lab.sweep_file.is_file())
        kinds = {type(answer) for answer in lab.answers} - {Numbers, Text}
        assert kinds == {Model} if lab.trials else kinds in ({Code}, {OwnClass})
    assert {f"{load_lab(number).name}.ipynb" for number in NUMBERS} == {
        path.name for path in LABS.glob("*.ipynb")
    }


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (1, {"queue_cores_1": ...}, "1 of 8 predictions are missing:\n  queue_cores_1: "),
        (1, dict.fromkeys(students.guess(1)), "8 of 8 predictions are missing:\n  queue_over"),
        (1, {"queue_cores_1": "many"}, "queue_cores_1 is 'many'; expected a number from 0 to 100"),
        (1, {"queue_cores_1": -1}, "expected a number from 0 to 100 cores"),
        (1, {"queue_cores_1": float("nan")}, "queue_cores_1 is nan"),
        (1, {"queue_cores_1": True}, "queue_cores_1 is True"),
        (1, {"queue_core_1": 1}, "queue_core_1 is unknown. Did you mean queue_cores_1"),
        (3, {"P1": "true"}, "P1 is 'true'; expected one of reproduced, "),
        (3, {"forks": 5.5}, r"forks is 5\.5; expected a whole number from 5 to 8"),
    ],
)
def test_a_prediction_that_is_wrong_is_one_sentence_and_nothing_is_written(
    tmp_path, number, change, message
):
    work = Work(load_lab(number), tmp_path / "work", "made-up", "anna")
    with pytest.raises(BadInput, match=message):
        work.predict(students.guess(number) | change)
    assert not (tmp_path / "work").exists()


STATED = {"course": "c", "pseudonym": "anna", "lab": 1, "prediction": {"a": 2, "b": "x"}}


def compute_ticket(**changed: object) -> str:
    return Statement(**STATED | changed).ticket


def test_equal_numbers_give_the_same_ticket():
    assert compute_ticket() == compute_ticket(prediction={"b": "x", "a": 2.0})


@pytest.mark.parametrize(
    "change",
    [{"course": "d"}, {"pseudonym": "bert"}, {"lab": 2}, {"prediction": {"a": 3, "b": "x"}}],
)
def test_a_ticket_is_of_one_course_student_lab_and_prediction(change):
    assert compute_ticket(**change) != compute_ticket()


def test_nothing_is_measured_before_the_prediction(tmp_path):
    work = Work(load_lab(1), tmp_path, "made-up", "anna")
    with pytest.raises(BadInput, match="Predict first"):
        measuring.measure_lab(work)
    assert list(tmp_path.iterdir()) == []


def test_what_is_measured_belongs_to_its_prediction(tmp_path):
    opened = students.start(1, tmp_path)
    run = students.measure(opened.work, 1)
    assert opened.run.folder == run.folder and opened.run.missing() == []
    opened.work.predict(students.guess(1))
    with pytest.raises(BadInput, match="You have measured with another prediction"):
        opened.work.predict(students.guess(1) | {"queue_cores_1": 1})
    other = Work(load_lab(1), opened.work.folder, "made-up", "bert")
    with pytest.raises(BadInput, match="as anna; now it is course made-up, as bert: predict again"):
        other.find_run()
    with pytest.raises(BadInput, match="You have measured with another prediction, course or"):
        other.predict(students.guess(1))


def test_a_name_that_is_given_late_is_written_before_anything_is_measured(tmp_path):
    opened = students.start(1, tmp_path)
    later = Work(load_lab(1), opened.work.folder, "autumn", "heron")
    later.predict(students.guess(1))
    assert later.require() == students.guess(1)
    assert json.loads((later.folder / "prediction.json").read_text())["pseudonym"] == "heron"


def test_check_says_what_is_missing_and_of_the_wrong_form(tmp_path, capsys):
    opened = students.start(1, tmp_path)
    assert not opened.check()
    assert "Forks: Nothing is measured yet" in capsys.readouterr().out
    students.measure(opened.work, 1)
    opened.work.write_answer("per_fork", "def per_fork(fork, warmup)\n    return 1")
    opened.work.write_answer("text", "One sentence. Two.")
    opened.answer("where", {"where": "working"})
    assert not opened.check()
    said = capsys.readouterr().out
    assert re.search(r"0 of 2 +per_fork: ns +per_fork ended with SyntaxError: expected ':'", said)
    assert re.search(r"numbers: queue_ns_1 +no answer yet: lab.answer..numbers", said)
    assert re.search(r"where: extra_wall_ns +it is missing", said) and "2 of 3 sentences" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "not readable as YAML"),
        ("7", "write one 'key: value' per line"),
        ("xy: different", "missing: xz, yz"),
        ("a: &x [1]\nb: *x", "aliases .* are not allowed"),
        ("{xy: a, xz: b, yz: c, zz: d}", "unknown key zz; choose from xy, xz, yz"),
        ("{xy: .nan, xz: b, yz: c}", "xy: it is not a finite number"),
        ("[" * 5000, "not readable as YAML: maximum recursion depth"),
    ],
)
def test_numbers_of_the_wrong_form_are_a_sentence(text, message):
    assert re.search(message, load_lab(2).find_answer("verdict").describe_form(text))


def test_code_that_is_nested_too_deeply_is_a_sentence():
    fault = load_lab(1).find_answer("per_fork").describe_form("x = " + "-" * 50_000 + "1")
    assert fault.startswith("Python cannot read it: ")


def test_an_answer_of_arrays_is_written_as_lists(tmp_path):
    opened = students.start(1, tmp_path)
    opened.answer("where", {"extra_wall_ns": np.arange(2), "extra_cpu_ns": [np.float64(1.5)]})
    assert opened.read("where") == {"extra_wall_ns": [0, 1], "extra_cpu_ns": [1.5]}


def test_an_answer_that_is_not_text_is_not_called_missing(tmp_path):
    work = students.start(1, tmp_path).work
    work.write_answer("text", "One.")
    (work.answers / "text.txt").write_bytes(b"\xff")
    assert "not UTF-8" in work.describe_form(work.lab.find_answer("text"))


def test_nothing_is_packed_without_forks_and_nothing_else_said(tmp_path, capsys):
    opened = students.start(1, tmp_path)
    with pytest.raises(BadInput, match="Nothing is measured yet"):
        opened.pack()
    assert "Packed anyway" not in capsys.readouterr().out


@pytest.mark.parametrize("number", [5, 6])
def test_a_mistake_in_java_earns_nothing_and_one_of_the_set_up_is_raised(
    tmp_path, monkeypatch, number
):
    def refuse(*_: object) -> None:
        raise BadInput("Java cannot compile it:\nclass")

    work = students.start(number, tmp_path).work
    answer = work.lab.answers[0]
    work.write_answer(answer.name, "class")
    monkeypatch.setattr(ownclass, "prepare_java", lambda: None)
    monkeypatch.setattr(measuring, "try_class", refuse)
    monkeypatch.setattr("handoff.labs.lessons.correctness.try_model", refuse)
    assert handin.try_java(work, answer, "class") == (0.0, "Java cannot compile it:\nclass")
    monkeypatch.setattr(ownclass, "prepare_java", refuse)
    with pytest.raises(BadInput):
        handin.try_java(work, answer, "class")


def test_an_answer_that_is_not_asked_for_is_a_sentence(tmp_path):
    opened = students.start(1, tmp_path)
    with pytest.raises(BadInput, match=r"Lab 1 has no answer per_frok; .*Did you mean per_fork"):
        opened.work.write_answer("per_frok", "x = 1")


def test_a_name_that_is_not_a_plain_word_is_not_kept(tmp_path):
    with pytest.raises(BadInput, match="pseudonym is 'Ann M'"):
        load_identity(tmp_path, pseudonym="Ann M")
    assert load_identity(tmp_path, pseudonym="ann") == ("self-study", "ann")


def test_who_works_is_kept_for_the_next_time(tmp_path):
    course, made = load_identity(tmp_path)
    assert course == "self-study" and made.startswith("student-")
    assert load_identity(tmp_path) == (course, made)
    assert load_identity(tmp_path, "parallel-1", "anna") == ("parallel-1", "anna")
    assert load_identity(tmp_path) == ("parallel-1", "anna")
    (tmp_path / "01_hand_over").mkdir()
    (tmp_path / "01_hand_over" / "prediction.json").write_text("{}")
    assert load_identity(tmp_path, "parallel-1") == ("parallel-1", "anna")
    with pytest.raises(
        BadInput, match=r"The pseudonym is anna, with which .* it cannot become bert"
    ):
        load_identity(tmp_path, pseudonym="bert")
    (tmp_path / "student.json").write_text("{")
    with pytest.raises(BadInput, match=r"student\.json is not readable"):
        load_identity(tmp_path)


@pytest.mark.parametrize("word", ["", "a b", "../x", "=cmd", "ä" * 3, "x" * 41])
def test_a_pseudonym_is_a_plain_word(tmp_path, word):
    with pytest.raises(BadInput, match=r"pseudonym is .*; expected 1 to 40 letters"):
        Work(load_lab(1), tmp_path, "made-up", word)


def test_shared_machines_measure_nothing_and_say_why(monkeypatch):
    monkeypatch.setattr(door, "read_quotas", lambda root: [])
    door.require_own_cpus()
    monkeypatch.setattr(door, "read_quotas", lambda root: [1.5])
    with pytest.raises(BadInput, match=r"container with a CPU quota: .* measures nothing"):
        door.require_own_cpus()
    # A lab that times nothing, or describes the machine, needs only Linux.
    door.require_linux()
    monkeypatch.setenv(readiness.BINDER, "10.0.0.1")
    with pytest.raises(BadInput, match="This is Binder"):
        door.require_own_cpus()


@pytest.mark.parametrize(("system", "name"), [("Darwin", "macOS"), ("Windows", "Windows")])
def test_without_linux_one_sentence_at_the_door_offers_shipped_forks(
    tmp_path, monkeypatch, system, name
):
    monkeypatch.setattr(door.platform, "system", lambda: system)
    monkeypatch.setattr(measuring.jdk, "find_jdk", lambda: pytest.fail("Java was looked for"))
    for number, measure in ((1, measuring.measure_lab), (5, measuring.make_trials)):
        work = students.start(number, tmp_path).work
        with pytest.raises(BadInput, match=f"^This is {name}, where nothing ") as refused:
            measure(work)
        # No shipped forks fit lab 5.
        assert ("lab.borrow()" in str(refused.value)) is (number == 1)
    with pytest.raises(BadInput, match=rf"^This is {name}"):
        commands.prepare_class("1")


def test_a_shared_machine_is_seen_before_anything_is_built(tmp_path, monkeypatch):
    monkeypatch.setattr(door, "read_quotas", lambda root: [2.0])
    monkeypatch.setattr(measuring.jdk, "find_jdk", lambda: pytest.fail("Java was looked for"))
    with pytest.raises(BadInput, match="This is a container with a CPU quota"):
        measuring.measure_lab(students.start(1, tmp_path).work)


def test_a_students_mistake_is_a_line_in_the_notebook():
    assert BadInput("One sentence.")._render_traceback_() == ["One sentence."]


def test_the_pack_names_no_folder_and_no_user(solved):
    prediction = json.loads((solved[1].work.folder / "prediction.json").read_text())
    assert set(prediction) == {"course", "pseudonym", "lab", "prediction"}


def test_a_port_in_use_is_skipped():
    first = commands.find_port()
    with socket.socket() as taken:
        taken.bind((commands.ADDRESS, first))
        taken.listen()
        assert commands.find_port() > first
