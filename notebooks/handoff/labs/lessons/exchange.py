"""Lab 6: can I build a better one? Publication, waiting, and a fair comparison of queues."""

from typing import Any

from handoff.labs.forks import compare_groups, list_fork_means
from handoff.labs.lab import JAVA, NUMBERS, TEXT, Answer, Known, Lab, Prediction
from handoff.run.store.run import Run

OTHERS = {"queue": "ARRAY_BLOCKING_QUEUE", "disruptor": "DISRUPTOR_WORKER_POOL"}
LOADS = (1, 300)
LEVEL = 0.05


def compare(run: Run, other: str, sorts: int) -> tuple[float, float]:
    """Return the student's time over another's, and Welch's p."""
    yours, theirs = (
        list_fork_means(run, mechanism=mechanism, sorts=sorts)
        for mechanism in ("YOURS", OTHERS[other])
    )
    return compare_groups(yours, theirs)


def compute_ratios(run: Run) -> dict[str, float]:
    return {
        f"over_{other}_{sorts}": compare(run, other, sorts)[0]
        for other in OTHERS
        for sorts in LOADS
    }


def expect_verdict(known: Known) -> dict[str, Any]:
    """Return the words; faster or slower follows from the ratios, if they are given."""
    verdicts, given = {}, known.given.get("numbers", {})
    for other in OTHERS:
        ratio, p = compare(known.measured, other, 1)
        shown = "faster" if given.get(f"over_{other}_1", ratio) < 1 else "slower"
        verdicts[other] = shown if p < LEVEL else "not shown to differ"
    return verdicts


RATIO_KEYS = tuple(f"over_{other}_{sorts}" for other in OTHERS for sorts in LOADS)

LAB = Lab(
    number=6,
    word="exchange",
    title="Can I build a better one?",
    question="What does a hand-over need, and what may be left out?",
    sweep="06.yml",
    predictions=(
        *(
            Prediction(
                key,
                f"time with your class divided by the {key.split('_')[1]}'s",
                "times",
                0.01,
                1000,
            )
            for key in RATIO_KEYS
        ),
        Prediction(
            "power",
            "what 2^18 is in Java; a published benchmark took it for its ring's size",
            "",
            0,
            1e9,
            whole=True,
        ),
    ),
    answers=(
        Answer("exchange", JAVA, "a class MyExchange<T> implements Exchange<T>", points=6),
        Answer(
            "numbers",
            NUMBERS,
            "time with your class divided by the others', as ratios of geometric means",
            expected=lambda known: dict(compute_ratios(known.measured)),
            keys=dict.fromkeys(RATIO_KEYS, 0.5),
        ),
        Answer(
            "verdict",
            NUMBERS,
            "faster, slower or not shown to differ, at one sort",
            expected=expect_verdict,
            keys=dict.fromkeys(OTHERS, 1),
        ),
        Answer("text", TEXT, "three sentences: what your class leaves out that the others have"),
    ),
    outcomes=lambda run: compute_ratios(run) | {"power": 2 ^ 18},
)
