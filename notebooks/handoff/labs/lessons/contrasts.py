"""Contrasts of two mechanisms: a ratio of times, and a word where a test shows a difference."""

from collections.abc import Mapping
from typing import NamedTuple

from handoff.labs.answers import Known
from handoff.labs.forks import LEVEL, compare_groups, list_fork_means
from handoff.run.store.run import Run


class Contrast(NamedTuple):
    """Two mechanisms whose times per event are divided, and the sorts per event."""

    of: str
    to: str
    sorts: int

    def compare(self, run: Run) -> tuple[float, float]:
        """Return the ratio of the times, and Welch's p."""
        groups = [list_fork_means(run, mechanism=m, sorts=self.sorts) for m in (self.of, self.to)]
        return compare_groups(*groups)


Contrasts = Mapping[str, Contrast]


def compute_ratios(run: Run, contrasts: Contrasts) -> dict[str, float]:
    return {name: contrast.compare(run)[0] for name, contrast in contrasts.items()}


def word_contrasts(
    known: Known, contrasts: Contrasts, below: str, above: str, unclear: str
) -> dict[str, str]:
    """Return a word per contrast; `below` or `above` follows from the student's ratio, if given."""
    given = known.given.get("numbers", {})
    words = {}
    for name, contrast in contrasts.items():
        ratio, p = contrast.compare(known.measured)
        shown = above if given.get(name, ratio) > 1 else below
        words[name] = shown if p < LEVEL else unclear
    return words
