"""What a source's own numbers say of its claims: the same tests, on its published tables."""

from typing import NamedTuple

from handoff.judge.claims import Claim, ClaimFile
from handoff.judge.observed import Observed, of_tables
from handoff.judge.places import places
from handoff.judge.weigh import Weighed, weigh
from handoff.judge.words import value
from handoff.judge.zones import Zone

NO_NUMBERS = "no numbers"


class Theirs(NamedTuple):
    """One machine of the source, under one reading: whether the claim holds there, or its direction alone, and the numbers in words.

    `weakest` has for each check of the claim the number that is furthest from what is claimed, and what that is.
    """

    machine: str
    reading: str
    holds: bool
    direction: bool
    detail: str
    weakest: tuple[tuple[float, Zone], ...]

    def in_words(self) -> str:
        said = "holds" if self.holds else "only the direction holds" if self.direction else "does not hold"
        return f"{said} ({self.detail})"


def of_file(file: ClaimFile) -> dict[str, list[Theirs]]:
    """By claim; an empty list where the source published no numbers for it."""
    tables = of_tables(file)
    return {identity: of_claim(file, claim, tables) for identity, claim in file.claims.items()}


def of_claim(file: ClaimFile, claim: Claim, tables: dict[str, Observed]) -> list[Theirs]:
    found: list[Theirs] = []
    for machine, observed in tables.items():
        by_reading = {r.of_claim(claim): [weigh(check, observed, r.bindings()) for check in claim.test] for r in file.reading_list()}
        complete = {name: w for name, w in by_reading.items() if w and all(each.comparisons for each in w)}
        # A reading whose mechanisms the source did not measure has fewer comparisons: it is not what the source says.
        most = max((compared(w) for w in complete.values()), default=0)
        for name, weighed in complete.items():
            if compared(weighed) == most:
                holds, direction = all(w.holds for w in weighed), all(w.direction_holds for w in weighed)
                weakest = tuple((max((c.found for c in w.comparisons), key=w.claimed.beyond).ratio, w.claimed) for w in weighed)
                told = "; ".join(detail(w) for w in weighed)
                found.append(Theirs(machine, name, holds, direction, told, weakest))
    return found


def compared(weighed: list[Weighed]) -> int:
    return sum(len(w.comparisons) for w in weighed)


def detail(weighed: Weighed) -> str:
    """'3.0 to 4.6', or '0.26 to 12.7, not at pekko, threads 1–2' where it does not hold everywhere."""
    numbers = sorted(c.found.ratio for c in weighed.comparisons)
    spread = value(numbers[0]) if len(numbers) == 1 else f"{value(numbers[0])} to {value(numbers[-1])}"
    good = [c.at for c in weighed.comparisons if weighed.claimed.holds(c.found)]
    bad = [c.at for c in weighed.comparisons if not weighed.claimed.holds(c.found)]
    if weighed.lacking:
        spread += f" at {places(weighed.check, good + bad)}"
    if not good or not bad:
        return spread
    return f"{spread}; only at {places(weighed.check, good)}" if len(good) < len(bad) else f"{spread}; not at {places(weighed.check, bad)}"


def own_of(theirs: list[Theirs], reading: str, judged: set[str]) -> list[Theirs]:
    """Those under the reading, and those under one that we cannot judge, such as a release that is no more; all where there are none."""
    return [t for t in theirs if t.reading == reading or t.reading not in judged] or theirs


def in_words(theirs: list[Theirs], reading: str, judged: set[str]) -> str:
    """For a table: 'holds (5.0)', 'does not hold (0.9)', of several machines each."""
    own = own_of(theirs, reading, judged)
    if not own:
        return NO_NUMBERS
    if len(own) == 1:
        return own[0].in_words()
    return "; ".join(f"{t.machine}{f', {t.reading}' if t.reading else ''}: {t.in_words()}" for t in own)
