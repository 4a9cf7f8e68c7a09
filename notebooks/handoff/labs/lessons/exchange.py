"""Lab 6: can I build a better one? Publication, waiting, and a fair comparison of queues."""

from typing import Any

from handoff.labs.bytecode import NAME
from handoff.labs.forks import Contrast, compute_ratios, word_contrasts
from handoff.labs.lab import Lab, Prediction
from handoff.labs.parts import JavaClass, Known, Values

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
    parts=(
        JavaClass("exchange", 6, NAME),
        Values(
            "numbers",
            dict.fromkeys(CONTRASTS, 0.5),
            lambda known: compute_ratios(known.measured, CONTRASTS),
        ),
        Values("verdict", dict.fromkeys(OTHERS, 1), expect_verdict),
    ),
    outcomes=lambda run: compute_ratios(run, CONTRASTS) | {"power": 2 ^ 18},
)
