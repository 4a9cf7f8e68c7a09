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
def test_the_students_notebook_is_made_from_the_one_with_solutions_and_can_be_read(number):
    lab = load_lab(number)
    made = teaching.format_student_notebook(lab)
    assert (LABS / f"{lab.name}.ipynb").read_text() == made
    assert "SOLUTION" not in made and teaching.PLACE in made
    for cell in nbformat.reads(made, 4).cells:
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


def test_every_lab_has_its_notebook_sweep_and_questions():
    labs = [load_lab(number) for number in NUMBERS]
    for number, lab in zip(NUMBERS, labs, strict=True):
        assert lab.number == number and (lab.trials or lab.sweep_file.is_file())
        kinds = {type(answer) for answer in lab.answers} - {Numbers, Text}
        assert kinds == {Model} if lab.trials else kinds in ({Code}, {OwnClass})
    assert {lab.name for lab in labs} == {path.stem for path in LABS.glob("*.ipynb")}


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
def test_a_prediction_that_is_wrong_is_one_sentence_and_nothing_is_written_or_measured(
    tmp_path, number, change, message
):
    work = Work(load_lab(number), tmp_path / "work", "made-up", "anna")
    with pytest.raises(BadInput, match=message):
        work.predict(students.guess(number) | change)
    with pytest.raises(BadInput, match="Predict first"):
        measuring.measure_lab(work)
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"prediction": {"b": "x", "a": 2.0}}, True),
        ({"prediction": {"a": 3, "b": "x"}}, False),
        ({"course": "d"}, False),
        ({"pseudonym": "bert"}, False),
        ({"lab": 2}, False),
    ],
)
def test_a_ticket_is_of_one_course_student_lab_and_prediction(change, same):
    stated = {"course": "c", "pseudonym": "anna", "lab": 1, "prediction": {"a": 2, "b": "x"}}
    assert (Statement(**stated | change).ticket == Statement(**stated).ticket) is same


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
    stated = json.loads((later.folder / "prediction.json").read_text())
    assert stated["pseudonym"] == "heron"
    # No folder, and no user of the machine.
    assert set(stated) == {"course", "pseudonym", "lab", "prediction"}


def test_what_is_missing_or_of_the_wrong_form_is_said_and_not_packed(tmp_path, capsys):
    opened = students.start(1, tmp_path)
    assert not opened.check()
    assert "Forks: Nothing is measured yet" in capsys.readouterr().out
    with pytest.raises(BadInput, match="Nothing is measured yet"):
        opened.pack()
    assert capsys.readouterr().out == ""
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
    ("name", "text", "message"),
    [
        ("verdict", "a: [", "not readable as YAML"),
        ("verdict", "7", "write one 'key: value' per line"),
        ("verdict", "xy: different", "missing: xz, yz"),
        ("verdict", "a: &x [1]\nb: *x", "aliases .* are not allowed"),
        ("verdict", "{xy: a, xz: b, yz: c, zz: d}", "unknown key zz; choose from xy, xz, yz"),
        ("verdict", "{xy: .nan, xz: b, yz: c}", "xy: it is not a finite number"),
        ("verdict", "[" * 5000, "not readable as YAML: maximum recursion depth"),
        ("statistics", "x = " + "-" * 50_000 + "1", "^Python cannot read it: "),
    ],
)
def test_an_answer_of_the_wrong_form_is_a_sentence(name, text, message):
    assert re.search(message, load_lab(2).find_answer(name).describe_form(text))


def test_an_answer_of_arrays_is_written_as_lists(tmp_path):
    opened = students.start(1, tmp_path)
    opened.answer("where", {"extra_wall_ns": np.arange(2), "extra_cpu_ns": [np.float64(1.5)]})
    assert opened.read("where") == {"extra_wall_ns": [0, 1], "extra_cpu_ns": [1.5]}


def test_an_answer_without_its_name_or_that_is_not_text_is_a_sentence(tmp_path):
    work = students.start(1, tmp_path).work
    with pytest.raises(BadInput, match=r"Lab 1 has no answer per_frok; .*Did you mean per_fork"):
        work.write_answer("per_frok", "x = 1")
    work.write_answer("text", "One.")
    (work.answers / "text.txt").write_bytes(b"\xff")
    assert "not UTF-8" in work.describe_form(work.lab.find_answer("text"))


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


def test_who_works_is_kept_for_the_next_time(tmp_path):
    with pytest.raises(BadInput, match="pseudonym is 'Ann M'"):
        load_identity(tmp_path, pseudonym="Ann M")
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


def test_shared_machines_measure_nothing_build_nothing_and_say_why(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring.jdk, "find_jdk", lambda: pytest.fail("Java was looked for"))
    monkeypatch.setattr(door, "read_quotas", lambda root: [])
    door.require_own_cpus()
    monkeypatch.setattr(door, "read_quotas", lambda root: [1.5])
    with pytest.raises(BadInput, match=r"container with a CPU quota: .* measures nothing"):
        measuring.measure_lab(students.start(1, tmp_path).work)
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


def test_a_students_mistake_is_a_line_in_the_notebook():
    assert BadInput("One sentence.")._render_traceback_() == ["One sentence."]


def test_a_port_in_use_is_skipped():
    first = commands.find_port()
    with socket.socket() as taken:
        taken.bind((commands.ADDRESS, first))
        taken.listen()
        assert commands.find_port() > first
