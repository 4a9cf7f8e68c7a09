"""A student's own class: each wrong one breaks its rule, and a dead one is ended."""

import json
import re
import shutil

import pytest

from handoff.errors import BadInput
from handoff.grade.java import Apart, compile_apart
from handoff.labs import bytecode, ownclass
from handoff.labs.handin import CLASSES, make_pack
from handoff.labs.work import Work
from handoff.run import fork, planning
from handoff.run.java import jar
from handoff.run.java.ownclass import provide_class
from handoff.run.plan.selection import SweepRequest
from handoff.run.plan.sweepfile import validate_sweep

from . import students
from .conftest import boxed, failed, grade
from .solutions import Wrong, list_wrong, read_solution

pytestmark = pytest.mark.machine

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


@pytest.fixture(scope="module")
def good() -> str:
    return read_solution(6, "exchange")


def solve(number: int, folder):
    opened = students.start(number, folder)
    students.run_notebook(opened, number)
    return opened


@pytest.fixture(scope="module")
def solved(java, tmp_path_factory):
    return solve(6, tmp_path_factory.mktemp("six"))


def test_the_reference_gets_full_marks(solved):
    graded = grade(make_pack(solved.work))
    assert failed(graded) == {} and graded.points == 10


def test_the_reference_of_the_ladder_gets_full_marks(java, tmp_path):
    graded = grade(make_pack(solve(9, tmp_path).work))
    assert failed(graded) == {} and graded.points == 10


def test_every_wrong_class_is_known():
    assert {wrong.name for wrong in WRONG} == set(FINDS)


QUICK = ("forgets", "never_again", "plain", "wraps")
"""Found by hammering, by reading and by name; the others are in `--deep`."""


@pytest.mark.parametrize("wrong", [w for w in WRONG if w.name in QUICK], ids=lambda w: w.name)
def test_a_wrong_class_breaks_the_rule_that_it_is_to_break(java, tmp_path, wrong: Wrong):
    ownclass.compile_class(java, wrong.text, tmp_path / "classes")
    assert re.search(FINDS[wrong.name], ownclass.judge_class(java, tmp_path / "classes")[1])


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
def test_javac_and_javap_run_in_the_sandbox(java, good):
    def read(apart: Apart) -> tuple[float, str]:
        listed = ownclass.disassemble(apart.java, apart.folder, apart.read)
        return 1.0, bytecode.describe_strangers(listed)

    assert compile_apart(good, ownclass.NAME, False, read) == (1.0, "")


def test_another_class_than_was_measured_is_found(solved, good, tmp_path, monkeypatch):
    monkeypatch.setattr(ownclass, "judge_class", lambda *_: (1.0, ""))
    before = solved.work
    shutil.copytree(before.folder, tmp_path / "work")
    work = Work(before.lab, tmp_path / "work", before.course, before.pseudonym)
    work.write_answer("exchange", good.replace("SPINS = 100", "SPINS = 200"))
    failures = failed(grade(make_pack(work)))
    # Where the JDK is another one than the made-up student's, classes cannot be compared.
    assert set(failures) <= {"exchange"}


def test_the_pack_holds_the_classes_and_the_run_their_hash(solved, tmp_path):
    from handoff import archive

    archive.unpack_archive(make_pack(solved.work), tmp_path / "pack")
    yours = solved.run.sweep.jvm.yours
    assert yours == f"MyExchange@{ownclass.hash_classes(tmp_path / 'pack' / CLASSES)}"
    (fork, *_) = solved.forks(mechanism="YOURS")
    assert f"-Dhandoff.yours={yours}" in fork[0]["evidence"]["jvm"]["flags"]


def test_the_jar_refuses_a_class_whose_hash_is_another(java, good, tmp_path):
    ownclass.compile_class(java, good, tmp_path)
    words = ["-Dhandoff.yours=MyExchange@" + "0" * 64, "-cp", f"{ownclass.CLASS_PATH}:{tmp_path}"]
    words += [ownclass.QUEUES, "hammer", ownclass.NAME]
    (wrong,) = ownclass.list_wrong(java, words, 1, ownclass.run_plainly)
    assert "is not the class that was named" in wrong


def test_the_jar_knows_the_mechanism_without_a_class(java):
    assert json.loads(jar.run_jar(java, [], ["studies"]).stdout)["scaling"]["mechanisms"]["YOURS"]


NESTED = {
    "in a nested class": "Box box = new Box(); static class Box { long count; }",
    "static": "static long count;",
}


@pytest.mark.parametrize("where", NESTED)
def test_a_field_is_found_wherever_it_is_hidden(java, tmp_path, where):
    use = "box.count" if "Box" in NESTED[where] else "count"
    source = f"""
        import handoff.mechanism.Exchange;
        public final class MyExchange<T> implements Exchange<T> {{
            final {NESTED[where]}
            volatile Object item;
            public MyExchange(int capacity) {{}}
            static final class Another {{}}
            public void put(T next) {{ item = next; {use}++; }}
            public T take() {{ {use}--; return (T) item; }}
        }}
    """.replace("final static long", "static long")
    ownclass.compile_class(java, source, tmp_path / "classes")
    found = ownclass.judge_class(java, tmp_path / "classes")[1]
    assert "the field count is neither final nor volatile" in found


def test_what_a_constructor_throws_is_found_and_no_stack_trace(java, good, tmp_path):
    source = good.replace("this.capacity = capacity;", "this.capacity = capacity / 0;")
    ownclass.compile_class(java, source, tmp_path / "classes")
    found = ownclass.judge_class(java, tmp_path / "classes")[1]
    assert found.startswith("hammering finds: It threw ") and "\n" not in found


def test_a_class_that_dies_later_than_hammering_looks_is_ended_with_a_sentence(java, good):
    source = good.replace(
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
