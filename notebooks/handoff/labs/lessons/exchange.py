"""Lab 6: can I build a better one? Publication, waiting, and a fair comparison of queues."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from handoff.labs import ownclass
from handoff.labs.bytecode import NAME
from handoff.labs.forks import LEVEL, compare
from handoff.labs.lab import JavaClass, Known, Lab, Tried, Values, ask
from handoff.labs.work import Work
from handoff.run.java.ownclass import hash_classes
from handoff.run.store.run import Run, read_run

Contrasts = Mapping[str, tuple[str, str, int]]
"""Two mechanisms whose times per event are divided, and the sorts per event, by name."""

OTHERS = {"queue": "ARRAY_BLOCKING_QUEUE", "disruptor": "DISRUPTOR_WORKER_POOL"}
CONTRASTS = {
    f"over_{other}_{sorts}": ("YOURS", mechanism, sorts)
    for other, mechanism in OTHERS.items()
    for sorts in (1, 300)
}


def compute_ratios(run: Run, contrasts: Contrasts) -> dict[str, float]:
    return {
        name: compare(run, "mechanism", of, to, sorts=sorts).ratio
        for name, (of, to, sorts) in contrasts.items()
    }


def word_contrasts(
    known: Known, contrasts: Contrasts, below: str, above: str, unclear: str
) -> dict[str, str]:
    """Return a word per contrast; `below` or `above` follows from the student's ratio, if given."""
    given = known.given.get("numbers", {})
    words = {}
    for name, (of, to, sorts) in contrasts.items():
        contrast = compare(known.measured, "mechanism", of, to, sorts=sorts)
        shown = above if given.get(name, contrast.ratio) > 1 else below
        words[name] = shown if contrast.p < LEVEL else unclear
    return words


def expect_verdict(known: Known) -> dict[str, Any]:
    words = word_contrasts(known, CONTRASTS, "faster", "slower", "not shown to differ")
    return {other: words[f"over_{other}_1"] for other in OTHERS}


def try_class(work: Work, hidden: bool = False) -> Tried:
    """Try the student's class; the one that was measured, if any, must be made of this source."""
    java, source = ownclass.prepare_java(), ownclass.read_source(NAME)
    with tempfile.TemporaryDirectory(prefix="handoff-java-") as folder:
        made = Path(folder)
        ownclass.compile_class(java, source, made)
        share, fault = ownclass.judge_class(java, made)
        if fault:
            return share, fault
        for run in map(read_run, work.run_folders[-1:]):
            # The classes of another JDK's compiler cannot be compared.
            same_jdk = run.identity["jdk"] == java.runtime
            if same_jdk and run.sweep.jvm.yours != f"{NAME}@{hash_classes(made)}":
                return 0.0, "another class than this one was measured: measure again"
    return 1.0, "its fields are safe; neither hammering nor the model checker finds a fault"


RATIOS = {key: f"time with your class divided by the {key.split('_')[1]}'s" for key in CONTRASTS}
POWER = {"power": "what 2^18 is in Java; a published benchmark took it for its ring's size"}

LAB = Lab(
    number=6,
    predictions=ask(RATIOS, "times", 0.01, 1000) | ask(POWER, "in decimal", 0, 1e9, int),
    parts=(
        JavaClass("exchange", {"exchange": 6}, try_class),
        Values("numbers", dict.fromkeys(CONTRASTS, 0.5)),
        Values("verdict", dict.fromkeys(OTHERS, 1), expect_verdict),
    ),
    own_class=True,
    outcomes=lambda run: compute_ratios(run, CONTRASTS) | {"power": 2 ^ 18},
)
