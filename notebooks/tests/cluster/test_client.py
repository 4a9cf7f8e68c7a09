"""Nodes' replies are checked like untrusted files, and an unsuitable node is refused by name."""

import json
from concurrent.futures import Future
from unittest.mock import Mock

import pytest

pytest.importorskip("distributed")

from handoff.cluster.client import ClusterNodes, check_outcome
from handoff.cluster.connection import Basics, name_host
from handoff.cluster.roster import Candidate, Roster
from handoff.run.fork import Job
from handoff.run.nodes import NodeBusy, NodeLost
from handoff.run.plan.settings import Jvm

from ..conftest import sealed

BASICS = Basics(jar="j", package="p", salt="s")


@pytest.fixture
def job_answer(fake_run, golden):
    """Return a run, a job for the point of the golden fork, and a valid answer."""
    run = fake_run(loads=1)
    identity = {"fork": 0, "again": 0, "block": 0, "order": 0, "host": "a"}
    job = Job(Jvm(), run.points[0], identity, 9)
    content = sealed(golden, **identity, params=run.points[0].params)
    return run, job, {"state": "forks", "content": content, "log": "", "wrong": ""}


@pytest.mark.parametrize(
    ("answered", "sealed_as"),
    [
        *(({"state": state}, {}) for state in ("../../etc", "quarantine", "failed")),
        *(({"content": content}, {}) for content in (None, [], "x" * 1000)),
        *(({"content": {"schema": schema}}, {}) for schema in (6, 99)),
        ({}, {"host": "b"}),
        ({}, {"block": 7}),
        ({}, {"order": 3}),
        ({}, {"fork": 1}),
        ({}, {"machine": "n"}),
        ({}, {"setup": "12345678"}),
        ({}, {"params": {"sorts": "2"}}),
    ],
)
def test_an_invalid_fork_or_one_of_another_job_is_a_failure_with_a_reason(
    job_answer, golden, answered, sealed_as
):
    run, job, answer = job_answer
    values = {"params": run.points[0].params} | job.identity | sealed_as
    outcome = check_outcome(run, job, answer | {"content": sealed(golden, **values)} | answered)
    assert outcome.state == "failed" and outcome.content is None
    assert "its node sent a fork that does not belong to this run" in outcome.wrong


def test_a_whole_fork_is_kept_and_an_edited_one_is_a_failure(job_answer):
    run, job, answer = job_answer
    assert check_outcome(run, job, answer).content == answer["content"]
    answer["content"]["seconds"] = 0.001
    assert "it was changed after it was measured" in check_outcome(run, job, answer).wrong


class Answers:
    """Client whose workers, by address, give these answers one after the other."""

    def __init__(self, **answers):
        self.answers = {address: list(queue) for address, queue in answers.items()}
        self.asked, self.retired = [], []

    def retire_workers(self, addresses):
        self.retired += addresses

    def nthreads(self):
        return dict.fromkeys(self.answers, 1)

    def submit(self, work, verb, question, content, workers, **how):
        (address,) = workers
        self.asked.append((address, verb, len(content)))
        answer, future = self.answers[address].pop(0), Future()
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(json.dumps(answer).encode())
        return future


def describe(name, **changed):
    return {"host": name, "package": "p", "jar": "j", "machine": {}} | changed


@pytest.fixture
def roster(monkeypatch, tmp_path):
    """Return a function that makes a roster, which looks until all workers have answered."""
    monkeypatch.setattr("handoff.cluster.roster.JAR", tmp_path / "benchmarks.jar")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "benchmarks.jar").write_bytes(b"12345")

    def judge(description):
        return "its kernel is 2, not 1" if description.get("kernel") == 2 else ""

    def make(**answers):
        made = Roster(Answers(**answers), BASICS, judge, dict)
        for _ in range(12):
            made.look(every_s=0)
        return made, made.refusals

    return make


READY = {"ready": []}
A, B = name_host("s", "a"), name_host("s", "b")


def test_nodes_are_admitted_and_a_different_jar_is_replaced_first(roster):
    made, messages = roster(
        one=[describe("a"), READY], two=[describe("b", jar="old"), {}, describe("b"), READY]
    )
    assert made.list_nodes() == {A: "one", B: "two"} and messages == []
    asked = [word[1:] for word in made.client.asked if word[0] == "two"]
    assert asked == [("describe", 0), ("receive", 5), ("describe", 0), ("prepare", 0)]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ([describe("a", package="q")], f"Node {A} was refused: its checkout of Handoff is another"),
        ([{"error": "no Java was found.", "kind": "input"}], "refused: no Java was found."),
        ([{"error": "JAVA_HOME is /home/alice/jdk", "kind": "input"}], "JAVA_HOME is jdk."),
        ([describe("a"), {"ready": [{"x": 1}]}], "it sent an invalid reply (TypeError)"),
        ([{"host": "a"}], "it sent an invalid reply (KeyError)"),
        ([ValueError("?")], "refused: it did not answer (ValueError)."),
        ([["?"]], "refused: it sent an invalid reply"),
        ([describe("a", kernel=2)], f"Node {A} was refused: its kernel is 2, not 1."),
    ],
)
def test_an_unsuitable_node_is_refused_once_with_the_reason(roster, answers, sentence):
    made, messages = roster(one=answers)
    assert made.list_nodes() == {} and len(messages) == 1 and sentence in messages[0]
    assert made.client.retired == ["one"] and "/home" not in messages[0]


def test_the_second_of_two_workers_on_one_machine_waits_until_the_first_is_gone(
    roster, monkeypatch
):
    monkeypatch.setattr("handoff.cluster.roster.AGAIN_S", 0)
    ask = {"ready": [], **describe("a")}
    made, messages = roster(one=[ask] * 99, two=[ask] * 99)
    ((name, first),) = made.list_nodes().items()
    assert name == A and messages == []
    del made.client.answers[first]
    for _ in range(12):
        made.look(every_s=0)
    assert made.list_nodes() == {A: "two" if first == "one" else "one"}


def test_a_busy_machine_is_asked_again_later_and_not_refused(roster, monkeypatch):
    monkeypatch.setattr("handoff.cluster.roster.AGAIN_S", 0)
    busy = {"error": "Another runner is active", "kind": "busy"}
    made, messages = roster(one=[describe("a"), busy, busy, READY])
    assert made.list_nodes() == {A: "one"} and messages == []


def test_a_worker_of_many_threads_is_refused(roster):
    made, messages = roster(one=[describe("a"), READY])
    made.candidates.clear()
    made.client.nthreads = lambda: {"one": 8}
    made.look(every_s=0)
    assert "more than one thread: --nthreads 1" in messages[-1] and made.list_nodes() == {}


@pytest.fixture
def nodes(job_answer, roster):
    """Return a group with one node, which was admitted."""
    made = ClusterNodes(Answers(one=[]), BASICS)
    made.run, _, _ = job_answer
    made.roster.candidates["one"] = Candidate("one", A, admitted=True)
    return made


def test_a_node_taken_by_another_runner_starts_again_and_the_fork_is_not_lost(job_answer, nodes):
    _, job, _ = job_answer
    nodes.hear(future := Future(), "one", job, {"error": "busy", "kind": "busy"})
    with pytest.raises(NodeBusy):
        future.result(0)
    (candidate,) = nodes.roster.candidates.values()
    assert (candidate.next, candidate.admitted, candidate.refused) == ("prepare", False, "")


def test_a_fork_whose_worker_is_gone_is_lost(job_answer, nodes):
    _, job, _ = job_answer
    nodes.client.submit = Mock()
    future = nodes.submit(A, job)
    assert nodes.list_names() == [A] and not future.done()
    nodes.client.answers, nodes.roster.looked = {}, -1
    assert nodes.list_names() == [] and nodes.client.submit.return_value.cancel.called
    with pytest.raises(NodeLost):
        future.result(0)
