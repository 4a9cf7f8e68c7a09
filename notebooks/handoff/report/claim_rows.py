"""One row per claim: what was found under which reading, the verdict, and what is missing."""

import math
from typing import Any

import pandas as pd

from handoff.claims.figure import format_ours
from handoff.claims.files import load_claim_files
from handoff.claims.model import Claim
from handoff.claims.readings import SPLIT, combine_claim
from handoff.claims.report import ClaimsReport
from handoff.claims.sentences import format_bounds
from handoff.claims.verdicts import DIRECTION, FORCED, INCONCLUSIVE, JUDGED
from handoff.draw.words import join_words
from handoff.text import format_value, pluralize

OTHER, SOME = "other readings", "some readings"


def tabulate_claims(claims: ClaimsReport, study: str) -> list[dict]:
    """Return one row per claim of a study, in the order of its claim file."""
    table = claims.of(study)
    return [
        summarize_claim(identity, claim, table[table["claim"] == identity])
        for identity, claim in load_claim_files()[study].claims.items()
        if (table["claim"] == identity).any()
    ]


def summarize_claim(identity: str, claim: Claim, rows: pd.DataFrame) -> dict:
    """Return the claim's row: `lines` has one entry per verdict that its readings get.

    `judged` says whether any verdict rests on forks, `forced` whether construction decides.
    """
    lines = list_lines(rows)
    verdicts = {line["verdict"] for line in lines}
    return {
        "claim": identity,
        "says": claim.says,
        "figure": claim.figure,
        "claimed": describe_sameness(claim),
        "lines": lines,
        "depends": combine_claim(list(rows["verdict"])) == SPLIT,
        "judged": bool(verdicts & set(JUDGED)),
        "forced": bool(verdicts & set(FORCED)),
        "rest": describe_rest(claim, rows),
    }


def describe_sameness(claim: Claim) -> str:
    """Return which ratios a claim that two programs are alike allows, or '' for other claims."""
    ranges = [check.claimed for check in claim.test if check.to is not None]
    same = [claimed for claimed in ranges if 0 < claimed.low < 1 < claimed.high < math.inf]
    return f"; 'the same' is {format_bounds(same[0])}" if same else ""


def list_lines(rows: pd.DataFrame) -> list[dict]:
    """Return one entry per verdict: its words, its first reading's estimate, its readings.

    `readings` is their number, `reading` what they have in common.
    """
    groups = dict(list(rows.groupby("verdict", sort=False)))
    names = name_readings([alike["reading"].tolist() for alike in groups.values()])
    return [
        {
            "verdict": verdict,
            "words": alike["words"].iloc[0],
            "compared": alike["compared"].iloc[0],
            "ours": format_ours(next(alike.itertuples())),
            "spread": describe_spread(alike["ours"].dropna()),
            "reading": name,
            "readings": len(alike),
        }
        for (verdict, alike), name in zip(groups.items(), names, strict=True)
    ]


def name_readings(groups: list[list[str]]) -> list[str]:
    """Return what the readings of each group, and no others, have in common; '' for one group.

    Without such a thing: OTHER for a single group, SOME for several.
    """
    if len(groups) < 2:
        return [""] * len(groups)
    parts = [[reading.split(", ") for reading in group] for group in groups]
    shared = set.intersection(*(set(reading) for group in parts for reading in group))
    names = []
    for group in parts:
        common = set.intersection(*map(set, group)) - shared
        others = [reading for other in parts if other is not group for reading in other]
        alone = common and not any(common <= set(reading) for reading in others)
        names.append(", ".join(part for part in group[0] if part in common) if alone else "")
    last = OTHER if names.count("") == 1 else SOME
    return [name or last for name in names]


def describe_spread(estimates: pd.Series) -> str:
    """Return the range of the estimates of several readings, or ''."""
    if len(estimates) < 2:
        return ""
    low, high = format_value(estimates.min()), format_value(estimates.max())
    return f"{low} to {high} over {len(estimates)} readings" if low != high else ""


def describe_rest(claim: Claim, rows: pd.DataFrame) -> str:
    """Return what is missing for the rest of the claim, as an incomplete sentence."""
    judged = rows[rows["verdict"].isin(JUDGED)]
    if judged.empty:
        # What follows the reason of a forced verdict is what was measured.
        reason = rows["reason"].iloc[0].partition("; here ")[0].rstrip(".")
        return reason[:1].lower() + reason[1:]
    parts = []
    least = judged.loc[judged["points_judged"].astype(float).idxmin()]
    left = int(least["points_claimed"] - least["points_judged"])
    if left:
        needs = f"{claim.needs.all} cores for " if claim.needs.all else ""
        parts.append(f"{needs}the other {pluralize(left, 'point')}")
    undecided = judged[judged["verdict"] == INCONCLUSIVE]
    if len(undecided):
        first = " the first reading" if len(undecided) > 1 else ""
        parts.append(describe_effort(undecided.iloc[0]) + first)
    if (judged["verdict"] == DIRECTION).any():
        parts.append("the source's time per event, for a size")
    return "; ".join(parts)


def describe_effort(row: Any) -> str:
    """Return the forks or sessions that would decide an inconclusive claim."""
    ways = [
        f"about {pluralize(int(row[name]), thing)}"
        for name, thing in (("forks_needed", "fork"), ("sessions_needed", "session"))
        if pd.notna(row[name])
    ]
    return f"{' or '.join(ways)} to decide" if ways else "no reasonable number of forks decides"


def group_untestable(rows: list[dict]) -> str:
    """Return one sentence on the claims that were not judged, by reason; '' if there are none."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if not row["judged"] and not row["forced"]:
            reasons.setdefault(row["rest"], []).append(row["claim"])
    parts = [f"{join_words(names)} ({reason})" for reason, names in reasons.items()]
    return f"Not judged: {'; '.join(parts)}." if parts else ""
