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
    judged = [row for row in rows if row["judged"]]
    kinds = {row["claim"]: [classify(a["verdict"]) for a in row["answers"]] for row in judged}
    rest = [claim for claim, kind in kinds.items() if OPEN in kind]
    forced = [row for row in rows if row["forced"] and not row["judged"]]
    groups = {
        "Holds, then and today": [
            name_held(row) for row in judged if set(kinds[row["claim"]]) == {YES}
        ],
        "Fails, then and today": [claim for claim, kind in kinds.items() if set(kind) == {NO}],
        "Depends on the setting": [
            name_answers(row, kinds[row["claim"]])
            for row in judged
            if {YES, NO} <= set(kinds[row["claim"]])
        ],
        "Not decided in at least one setting": rest,
        "Decided by the programs' code, so that nothing was judged": [
            name_answers(row, [classify(a["verdict"]) for a in row["answers"]]) for row in forced
        ],
    }
    sentences = [f"**{head}:** {join_words(names)}." for head, names in groups.items() if names]
    limits = f"{describe_usual(find_primary().name, table)} {describe_untestable(rows)}"
    return ["\n\n".join([*sentences, f"**What this machine cannot say:** {limits}"])]


def name_held(row: dict) -> str:
    """Return a claim that holds, with what a bare direction leaves open."""
    sized = any(answer["verdict"] not in DIRECTIONS for answer in row["answers"])
    return row["claim"] if sized else f"{row['claim']} (its direction)"


def name_answers(row: dict, kinds: list[str]) -> str:
    """Return 'P6 (holds then, fails today)', or 'P1 (holds)' where the settings agree."""
    if len(set(kinds)) == 1:
        return f"{row['claim']} ({kinds[0]})"
    named = [f"{kind} {a['setting']}" for kind, a in zip(kinds, row["answers"], strict=True)]
    return f"{row['claim']} ({', '.join(named)})"


def classify(verdict: str) -> str:
    """Return whether a verdict says that the claim holds: 'holds', 'fails' or 'open'."""
    if verdict in (*HOLD, *DIRECTIONS):
        return YES
    return NO if verdict in FAIL else OPEN
