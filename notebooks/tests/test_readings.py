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

POOL, STRIPED = "worker pool, release 3.4.4", "striped handlers, release 3.4.4"
OLD = "worker pool, release 3.2.0"


@pytest.fixture
def paper():
    return load_claim_files()["scaling"]


def list_rows(*rows):
    """Return verdict rows from (claim, reading, verdict)."""
    return pd.DataFrame(rows, columns=["claim", "reading", "verdict"])


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
def test_readings_that_agree_are_one_verdict(paper, verdicts, together):
    assert combine_verdicts(paper.reading_list()[:2], verdicts) == together


def test_a_claim_depends_on_the_one_option_that_turns_it(paper):
    rows = list_rows(
        ("P6", f"{POOL}, sort of today", CONTRADICTED),
        ("P6", f"{STRIPED}, sort of today", CONTRADICTED),
        ("P6", f"{OLD}, sort of today", REPRODUCED),
    )
    together = tabulate_readings(paper, rows).loc["P6", TOGETHER]
    assert together == "depends on: release 3.4.4 or release 3.2.0"


def test_what_a_release_forces_counts_as_standing_or_failing(paper):
    rows = list_rows(
        ("P5", f"{POOL}, sort of today, all threads", FAILS),
        ("P5", f"{OLD}, sort of today, all threads", HOLDS),
    )
    together = tabulate_readings(paper, rows).loc["P5, all threads", TOGETHER]
    assert together == "depends on: release 3.4.4 or release 3.2.0"


def test_the_columns_are_the_combinations_that_were_planned(paper):
    rows = list_rows(
        ("P1", "sort of today", REPRODUCED),
        ("P1", "sort of 2015", REPRODUCED),
        ("P3", f"{POOL}, sort of 2015", REPRODUCED),
    )
    table = tabulate_readings(paper, rows)
    assert table.columns.tolist() == [f"{POOL}, sort of 2015", TOGETHER]
    assert table.loc["P1"].tolist() == [REPRODUCED, REPRODUCED]


def test_claims_of_one_program_stand_together_by_any_meaning_of_their_words(paper):
    reading = f"{OLD}, sort of today"
    rows = list_rows(
        ("P5", f"{reading}, all threads", FAILS),
        ("P5", f"{reading}, consumer threads", HOLDS),
        *((claim, reading, REPRODUCED) for claim in ("P6", "P9", "P12")),
    )
    table = tabulate_readings(paper, rows)
    assert describe_joint(paper.joint, table) == [
        f"P5, P6, P9, P12 together stand under {reading}."
    ]


def test_what_keeps_claims_from_standing_together_is_named(paper):
    reading = f"{POOL}, sort of today"
    rows = list_rows(
        ("P5", f"{reading}, consumer threads", HOLDS),
        ("P6", reading, CONTRADICTED),
        ("P9", "", NOT_TESTABLE),
        ("P12", reading, REPRODUCED),
    )
    assert describe_joint(paper.joint, tabulate_readings(paper, rows)) == [
        "P5, P6, P9, P12 together stand under no reading that was measured.",
        f"Stands: P5, P12. Fails: P6. Undecided: P9 ({reading}).",
    ]
