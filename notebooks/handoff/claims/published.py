"""What a source's own numbers say of its claims: the same tests, on its published tables."""

from typing import NamedTuple

from handoff.claims.bounds import Bounds
from handoff.claims.evaluation import Evaluation, evaluate_check
from handoff.claims.formatting import format_value
from handoff.claims.locations import describe_locations
from handoff.claims.model import Claim, ClaimFile
from handoff.claims.observations import Observations
from handoff.claims.readers import observe_tables

NO_NUMBERS = "no numbers"


class PublishedResult(NamedTuple):
    """One machine of the source, under one reading: whether the claim holds there, or its direction
    alone, and the numbers in words.

    `weakest` has for each check of the claim the number that is furthest from what is claimed, and
    what that is.
    """

    machine: str
    reading: str
    holds: bool
    direction: bool
    detail: str
    weakest: tuple[tuple[float, Bounds], ...]

    def in_words(self) -> str:
        said = (
            "holds"
            if self.holds
            else "only the direction holds"
            if self.direction
            else "does not hold"
        )
        return f"{said} ({self.detail})"


def evaluate_file(file: ClaimFile) -> dict[str, list[PublishedResult]]:
    """By claim; an empty list where the source published no numbers for it."""
    tables = observe_tables(file)
    return {
        identity: evaluate_claim(file, claim, tables) for identity, claim in file.claims.items()
    }


def evaluate_claim(
    file: ClaimFile, claim: Claim, tables: dict[str, Observations]
) -> list[PublishedResult]:
    found: list[PublishedResult] = []
    for machine, observed in tables.items():
        by_reading = {
            r.of_claim(claim): [
                evaluate_check(check, observed, r.bindings()) for check in claim.test
            ]
            for r in file.reading_list()
        }
        complete = {
            name: w for name, w in by_reading.items() if w and all(each.comparisons for each in w)
        }
        # A reading whose mechanisms the source did not measure has fewer comparisons: it is not
        # what the source says.
        most = max((count_comparisons(w) for w in complete.values()), default=0)
        for name, weighed in complete.items():
            if count_comparisons(weighed) == most:
                holds, direction = (
                    all(w.holds for w in weighed),
                    all(w.direction_holds for w in weighed),
                )
                weakest = tuple(
                    (max((c.found for c in w.comparisons), key=w.claimed.beyond).ratio, w.claimed)
                    for w in weighed
                )
                text = "; ".join(describe_evaluation(w) for w in weighed)
                found.append(PublishedResult(machine, name, holds, direction, text, weakest))
    return found


def count_comparisons(weighed: list[Evaluation]) -> int:
    return sum(len(w.comparisons) for w in weighed)


def describe_evaluation(weighed: Evaluation) -> str:
    """'3.0 to 4.6', or '0.26 to 12.7, not at pekko, threads 1–2' where it does not
    hold everywhere.
    """
    numbers = sorted(c.found.ratio for c in weighed.comparisons)
    spread = (
        format_value(numbers[0])
        if len(numbers) == 1
        else f"{format_value(numbers[0])} to {format_value(numbers[-1])}"
    )
    good = [c.at for c in weighed.comparisons if weighed.claimed.holds(c.found)]
    bad = [c.at for c in weighed.comparisons if not weighed.claimed.holds(c.found)]
    if weighed.lacking:
        spread += f" at {describe_locations(weighed.check, good + bad)}"
    if not good or not bad:
        return spread
    return (
        f"{spread}; only at {describe_locations(weighed.check, good)}"
        if len(good) < len(bad)
        else f"{spread}; not at {describe_locations(weighed.check, bad)}"
    )


def select_for_reading(
    theirs: list[PublishedResult], reading: str, judged: set[str]
) -> list[PublishedResult]:
    """Those under the reading, and those under one that we cannot judge, such as a release that is
    no more; all where there are none.
    """
    return [t for t in theirs if t.reading == reading or t.reading not in judged] or theirs


def describe_published(theirs: list[PublishedResult], reading: str, judged: set[str]) -> str:
    """For a table: 'holds (5.0)', 'does not hold (0.9)', of several machines each."""
    own = select_for_reading(theirs, reading, judged)
    if not own:
        return NO_NUMBERS
    if len(own) == 1:
        return own[0].in_words()
    return "; ".join(
        f"{t.machine}{f', {t.reading}' if t.reading else ''}: {t.in_words()}" for t in own
    )
