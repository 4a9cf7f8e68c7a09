"""A user's own class is measured as YOURS in an ordinary sweep, under its hash."""

import pytest

from handoff.cli.main import main
from handoff.errors import BadInput
from handoff.run import fork, planning
from handoff.run.java import ownclass
from handoff.run.java.command import locate_classes
from handoff.run.plan.selection import select_sweep
from handoff.run.store.identity import compute_identity, hash_sweep

SOURCE = """
import java.util.concurrent.ArrayBlockingQueue;

final class MyHandoff<T> implements handoff.mechanism.Exchange<T> {
    private final ArrayBlockingQueue<T> items;

    MyHandoff(int capacity) {
        items = new ArrayBlockingQueue<>(capacity);
    }

    public void put(T item) throws InterruptedException {
        items.put(item);
    }

    public T take() throws InterruptedException {
        return items.take();
    }
}
"""
WORD = f"MyHandoff@{'0' * 64}"


def mechanisms(asked):
    return [entry.mechanism for _, entry in asked.sweep.entries()]


def test_the_class_is_measured_next_to_the_mechanisms_of_the_sweep(sweep_file):
    compared = sweep_file("mechanism: [SEQUENTIAL, ARRAY_BLOCKING_QUEUE]")
    asked = select_sweep(str(compared), [], [], WORD)
    assert mechanisms(asked) == [["SEQUENTIAL", "ARRAY_BLOCKING_QUEUE", "YOURS"]]
    assert asked.sweep.jvm.yours == WORD and "with --class MyHandoff" in asked.source
    named = sweep_file("mechanism: [YOURS, ARRAY_BLOCKING_QUEUE]")
    asked = select_sweep(str(named), [], [], WORD)
    assert mechanisms(asked) == [["YOURS", "ARRAY_BLOCKING_QUEUE"]]


def test_another_class_is_another_run_and_a_sweep_that_compares_nothing_is_refused(sweep_file):
    file = str(sweep_file("mechanism: ARRAY_BLOCKING_QUEUE"))
    other = WORD.replace("0", "1")
    hashes = {hash_sweep(select_sweep(file, [], [], word).sweep) for word in ("", WORD, other)}
    assert len(hashes) == 3
    for sweep in (sweep_file("mechanism: SEQUENTIAL"), "hops"):
        with pytest.raises(BadInput, match="has no entry of scaling that compares mechanisms"):
            select_sweep(str(sweep), [], [], WORD)


@pytest.mark.machine
def test_a_fork_measures_it_under_its_hash(java, sweep_file):
    word = ownclass.provide_class(java, SOURCE, "MyHandoff")
    entry = "mechanism: ARRAY_BLOCKING_QUEUE"
    asked = select_sweep(str(sweep_file(entry, top="verdicts: false")), [], [], word)
    *_, point = planning.plan_points(asked, java)
    assert point.params["mechanism"] == "YOURS"
    outcome = fork.measure_fork(java, fork.Job(asked.sweep.jvm, point, {}, 60))
    assert outcome.wrong == ""
    assert f"-Dhandoff.yours={word}" in outcome.content["evidence"]["jvm"]["flags"]
    here = planning.describe_here(java)
    before = compute_identity(asked.sweep, here, java)["flags"]
    jvm = asked.sweep.jvm.model_copy(update={"yours": WORD})
    other = asked.sweep.model_copy(update={"jvm": jvm})
    assert compute_identity(other, here, java)["flags"] != before
    assert not locate_classes(WORD).exists()
    with pytest.raises(BadInput, match=r"is not compiled here: add --class MyHandoff\.java"):
        planning.plan_points(asked._replace(sweep=other), java)


WRONG = [
    ("class MyHandoff {", "MyHandoff.java:1: error: reached end of file"),
    ("class Other {}", "It does not define a class MyHandoff"),
    ("class MyHandoff { MyHandoff(int c) {} }", "must implement handoff.mech"),
    (SOURCE.replace("int capacity", "").replace("(capacity)", "(9)"), "(int cap"),
]


@pytest.mark.machine
@pytest.mark.parametrize(("source", "sentence"), WRONG)
def test_a_class_that_cannot_be_measured_is_refused_in_the_compilers_words(
    java, sweep_file, tmp_path, capsys, source, sentence
):
    file = tmp_path / "MyHandoff.java"
    file.write_text(source)
    sweep = str(sweep_file("mechanism: ARRAY_BLOCKING_QUEUE"))
    assert main([sweep, "--class", str(file), "--dry-run"]) == 2
    err = capsys.readouterr().err
    assert sentence in err and file.name in err and "Traceback" not in err


@pytest.mark.parametrize("name", ["MyHandoff.txt", "my-handoff.java", "1.java", "gone.java"])
def test_a_file_that_holds_no_such_class_is_refused(tmp_path, name):
    with pytest.raises(BadInput, match="--class"):
        ownclass.read_class(tmp_path / name)
