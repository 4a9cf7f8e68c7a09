"""Lab 9: which decision saves what? Steps of the ladder, and the student's own next one."""

from handoff.labs.lab import JavaClass, Lab, Values, ask
from handoff.labs.lessons.exchange import compute_ratios, try_class, word_contrasts

DECISIONS = {
    "no_lock": ("TWO_LOCKS", "NO_LOCK", 1),
    "padding": ("NO_LOCK", "PADDED_CURSORS", 1),
    "release": ("PADDED_CURSORS", "RELEASE_ACQUIRE", 1),
    "remember": ("RELEASE_ACQUIRE", "CACHED_CURSORS", 1),
    "yours": ("CACHED_CURSORS", "YOURS", 1),
    "heavy": ("TWO_LOCKS", "CACHED_CURSORS", 300),
}
"""Mechanisms before and after each decision, and the sorts per event.

The student's class is compared with the step that makes the same decision: against the step before,
other differences between the two classes would count as the decision's.
"""

QUESTIONS = {
    "no_lock": "time of an event, a lock for each end ÷ no lock, 1 sort",
    "padding": "time of an event, cursors on one cache line ÷ a line each, 1 sort",
    "release": "time of an event, volatile ÷ release and acquire, 1 sort",
    "remember": "time of an event, reading the other side's cursor for every event ÷ remembering"
    " it, 1 sort",
    "yours": "time of an event, the package's step 5 ÷ your class, 1 sort",
    "heavy": "time of an event, a lock for each end ÷ step 5, 300 sorts",
}

LAB = Lab(
    number=9,
    predictions=ask(QUESTIONS, "times", 0.01, 1000),
    parts=(
        JavaClass("exchange", {"exchange": 4}, try_class),
        Values("numbers", dict.fromkeys(DECISIONS, 0.5)),
        Values(
            "verdict",
            dict.fromkeys(DECISIONS, 0.5),
            lambda known: word_contrasts(known, DECISIONS, "costs", "saves", "not shown"),
        ),
    ),
    own_class=True,
    outcomes=lambda run: compute_ratios(run, DECISIONS),
)
