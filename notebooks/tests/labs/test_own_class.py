"""A student's own class: each wrong one breaks its rule, and a dead one is ended."""

import json
import re

import pytest

from handoff.errors import BadInput
from handoff.labs import bytecode, ownclass
from handoff.labs.lab import load_lab
from handoff.labs.student import StudentLab
from handoff.labs.work import Work
from handoff.run import fork, planning
from handoff.run.java.ownclass import provide_class
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweep import validate_sweep

from . import students
from .solutions import Wrong, list_wrong, read_class

pytestmark = pytest.mark.machine

GOOD = read_class(6, "exchange")
WRONG = [*list_wrong(6), *list_wrong(9)]
RACE = "hammering finds: With a capacity of |the model checker finds an order"
"""Hammering finds a race by luck, though nearly always; then the model checker does."""

FINDS = {
    "deaf": "an interrupt does not end",
    "forgets": "hammering finds: With a capacity of 2, expected item [0-9]",
    "frees_first": RACE,
    "never_again": "a put does not continue when there is room again",
    "off_by_one": "it takes more than 2 items",
    "plain": "is neither final nor volatile, and both put and take use it",
    "publishes_first": RACE,
    "runs_ahead": "hammering finds: With a capacity of 2, ",
    "shared_count": "both put and take write the number count",
    "wraps": "it uses java.util.concurrent.ArrayBlockingQueue, which is not allowed",
}


@pytest.fixture
def find_fault(java, tmp_path):
    """Return a function that compiles a class, and returns the first rule that it breaks."""

    def find(source: str) -> str:
        ownclass.compile_class(java, source, tmp_path / "classes")
        return ownclass.judge_class(java, tmp_path / "classes")[1]

    return find


def test_every_wrong_class_is_known():
    assert {wrong.name for wrong in WRONG} == set(FINDS)


QUICK = ("forgets", "never_again", "plain", "wraps")
"""Found by hammering, by reading and by name; the others are in `--deep`."""


@pytest.mark.parametrize("wrong", [w for w in WRONG if w.name in QUICK], ids=lambda w: w.name)
def test_a_wrong_class_breaks_the_rule_that_it_is_to_break(find_fault, wrong: Wrong):
    assert re.search(FINDS[wrong.name], find_fault(wrong.source))


USES = {
    "synchronized (this) { next++; }": "a lock would make your class correct, and every field",
    "Class.forName(name).getName();": "it uses java.lang.Class.forName, which is not allowed",
    "java.lang.invoke.MethodHandles.privateLookupIn(String.class, null);": "privateLookupIn, which",
    "new java.util.concurrent.locks.ReentrantLock().lock();": "locks.ReentrantLock, which is not",
    'name = "capacity " + next; Runnable r = () -> next++; assert next > 0; Thread.yield();': "",
}


@pytest.mark.parametrize("statement", USES)
def test_what_a_class_may_use(java, tmp_path, statement):
    source = "class MyExchange { int next; String name; void f() throws Throwable { %s } }"
    ownclass.compile_class(java, source % statement, tmp_path / "classes")
    listed = ownclass.disassemble(java, tmp_path / "classes")
    wrong = bytecode.describe_strangers(listed)
    assert USES[statement] in wrong and bool(wrong) == bool(USES[statement])


def test_a_class_that_is_missing_or_breaks_is_a_sentence_of_the_check(
    java, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    lab = StudentLab(students.start(6, tmp_path))
    assert lab.check("exchange") == 0
    assert "MyExchange.java is missing: run the cell that starts with" in capsys.readouterr().out
    (tmp_path / "MyExchange.java").write_text("class MyExchange {")
    assert lab.check("exchange") == 0
    assert "Java cannot compile it:" in capsys.readouterr().out
    with pytest.raises(BadInput, match="Java cannot compile it"):
        ownclass.provide_own(java)


def test_another_class_than_was_measured_earns_nothing(java, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ownclass, "judge_class", lambda *_: (1.0, ""))
    students.hand_in(6, tmp_path, source=GOOD)
    # The made-up student's JDK is that of the shipped run.
    (file,) = tmp_path.glob("runs/*/run.json")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"jdk": java.runtime}))
    lab = StudentLab(Work(load_lab(6), tmp_path))
    (tmp_path / "MyExchange.java").write_text(GOOD)
    assert lab.check("exchange") == 6
    (tmp_path / "MyExchange.java").write_text(GOOD.replace("SPINS = 100", "SPINS = 200"))
    assert lab.check("exchange") == 0


@pytest.mark.parametrize(
    ("fields", "use"),
    [
        ("final Box box = new Box(); static class Box { long count; }", "box.count"),
        ("static long count;", "count"),
    ],
)
def test_a_field_is_found_wherever_it_is_hidden(find_fault, fields, use):
    source = f"""
        import handoff.mechanism.Exchange;
        public final class MyExchange<T> implements Exchange<T> {{
            {fields}
            volatile Object item;
            public MyExchange(int capacity) {{}}
            static final class Another {{}}
            public void put(T next) {{ item = next; {use}++; }}
            public T take() {{ {use}--; return (T) item; }}
        }}
    """
    found = find_fault(source)
    assert "the field count is neither final nor volatile" in found


def test_what_a_constructor_throws_is_found_and_no_stack_trace(find_fault):
    source = GOOD.replace("this.capacity = capacity;", "this.capacity = capacity / 0;")
    found = find_fault(source)
    assert found.startswith("hammering finds: It threw ") and "\n" not in found


def test_a_class_that_dies_later_than_hammering_looks_is_ended_with_a_sentence(java):
    source = GOOD.replace(
        "public void put(T item) throws InterruptedException {",
        "public void put(T item) throws InterruptedException {\n"
        "        while (next > 300_000) { Thread.sleep(1000); }",
    ).replace("Thread.yield();", "if (look < 100_000) Thread.yield(); else Thread.sleep(10);")
    entry = {"mechanism": "YOURS", "consumers": 1, "events": 400_000, "shots": 2, "warmup": 1}
    content = {
        "about": "a test",
        "forks": {"fitting": 1},
        "jvm": {"heap": "256m", "yours": provide_class(java, source, ownclass.NAME)},
        "studies": {"scaling": [entry]},
    }
    sweep = validate_sweep(content, "a test")
    (point,) = planning.plan_points(SweepRequest("test", "a test", "", sweep), java)
    outcome = fork.measure_fork(java, fork.Job(sweep.jvm, point, {}, 60))
    assert outcome.content is None
    assert "MyExchange stood still: no event was taken for 10 seconds" in outcome.wrong
