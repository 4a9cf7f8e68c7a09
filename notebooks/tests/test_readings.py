"""What a claim's readings say together."""

import pandas as pd
import pytest

from handoff.claims.files import load_claim_files
from handoff.claims.readings import TOGETHER, combine_verdicts, describe_joint, tabulate_readings
from handoff.claims.verdicts import (
    CONTRADICTED,
    DIRECTION,
    FAILS,
    HOLDS,
    INCONCLUSIVE,
    NOT_MEASURED,
    NOT_TESTABLE,
    REPRODUCED,
)

TODAY = "sort of today"
POOL, STRIPED = "worker pool, release 3.4.4", "striped handlers, release 3.4.4"
OLD = "worker pool, release 3.2.0"
PAPER = load_claim_files()["scaling"]


def tabulate(*rows):
    """Return the table of readings of verdict rows (claim, reading, verdict)."""
    columns = ["claim", "reading", "verdict"]
    return tabulate_readings(PAPER, pd.DataFrame(rows, columns=columns))


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        ([REPRODUCED, INCONCLUSIVE], INCONCLUSIVE),
        ([CONTRADICTED, INCONCLUSIVE], INCONCLUSIVE),
        ([REPRODUCED, DIRECTION], DIRECTION),
        ([REPRODUCED, NOT_MEASURED], REPRODUCED),
        ([CONTRADICTED, FAILS], CONTRADICTED),
        ([NOT_TESTABLE, NOT_TESTABLE], NOT_TESTABLE),
    ],
)
def test_readings_that_agree_are_one_verdict(verdicts, together):
    assert combine_verdicts(PAPER.reading_list()[:2], verdicts) == together


@pytest.mark.parametrize(
    ("claim", "meaning", "verdicts"),
    [
        ("P6", "", {POOL: CONTRADICTED, STRIPED: CONTRADICTED, OLD: REPRODUCED}),
        ("P5", ", all threads", {POOL: FAILS, OLD: HOLDS}),
    ],
)
def test_a_claim_depends_on_the_one_option_that_turns_it(claim, meaning, verdicts):
    rows = ((claim, f"{way}, {TODAY}{meaning}", verdict) for way, verdict in verdicts.items())
    together = tabulate(*rows).loc[f"{claim}{meaning}", TOGETHER]
    assert together == "depends on: release 3.4.4 or release 3.2.0"


def test_the_columns_are_the_combinations_that_were_planned():
    old = "sort of 2015"
    table = tabulate(
        ("P1", TODAY, REPRODUCED), ("P1", old, REPRODUCED), ("P3", f"{POOL}, {old}", REPRODUCED)
    )
    assert table.columns.tolist() == [f"{POOL}, {old}", TOGETHER]
    assert table.loc["P1"].tolist() == [REPRODUCED, REPRODUCED]


def test_claims_of_one_program_stand_together_by_any_meaning_of_their_words():
    reading = f"{OLD}, {TODAY}"
    table = tabulate(
        ("P5", f"{reading}, all threads", FAILS),
        ("P5", f"{reading}, consumer threads", HOLDS),
        *((claim, reading, REPRODUCED) for claim in ("P6", "P9", "P12")),
    )
    assert describe_joint(PAPER.joint, table) == [
        f"P5, P6, P9 and P12 hold together under {reading}."
    ]


def test_what_keeps_claims_from_standing_together_is_named():
    reading = f"{POOL}, {TODAY}"
    table = tabulate(
        ("P5", f"{reading}, consumer threads", HOLDS),
        ("P6", reading, CONTRADICTED),
        ("P9", "", NOT_TESTABLE),
        ("P12", reading, REPRODUCED),
    )
    assert describe_joint(PAPER.joint, table) == [
        "No reading that was measured makes P5, P6, P9 and P12 hold together.",
        "Holds: P5, P12. Fails: P6. Not testable: P9.",
    ]
