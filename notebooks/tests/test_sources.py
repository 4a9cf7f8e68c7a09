"""Every claim on its own source's numbers, as if machines of 2 to 12 cores had measured them.

Where the source would fail its own claim, it is not judged.
"""

import itertools

import numpy as np
import pandas as pd
import pytest

from handoff.catalog import OF_CORES
from handoff.claims import published
from handoff.claims.files import load_claim_files
from handoff.claims.judging import EXPLAINS, Machine, judge_claims
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_tables
from handoff.claims.verdicts import CONTRADICTED, DIRECTIONS, FORCED, LARGER, REPRODUCED, SMALLER

from . import synthetic
from .worlds import is_measured, judge_everything, list_tables, place_rows

FORKS, SPREAD = 7, 0.01
SIZES = (2, 3, 4, 6, 8, 12)
FAILED = {CONTRADICTED, SMALLER, LARGER}


def repeat(rows: pd.DataFrame) -> pd.DataFrame:
    """Return several forks of each published number, with a small spread."""
    random = np.random.default_rng(2009)
    forks = rows.loc[rows.index.repeat(FORKS)].reset_index(drop=True)
    numbers = [n for n in forks.select_dtypes(float) if is_measured(n)]
    luck = np.exp(random.normal(0, SPREAD, (len(forks), len(numbers))))
    return forks.assign(**dict(zip(numbers, (forks[numbers].to_numpy() * luck).T, strict=True)))


def restrict(study: str, rows: pd.DataFrame, cores: int, parameters: list[str]) -> Observations:
    """Return the numbers as this study would measure them on a machine of `cores` cores."""
    forks = repeat(place_rows(study, rows, cores, parameters))
    return Observations(forks, parameters, {}, {"CORES": cores}, 5)


@pytest.mark.parametrize(("study", "machine"), list_tables())
def test_no_size_of_machine_fails_what_the_source_itself_shows(study, machine):
    file = judge_everything(study)
    rows = observe_tables(file)[machine].rows
    parameters = [name for name in file.allowed() if name in rows]
    shown, words = published.evaluate_file(file), set()
    for cores in SIZES:
        observed = restrict(study, rows, cores, parameters)
        literal = judge_claims(file, observed, Machine(cores, 1))
        verdicts = [v for verdict in literal for v in (verdict, *verdict.others)]
        edge = "cores" in rows and set(rows["cores"]) != {cores}
        judged = [v for v in verdicts if not is_others(shown[v.identity], v, machine, edge)]
        for verdict in judged:
            assert verdict.verdict not in FAILED, (cores, verdict.identity, verdict.reading)
        words |= {verdict.verdict for verdict in judged}
    holding = [result for results in shown.values() for result in results if result.holds]
    if machine in {result.machine for result in holding}:
        assert words & {REPRODUCED, *DIRECTIONS}


def is_others(results, verdict, machine: str, edge: bool) -> bool:
    """Return whether the claim is shown by the source's results from another machine only.

    With `edge`, true also if the claim is about the number of cores, which is not the source's.
    """
    holds = {(result.machine, result.reading) for result in results if result.holds}
    speaks_of_cores = any(OF_CORES.fullmatch(str(value)) for value in verdict.claim.values())
    return (edge and speaks_of_cores) or bool(holds and (machine, verdict.reading) not in holds)


PARAMETERS = ("mechanism", "sorts", "sort", "release", "wait", "consumers", "sockets")


def imagine_paper(cores: int) -> Observations:
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
    names = [*PARAMETERS]
    table["point"] = table.groupby(names, dropna=False, sort=False).ngroup().astype(str)
    return Observations(repeat(table), names, {"wait": "YIELDING"}, {"CORES": cores}, 5)


@pytest.mark.parametrize("cores", SIZES)
def test_a_machine_that_behaves_as_the_paper_says_contradicts_nothing_at_any_size(cores):
    sockets = 2 if cores == 12 else 0
    verdicts = judge_claims(
        load_claim_files()["scaling"], imagine_paper(cores), Machine(cores, sockets)
    )
    judged = {v.identity: v.verdict for v in verdicts if v.verdict not in FORCED}
    assert not FAILED & set(judged.values()), judged
    fits = {"P1", "P3", "P6", "P8", "P11", "P12", "P13"}
    fits |= {"P2", "P7", "P10"} if cores >= 3 else set()
    fits |= {"P4", "P9"} if cores == 12 else set()
    reproduced = {claim for claim, v in judged.items() if v in (REPRODUCED, *DIRECTIONS)}
    # With one consumer, seven forks cannot resolve the step from 15 to 300 sorts.
    assert fits - ({"P13"} if cores == 2 else set()) == reproduced


def judge_p14(observed: Observations, missing: str = ""):
    verdicts = judge_claims(load_claim_files()["scaling"], observed, Machine(12, 2, missing))
    return next(v for v in verdicts if v.identity == "P14")


def test_lines_from_another_socket_are_shown_next_to_p14_and_decide_nothing():
    rows = imagine_paper(12).rows.assign(remote_hits=lambda rows: rows["sockets"] - 0.9)
    p14 = judge_p14(Observations(rows, PARAMETERS, {}, {"CORES": 12}, 5))
    assert (p14.verdict, p14.why) == ("not testable here", EXPLAINS)
    assert {round(c.estimate.ratio, 9) for c in p14.shown[0].comparisons} == {1.1}


def test_p14_says_why_lines_from_another_socket_are_not_counted():
    assert judge_p14(imagine_paper(12), "perf is not installed").why == (
        "needs hardware counters of cache lines fetched from the other socket; perf is not"
        " installed"
    )
