"""Every claim on its own source's numbers, as if machines of 2 to 12 cores had measured them.

Where the source would fail its own claim, it is not judged. Nor is any claim often wrong where all
is alike.
"""

import itertools

import numpy as np
import pandas as pd
import pytest

from handoff.catalog import OF_CORES
from handoff.claims import published
from handoff.claims.case import EXPLAINS, Machine
from handoff.claims.files import load_claim_files
from handoff.claims.judging import judge_claims
from handoff.claims.observations import Observations
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTIONS,
    FORCED,
    JUDGED,
    LARGER,
    REPRODUCED,
    SMALLER,
)

from . import synthetic
from .worlds import Table, count_wrong, find_truth, imagine_table, list_tables

FORKS, SPREAD = 10, 0.01
SIZES = (2, 3, 4, 6, 8, 12)
FAILED = {CONTRADICTED, SMALLER, LARGER}


def measure(table: Table) -> Observations:
    """Return several forks of each number of a table, with a small spread."""
    random = np.random.default_rng(2009)
    return table.observe(FORKS, lambda size: random.normal(0, SPREAD, size))


@pytest.mark.parametrize(("study", "machine"), list_tables())
def test_no_size_of_machine_fails_what_the_source_itself_shows(study, machine):
    tables = [imagine_table(study, machine, "as published", cores) for cores in SIZES]
    shown, words = published.evaluate_file(tables[0].file), set()
    for table in tables:
        edge = set(table.rows.get("cores", [table.cores])) != {table.cores}
        for literal in judge_claims(table.file, measure(table), Machine(table.cores, 1)):
            for verdict in (literal, *(other.verdict for other in literal.alternatives)):
                if not is_others(shown[verdict.identity], verdict, machine, edge):
                    place = table.cores, verdict.identity, verdict.options
                    assert verdict.verdict not in FAILED, place
                    words.add(verdict.verdict)
    holding = [result for results in shown.values() for result in results if result.holds]
    if machine in {result.machine for result in holding}:
        assert words & {REPRODUCED, *DIRECTIONS}


REPEATS = 10
CHANCE = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
"""Three standard errors of a share of 5 % with these repeats; the deep test takes more."""


@pytest.mark.parametrize(("study", "machine"), list_tables())
def test_where_all_is_alike_a_table_rarely_has_a_wrong_verdict(study, machine):
    """Most claims have their edge in this world."""
    if not set(find_truth(imagine_table(study, machine, "as published")).values()) & set(JUDGED):
        pytest.skip("no claim is judged at its points or loads")
    wrong = count_wrong(imagine_table(study, machine, "all alike"), REPEATS, forks=5)
    assert max(wrong.values()) <= 0.05 + CHANCE, wrong


def is_others(results, verdict, machine: str, edge: bool) -> bool:
    """Return whether the claim is shown by the source's results from another machine only.

    With `edge`, true also if the claim is about the number of cores, which is not the source's.
    """
    holds = {(result.machine, result.choice) for result in results if result.holds}
    speaks_of_cores = any(OF_CORES.fullmatch(str(value)) for value in verdict.claim.values())
    shown = (machine, ", ".join(verdict.options)) in holds
    return (edge and speaks_of_cores) or bool(holds and not shown)


def imagine_paper(cores: int) -> Table:
    """Return a table that has what the paper's sentences say, since it printed no numbers."""
    rows = []
    for sorts in (1, 15, 300):
        alone = {"mechanism": "SEQUENTIAL", "sorts": sorts, "sockets": 1}
        rows.append(alone | {"time": 1.0, "cpu_usage": 1.0, "cpu_per_thread": 1.0})
        for n, mechanism in itertools.product(range(1, 12), synthetic.MECHANISMS[1:]):
            two = n > 5
            time, usage = synthetic.paper(mechanism == "ARRAY_BLOCKING_QUEUE", n, sorts, two)
            place = {"mechanism": mechanism, "sorts": sorts, "consumers": n, "sockets": 1 + two}
            cpu = {"cpu_usage": usage * (n + 1), "cpu_per_thread": usage, "cpu_consumer": usage}
            rows.append(place | cpu | {"time": time, "oversubscribed": n >= cores})
    table = pd.DataFrame(rows).assign(sort="TODAY", release="3.4.4", wait="YIELDING")
    return Table("scaling", load_claim_files()["scaling"], table, ["time", *cpu], cores)


@pytest.mark.parametrize("cores", SIZES)
def test_a_machine_that_behaves_as_the_paper_says_contradicts_nothing_at_any_size(cores):
    sockets = 2 if cores == 12 else 0
    table = imagine_paper(cores)
    verdicts = judge_claims(table.file, measure(table), Machine(cores, sockets), "today")
    judged = {v.identity: v.verdict for v in verdicts if v.verdict not in FORCED}
    assert not FAILED & set(judged.values()), judged
    # With one consumer, the code decides P1.
    fits = {"P3", "P6", "P8", "P11", "P12", "P13"}
    fits |= {"P1", "P2", "P7", "P10"} if cores >= 3 else set()
    fits |= {"P4", "P9"} if cores == 12 else set()
    reproduced = {claim for claim, v in judged.items() if v in (REPRODUCED, *DIRECTIONS)}
    # With one consumer, ten forks cannot resolve the step from 15 to 300 sorts.
    assert fits - ({"P13"} if cores == 2 else set()) == reproduced


def judge_p14(table: Table, missing: str = ""):
    verdicts = judge_claims(table.file, measure(table), Machine(12, 2, missing), "today")
    return next(v for v in verdicts if v.identity == "P14")


def test_lines_from_another_socket_are_shown_next_to_p14_and_decide_nothing():
    table = imagine_paper(12)
    rows = table.rows.assign(remote_hits=lambda rows: rows["sockets"] - 0.9)
    p14 = judge_p14(table._replace(rows=rows))
    assert (p14.verdict, p14.why) == ("not testable here", EXPLAINS)
    assert {round(c.estimate.ratio, 9) for c in p14.shown[0].comparisons} == {1.1}


def test_p14_says_why_lines_from_another_socket_are_not_counted():
    assert judge_p14(imagine_paper(12), "perf is not installed").why == (
        "needs hardware counters of cache lines fetched from the other socket; perf is not"
        " installed"
    )
