"""Lab 6: can I build a better one? Publication, waiting, and a fair comparison of queues."""

from typing import Any

from handoff.labs.answers import Known, Numbers, OwnClass, Text
from handoff.labs.forks import Contrast, compute_ratios, word_contrasts
from handoff.labs.lab import Lab, Prediction

OTHERS = {"queue": "ARRAY_BLOCKING_QUEUE", "disruptor": "DISRUPTOR_WORKER_POOL"}
CONTRASTS = {
    f"over_{other}_{sorts}": Contrast("YOURS", mechanism, sorts)
    for other, mechanism in OTHERS.items()
    for sorts in (1, 300)
}


def expect_verdict(known: Known) -> dict[str, Any]:
    words = word_contrasts(known, CONTRASTS, "faster", "slower", "not shown to differ")
    return {other: words[f"over_{other}_1"] for other in OTHERS}


LAB = Lab(
    number=6,
    title="Can I build a better one?",
    question="What does a hand-over need, and what may be left out?",
    predictions=(
        *(
            Prediction.of_ratio(key, f"time with your class divided by the {key.split('_')[1]}'s")
            for key in CONTRASTS
        ),
        Prediction(
            "power",
            "what 2^18 is in Java; a published benchmark took it for its ring's size",
            whole=True,
        ),
    ),
    answers=(
        OwnClass("exchange", "a class MyExchange<T> implements Exchange<T>", 6),
        Numbers(
            "numbers",
            "time with your class divided by the others', as ratios of geometric means",
            dict.fromkeys(CONTRASTS, 0.5),
            lambda known: compute_ratios(known.measured, CONTRASTS),
        ),
        Numbers(
            "verdict",
            "faster, slower or not shown to differ, at one sort",
            dict.fromkeys(OTHERS, 1),
            expect_verdict,
        ),
        Text("three sentences: what your class leaves out that the others have"),
    ),
    outcomes=lambda run: compute_ratios(run, CONTRASTS) | {"power": 2 ^ 18},
)
