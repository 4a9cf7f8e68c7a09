"""Lab 6: can I build a better one? Publication, waiting, and a fair comparison of queues."""

from collections.abc import Mapping
from typing import Any

from handoff.labs.forks import LEVEL, Contrast, compare_groups, list_groups
from handoff.labs.lab import JavaClass, Known, Lab, Values, ask
from handoff.labs.ownclass import try_class
from handoff.run.store.run import Run

Contrasts = Mapping[str, tuple[str, str, int]]
"""Two mechanisms whose times per event are divided, and the sorts per event, by name."""

OTHERS = {"queue": "ARRAY_BLOCKING_QUEUE", "disruptor": "DISRUPTOR_WORKER_POOL"}
CONTRASTS = {
    f"over_{other}_{sorts}": ("YOURS", mechanism, sorts)
    for other, mechanism in OTHERS.items()
    for sorts in (1, 300)
}


def compare(run: Run, contrasts: Contrasts) -> dict[str, Contrast]:
    return {
        name: compare_groups(*list_groups(run, "mechanism", of, to, sorts=sorts))
        for name, (of, to, sorts) in contrasts.items()
    }


def compute_ratios(run: Run, contrasts: Contrasts) -> dict[str, float]:
    return {name: contrast.ratio for name, contrast in compare(run, contrasts).items()}


def word_contrasts(
    known: Known, contrasts: Contrasts, below: str, above: str, unclear: str
) -> dict[str, str]:
    """Return a word per contrast; `below` or `above` follows from the student's ratio, if given."""
    given = known.given.get("numbers", {})
    words = {}
    for name, contrast in compare(known.measured, contrasts).items():
        shown = above if given.get(name, contrast.ratio) > 1 else below
        words[name] = shown if contrast.p < LEVEL else unclear
    return words


def expect_verdict(known: Known) -> dict[str, Any]:
    words = word_contrasts(known, CONTRASTS, "faster", "slower", "not shown to differ")
    return {other: words[f"over_{other}_1"] for other in OTHERS}


RATIOS = {key: f"time with your class divided by the {key.split('_')[1]}'s" for key in CONTRASTS}
POWER = {"power": "what 2^18 is in Java; a published benchmark took it for its ring's size"}

LAB = Lab(
    number=6,
    title="Can I build a better one?",
    question="What does a hand-over need, and what may be left out?",
    predictions=(*ask(RATIOS, "times", 0.01, 1000), *ask(POWER, whole=True)),
    parts=(
        JavaClass("exchange", 6, try_class),
        Values("numbers", dict.fromkeys(CONTRASTS, 0.5)),
        Values("verdict", dict.fromkeys(OTHERS, 1), expect_verdict),
    ),
    own_class=True,
    outcomes=lambda run: compute_ratios(run, CONTRASTS) | {"power": 2 ^ 18},
)
