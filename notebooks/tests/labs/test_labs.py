"""Labs as students have them: predictions first, mistakes as sentences, notebooks that run."""

import re

import nbformat
import pytest

from handoff.draw.words import capitalize
from handoff.errors import BadInput
from handoff.labs import work
from handoff.labs.lab import MODULES, Function, JavaClass, Values, load_lab
from handoff.labs.student import StudentLab
from handoff.labs.work import Work, measure_lab
from handoff.paths import LABS

from . import students
from .solutions import list_wrong, read_guess, read_notebook

NUMBERS = sorted(MODULES)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_students_notebook_has_no_solution_and_can_be_read(number):
    name = load_lab(number).name
    text = (LABS / "release" / name / f"{name}.ipynb").read_text()
    assert "SOLUTION" not in text and "hidden=True" not in text
    assert "YOUR CODE HERE" in text and "YOUR ANSWER HERE" in text and "HIDDEN TESTS" not in text
    for cell in nbformat.reads(text, 4).cells:
        if cell.cell_type == "code" and not cell.source.startswith("%%writefile"):
            compile(cell.source, "cell", "exec")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lab_has_its_teachers_page_and_its_words_are_in_the_glossary(number):
    lab = load_lab(number)
    page = (LABS / "teacher" / f"{lab.name}.md").read_text()
    head = read_notebook(number).cells[0].source
    title, question = re.match(r"# Lab \d: (.+)\n\n\*\*(.+?)\*\*", head).groups()
    assert f"# Lab {number} for the teacher: {title}" in page and question in page
    for heading in ("Goals", "Plan", "What students get wrong", "Points", "Marking the text"):
        assert f"## {heading}" in page
    assert [w.name for w in list_wrong(number) if capitalize(w.wrong.strip()) not in page] == []
    words = re.search(r"\[glossary\]\(GLOSSARY\.md\): (.*?)\.$", head, re.MULTILINE)[1]
    glossary = (LABS / "GLOSSARY.md").read_text()
    assert [word for word in words.split(", ") if f"| {word} |" not in glossary] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lab_checks_what_its_notebook_asks_for(number):
    lab, cells = load_lab(number), read_notebook(number).cells
    assert lab.number == number and (lab.trials or lab.sweep_file.is_file())
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
    marked = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader for c in cells if c.metadata}
    points = {
        name.removeprefix("check-"): cell.points for name, cell in marked.items() if cell.grade
    }
    assert points.pop("text") == 2
    assert points == {part.name: sum(part.parts.values()) for part in lab.parts}
    assert sum(points.values()) == 10
    assert all(marked[f"check-{part.name}"].locked for part in lab.parts)
    kinds = {type(part) for part in lab.parts} - {Values}
    assert kinds == {JavaClass} if lab.trials else kinds in ({Function}, {JavaClass})


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (1, {"queue_cores_1": ...}, "^your prediction: queue_cores_1: must be a number, not "),
        (1, {"queue_cores_1": "many"}, "queue_cores_1: must be a number, not 'many'"),
        (1, {"queue_cores_1": -1}, "queue_cores_1: must be 0 or more, not -1"),
        (1, {"queue_cores_1": float("nan")}, "queue_cores_1: must be .* not nan"),
        (1, {"queue_core_1": 1}, "unknown key; choose from .* Did you mean queue_cores_1"),
        (3, {"P1": "true"}, "P1: must be 'reproduced', .* not 'true'"),
        (3, {"forks": 5.5}, r"forks: must be a whole number, not 5\.5"),
    ],
)
def test_a_prediction_that_is_wrong_is_one_sentence_and_nothing_is_written_or_measured(
    tmp_path, number, change, message
):
    work = Work(load_lab(number), tmp_path / "work")
    with pytest.raises(BadInput, match=message):
        work.predict(read_guess(number) | change)
    with pytest.raises(BadInput, match=r"^Predict these:\n\w+: .+ \("):
        work.predict({})
    with pytest.raises(BadInput, match="Predict first"):
        measure_lab(work)
    assert not (tmp_path / "work").exists()


def test_a_prediction_stays_once_something_is_measured(tmp_path):
    work = students.start(1, tmp_path)
    work.predict(read_guess(1) | {"queue_cores_1": 2})
    work.predict(read_guess(1))
    run = students.measure(work, 1)
    assert work.find_measured().folder == run.folder
    work.predict(read_guess(1))
    with pytest.raises(BadInput, match="You have measured with another prediction, which stays"):
        work.predict(read_guess(1) | {"queue_cores_1": 1})
    assert work.require() == read_guess(1)
    (tmp_path / "prediction.json").unlink()
    work.predict(read_guess(1))
    assert work.find_measured().folder == run.folder


def test_a_check_says_what_is_missing(tmp_path, capsys):
    lab = StudentLab(students.start(1, tmp_path))
    assert lab.check("where", {"where": "working"}) == 0
    assert "nothing to compare with: Nothing is measured yet" in capsys.readouterr().out
    students.measure(lab.work, 1)
    assert lab.check("where", {"where": "working", "extra_cpu_ns": ...}) in (0, 1)
    said = capsys.readouterr().out
    assert re.search(r"where: extra_wall_ns +it is missing", said)
    assert re.search(r"where: extra_cpu_ns +it is missing", said)
    assert lab.check("numbers", 7) == lab.check("per_fork", 7) == 0
    with pytest.raises(BadInput, match="unknown check whre; choose from per_fork, "):
        lab.check("whre")
    said = capsys.readouterr().out
    assert "7 is not a dictionary of sequential_ns_1, " in said
    assert "per_fork ended with TypeError: 'int' object is not callable" in said


def test_a_value_of_the_wrong_kind_is_a_sentence(tmp_path, capsys):
    lab = StudentLab(students.start(1, tmp_path))
    students.measure(lab.work, 1)
    for value in (float("nan"), "1e3", [1]):
        lab.check("where", {"extra_wall_ns": value})
        message = f"it is {re.escape(repr(value))}; right is"
        assert re.search(f"extra_wall_ns +{message}", capsys.readouterr().out)


def test_a_functions_error_and_prints_are_not_the_checks(tmp_path, capsys):
    def per_fork(fork, warmup):
        print("debugging")
        raise ZeroDivisionError("by zero")

    assert StudentLab(students.start(1, tmp_path)).check("per_fork", per_fork) == 0
    said = capsys.readouterr()
    assert "per_fork ended with ZeroDivisionError: by zero" in said.out
    assert "debugging" not in said.out and said.err == ""


def test_shared_machines_measure_nothing_and_offer_shipped_forks(tmp_path, monkeypatch):
    monkeypatch.setattr(work.jdk, "find_jdk", lambda: pytest.fail("Java was looked for"))
    monkeypatch.setattr(work, "read_quotas", lambda root: [])
    work.require_machine(load_lab(1))
    monkeypatch.setattr(work, "read_quotas", lambda root: [1.5])
    with pytest.raises(BadInput, match=r"with a CPU quota .*lab\.borrow\(\)"):
        work.measure_lab(students.start(1, tmp_path / "1"))
    # A lab that times nothing needs only Linux.
    work.require_machine(load_lab(5))
    monkeypatch.setattr(work.platform, "system", lambda: "Darwin")
    with pytest.raises(BadInput, match=r"^This is not Linux, .* widens intervals\)\.$"):
        work.measure_lab(students.start(5, tmp_path / "5"))


def test_a_students_mistake_is_a_line_in_the_notebook():
    assert BadInput("One sentence.")._render_traceback_() == ["One sentence."]
