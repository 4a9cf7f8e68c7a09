"""What the settings of the study have in common, and where they differ."""

import pandas as pd

from handoff.claims.claim_rows import describe_untestable, describe_usual
from handoff.claims.verdicts import CONTRADICTED, DIRECTIONS, FAILS, HOLDS, REPRODUCED
from handoff.draw.words import join_words
from handoff.study import find_primary

TOGETHER = ("P5", "P6", "P12")
"""Claims about CPU usage that the study states of the same programs."""

HOLD = (REPRODUCED, HOLDS)
FAIL = (CONTRADICTED, FAILS)

YES = "holds"
NO = "fails"
OPEN = "open"


def describe_conflict(rows: list[dict]) -> list[str]:
    """Return that no setting has the CPU usage of the study, where each fails one of the claims.

    Each of the claims must hold in some setting, or the claims themselves would say as much.
    """
    known = {row["claim"]: {a["setting"]: a for a in row["answers"]} for row in rows}
    if not set(TOGETHER) <= known.keys():
        return []
    answers = {claim: known[claim] for claim in TOGETHER}
    settings = list(answers[TOGETHER[0]])
    failing = {
        setting: [claim for claim in TOGETHER if answers[claim][setting]["verdict"] in FAIL]
        for setting in settings
    }
    alone = all(
        any(answer["verdict"] in HOLD for answer in found.values()) for found in answers.values()
    )
    if len(settings) < 2 or not alone or not all(failing.values()):
        return []
    words = "; ".join(f"{setting}, not {join_words(names)}" for setting, names in failing.items())
    return [f"In no setting do {join_words(list(TOGETHER))} hold together: {words}."]


def describe_results(table: pd.DataFrame, rows: list[dict]) -> list[str]:
    """Return what holds, what does not or depends on the setting, and what stays open, for README.

    `table` has the rows of `verdict_table` for the primary study, `rows` those made of it.
    """
    known = [row for row in rows if row["judged"] or row["forced"]]
    kinds = {
        row["claim"]: [classify(answer["verdict"]) for answer in row["answers"]] for row in known
    }
    always = [claim for claim, kind in kinds.items() if set(kind) == {YES}]
    never = [claim for claim, kind in kinds.items() if set(kind) == {NO}]
    mixed = []
    for row in known:
        kind = kinds[row["claim"]]
        if {YES, NO} <= set(kind):
            named = [f"{word} {a['setting']}" for word, a in zip(kind, row["answers"], strict=True)]
            mixed.append(f"{row['claim']} ({', '.join(named)})")
    rest = [claim for claim, kind in kinds.items() if OPEN in kind]
    sentences = [
        f"**Holds in every setting:** {join_words(always)}." if always else "",
        f"**Holds in no setting:** {join_words(never)}." if never else "",
        f"**Depends on the setting:** {join_words(mixed)}." if mixed else "",
        f"**Not decided in some setting:** {join_words(rest)}." if rest else "",
        f"**This machine cannot say more:** {describe_usual(find_primary().name, table)}"
        f" {describe_untestable(rows)}",
    ]
    return ["\n\n".join(filter(None, sentences))]


def classify(verdict: str) -> str:
    """Return whether a verdict says that the claim holds: 'holds', 'fails' or 'open'."""
    if verdict in (*HOLD, *DIRECTIONS):
        return YES
    return NO if verdict in FAIL else OPEN
