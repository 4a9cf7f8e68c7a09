"""A student's own class: each wrong one breaks its rule, and a dead one is ended."""

import json
import re
from pathlib import Path

import pytest

from handoff import archive
from handoff.errors import BadInput
from handoff.grade import sandbox
from handoff.grade.java import Apart, check_class, compile_apart
from handoff.grade.submission import Submission
from handoff.labs import bytecode, ownclass
from handoff.labs.apart import Ended, NotRun, OverLimit
from handoff.labs.handin import CLASSES, make_pack
from handoff.run import fork, planning
from handoff.run.java import jar
from handoff.run.java.jdk import Jdk
from handoff.run.java.ownclass import provide_class
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweepfile import validate_sweep

from .conftest import boxed, failed, grade
from .solutions import Wrong, list_wrong, read_solution

pytestmark = pytest.mark.machine

GOOD = read_solution(6, "exchange")
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


@pytest.mark.parametrize("number", [6, 9])
def test_the_reference_gets_full_marks(java, solved, number):
    graded = grade(make_pack(solved(number).work))
    assert failed(graded) == {} and graded.points == 10
    assert "10 of 10 points" in solved(number).said


def test_every_wrong_class_is_known():
    assert {wrong.name for wrong in WRONG} == set(FINDS)


QUICK = ("forgets", "never_again", "plain", "wraps")
"""Found by hammering, by reading and by name; the others are in `--deep`."""


@pytest.mark.parametrize("wrong", [w for w in WRONG if w.name in QUICK], ids=lambda w: w.name)
def test_a_wrong_class_breaks_the_rule_that_it_is_to_break(find_fault, wrong: Wrong):
    assert re.search(FINDS[wrong.name], find_fault(wrong.text))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("class Other {}", "It does not define a class MyExchange"),
        ("class MyExchange {", "Java cannot compile it:\nMyExchange.java:1: error: reached end"),
        (
            "class MyExchange { int x = y; }",
            "MyExchange { int x = y; }\n                           ^",
        ),
        ("package x; class MyExchange {}", "It does not define a class MyExchange outside of any"),
    ],
)
def test_what_is_no_such_class_is_one_sentence(java, tmp_path, change, message):
    with pytest.raises(BadInput, match=re.escape(message)):
        ownclass.compile_class(java, change, tmp_path / "classes")


USES = {
    "synchronized (this) { next++; }": "a lock would make your class correct, and every field",
    "Class.forName(name).getName();": "it uses java.lang.Class.forName, which is not allowed",
    "java.lang.invoke.MethodHandles.privateLookupIn(String.class, null);": "privateLookupIn, which",
    "new java.util.concurrent.locks.ReentrantLock().lock();": "locks.ReentrantLock, which is not",
    'name = "capacity " + next + " is too small";': "",
    "Runnable r = () -> next++; r.run();": "",
    "assert next > 0;": "",
    "Thread.onSpinWait();": "",
}


@pytest.mark.parametrize("statement", USES)
def test_what_a_class_may_use(java, tmp_path, statement):
    source = "class MyExchange { int next; String name; void f() throws Throwable { %s } }"
    ownclass.compile_class(java, source % statement, tmp_path / "classes")
    listed = ownclass.disassemble(java, tmp_path / "classes", ownclass.run_plainly)
    wrong = bytecode.describe_strangers(listed)
    assert USES[statement] in wrong and bool(wrong) == bool(USES[statement])


@boxed
def test_javac_and_javap_run_in_the_sandbox(java):
    def read(apart: Apart) -> tuple[float, str]:
        listed = ownclass.disassemble(apart.java, apart.folder, apart.run)
        return 1.0, bytecode.describe_strangers(listed)

    assert compile_apart(GOOD, ownclass.NAME, False, read) == (1.0, "")


NO_JDK = Jdk(Path("/nowhere/bin/java"), 17, "")


def test_one_class_that_uses_too_much_breaks_its_rule():
    def run(*_: object) -> None:
        raise OverLimit("it used more than 2 GiB of memory")

    assert ownclass.list_wrong(NO_JDK, [], 1, run) == ["it used more than 2 GiB of memory"]
    with pytest.raises(OverLimit):
        ownclass.list_wrong(NO_JDK, [], 2, run)


@pytest.mark.parametrize("tool", ["javac", "javap"])
def test_a_compiler_that_does_not_start_costs_no_points(monkeypatch, tmp_path, tool):
    ended = Ended([], 1, b"", b"Error occurred during initialization of VM")
    monkeypatch.setattr(sandbox, "run_command", lambda *_, **__: ended)
    with pytest.raises(NotRun, match=f"{tool} ended with 1: Error occurred"):
        Apart(NO_JDK, tmp_path, True).run([f"/jdk/bin/{tool}"], 1, "")


def test_a_runtime_without_a_compiler_costs_no_points(java, monkeypatch):
    def refuse(_: Jdk, name: str) -> Path:
        raise BadInput(f"/jdk has no {name}")

    monkeypatch.setattr(ownclass, "find_tool", refuse)
    with pytest.raises(BadInput, match="has no java"):
        compile_apart(GOOD, ownclass.NAME, True, lambda apart: (1.0, ""))


def test_a_class_whose_run_was_refused_has_the_reason(copy_of):
    refused = Submission(copy_of(6), reason="the run is of another sweep than this lab's")
    assert check_class(refused, "", True) == (0.0, "the run is of another sweep than this lab's")


def test_another_class_than_was_measured_is_found(java, copy_of, monkeypatch):
    monkeypatch.setattr(ownclass, "judge_class", lambda *_: (1.0, ""))
    work = copy_of(6)
    work.write_answer("exchange", GOOD.replace("SPINS = 100", "SPINS = 200"))
    failures = failed(grade(make_pack(work)))
    # Where the JDK is another one than the made-up student's, classes cannot be compared.
    assert set(failures) <= {"exchange"}


def test_the_pack_holds_the_classes_and_the_run_their_hash(java, solved, tmp_path):
    opened = solved(6)
    archive.unpack_archive(make_pack(opened.work), tmp_path / "pack")
    yours = opened.run.sweep.jvm.yours
    assert yours == f"MyExchange@{ownclass.hash_classes(tmp_path / 'pack' / CLASSES)}"
    (fork, *_) = opened.forks(mechanism="YOURS")
    assert f"-Dhandoff.yours={yours}" in fork[0]["evidence"]["jvm"]["flags"]


def test_the_jar_refuses_a_class_whose_hash_is_another(java, tmp_path, monkeypatch):
    ownclass.compile_class(java, GOOD, tmp_path)
    monkeypatch.setattr(ownclass, "hash_classes", lambda _: "0" * 64)
    assert "is not the class that was named" in ownclass.find_fault(java, tmp_path, "hammer")


def test_the_jar_knows_the_mechanism_without_a_class(java):
    assert json.loads(jar.run_jar(java, [], ["studies"]).stdout)["scaling"]["mechanisms"]["YOURS"]


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
    )
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
