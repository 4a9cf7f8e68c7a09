"""What a paper says first, from its run's numbers, and nothing where they do not carry it."""

import pytest

from handoff import paths
from handoff.report import findings
from handoff.run.store.run import read_run
from handoff.studies.scaling import paper


def make_row(mechanism: str, consumers: int, ratio: float | None, sorts: int = 1) -> dict:
    return {"mechanism": mechanism, "consumers": consumers, "ratio": ratio, "sorts": sorts}


def make_choice(choice: str, ratio: float, mechanism: str = findings.ALONE) -> dict:
    return {"choice": choice, "mechanism": mechanism, "ratio": ratio}


NAMES = (findings.QUEUE, findings.POOL, findings.STRIPED)


def test_a_load_is_told_with_the_most_consumers_that_all_were_measured_with():
    rows = [make_row(name, n, n + 0.125) for name in NAMES for n in (1, 4)]
    (told,) = findings.list_findings([*rows, make_row(findings.QUEUE, 9, 1.0)], None)
    assert told.startswith("With 4 consumers and 1 sort per event, relative to one thread alone:")
    assert "blocking queue 4.1, Disruptor 4.1 as worker pool" in told


@pytest.mark.parametrize("missing", NAMES)
def test_a_load_without_one_of_them_or_without_one_thread_alone_is_not_told(missing):
    rows = [make_row(name, 1, None if name == missing else 2.0) for name in NAMES]
    assert findings.list_findings(rows, None) == []
    assert findings.list_findings([row for row in rows if row["ratio"]], None) == []


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([make_choice("order SHUFFLED", 36.0), make_choice("order DESCENDING", 1.9)], "36 (shuff"),
        ([make_choice("order SHUFFLED", 0.02), make_choice("wait BLOCKING", 3.1)], "more than 3.1"),
        ([make_choice("order SHUFFLED", 3.0), make_choice("wait BLOCKING", 0.2)], ""),
        ([make_choice("order SHUFFLED", 3.0, "blocking queue")], ""),
        ([], ""),
    ],
)
def test_the_order_is_told_where_it_is_beyond_all_other_choices(rows, told):
    found = findings.describe_order({"notable": rows, "sorts": "1"})
    assert told in found and bool(found) == bool(told)


def test_the_shipped_runs_order_is_a_finding():
    run = read_run(paths.find_run_folder("reference-sensitivity"))
    found = paper.summarize_sensitivity(run)
    assert found["judged"] > 20
    assert "by a factor of" in findings.describe_order(found)
