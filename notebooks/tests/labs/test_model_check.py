"""Models of lab 5: those that break or break a rule, and what a model earns."""

import pytest

from handoff.errors import BadInput, Failure
from handoff.labs.lessons import correctness

from . import students
from .solutions import read_class

pytestmark = pytest.mark.machine

GOOD = read_class(5, "model")


@pytest.fixture
def judge(java, tmp_path, monkeypatch):
    """Return a function that tries a model on queues that no student sees."""
    monkeypatch.chdir(tmp_path)
    work = students.start(5, tmp_path)

    def judge(source: str, seed: str = "1") -> tuple[float, str]:
        monkeypatch.setenv("HANDOFF_SEED", seed)
        (tmp_path / "QueueCheck.java").write_text(source)
        return correctness.try_model(work, hidden=True)

    return judge


def test_a_model_that_breaks_is_one_sentence(judge, tmp_path):
    with pytest.raises(BadInput, match=r"Java cannot compile it:\nQueueCheck\.java:"):
        judge(GOOD.replace("static ModelCheckingOptions options", "static int no"))
    with pytest.raises(Failure, match=r"trying it broke: .*options"):
        judge("public class QueueCheck { }")
    assert (tmp_path / "trials.json").read_text().strip() == "{}"


SEES = {
    "prints": "System.out.println();",
    "reads by name": 'Class.forName("handoff.queues.Subject").getDeclaredField("chosen");',
    "reads by class": "Subject.class.getDeclaredFields();",
    "reads by a handle": "java.lang.invoke.MethodHandles.privateLookupIn(Subject.class, null);",
    "starts a thread": "new Thread(() -> { }).start();",
}


@pytest.mark.parametrize("how", SEES)
def test_a_model_that_looks_at_what_it_tests_is_not_tried(judge, how):
    cheat = f"static {{ try {{ {SEES[how]} }} catch (Throwable t) {{ }} }}"
    source = GOOD.replace("static final int CAPACITY", f"{cheat} static final int CAPACITY")
    with pytest.raises(BadInput, match=r"Your model is not tried: it uses java\.\S+, which"):
        judge(source)


@pytest.mark.parametrize(
    ("right", "found", "share", "sentence"),
    [
        (["", ""], "xxxxxx", 1.0, "finds 5 of 5 faults"),
        (["", ""], "xxxxx ", 1.0, "and misses: f"),
        (["", ""], "xxxx  ", 0.8, "finds 4 of 5 faults, and misses: e, f"),
        (["", ""], "      ", 0.0, "misses: a, b, c, d, e, f"),
        (["", "= Bad =\n"], "xxxxxx", 0.0, "a fault in a correct queue: Bad"),
    ],
)
def test_a_model_earns_by_the_faults_that_it_finds(right, found, share, sentence):
    faulty = dict(zip("abcdef", (each.strip() for each in found), strict=True))
    earned, reason = correctness.judge_model(right, faulty)
    assert earned == share and reason.endswith(sentence)
