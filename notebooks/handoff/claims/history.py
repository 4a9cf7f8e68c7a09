"""How the tests of the claims came to be: their changes, and a record that none stays unsaid."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from handoff.claims.files import load_claim_files
from handoff.claims.model import Claim, ClaimFile, Revision
from handoff.errors import BadInput
from handoff.files import write_text
from handoff.paths import RECORDED_TESTS, display_path

UNDECIDING = {"place", "figure", "because", "changed"}
"""Keys of a claim with which neither its words nor its verdict change."""

COMMON = {"study", "source", "tables", "changed", "claims"}
"""Keys of a claim file with which no verdict changes, and its claims."""

BITS = 16
"""Hexadecimal digits of a hash."""


class RecordedTest(NamedTuple):
    """The hash of what decides about a claim, and the number of changes that are said of it."""

    hash: str
    changes: int


def hash_claim(file: ClaimFile, claim: Claim) -> str:
    """Return a hash of the claim's words, and of all in its file that decides about it.

    The order of keys does not matter, that of choices does: the first one is judged.
    """
    common = file.model_dump(mode="json", exclude_defaults=True, exclude=COMMON)
    if file.load:
        # The sentence decides nothing.
        common["load"]["unknown"] = bool(file.load.unknown)
    parts = {
        "claim": claim.model_dump(mode="json", exclude_defaults=True, exclude=UNDECIDING),
        "common": keep_used(common, {str(value) for value in claim.values()}),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:BITS]


def keep_used(part: Any, used: set[str]) -> Any:
    """Return a part of a claim file without the placeholders that a claim does not use.

    What is then empty is left out. Other mappings become lists, because their order matters.
    """
    if isinstance(part, Mapping):
        kept = {}
        for key, value in part.items():
            if not key.isupper():
                kept[key] = keep_used(value, used)
            elif key in used:
                kept[key] = value
        filled = {key: value for key, value in kept.items() if value not in ({}, [])}
        return filled if all(key.isupper() for key in filled) else list(filled.items())
    if isinstance(part, list):
        items = [keep_used(item, used) for item in part]
        return [item for item in items if item not in ({}, [])]
    return part


def describe_tests() -> dict[str, RecordedTest]:
    """Return what the claim files of today would have recorded, by claim."""
    tests = {}
    for file in load_claim_files().values():
        for identity, claim in file.claims.items():
            changes = len(file.changed) + len(claim.changed)
            tests[identity] = RecordedTest(hash_claim(file, claim), changes)
    return tests


def load_recorded() -> dict[str, RecordedTest]:
    """Return what was recorded last, by claim; {} if nothing was."""
    if not RECORDED_TESTS.exists():
        return {}
    rows = csv.DictReader(io.StringIO(RECORDED_TESTS.read_text(encoding="utf-8")))
    return {row["claim"]: RecordedTest(row["hash"], int(row["changes"])) for row in rows}


def list_unsaid(
    recorded: Mapping[str, RecordedTest], tests: Mapping[str, RecordedTest]
) -> list[str]:
    """Return a sentence per recorded claim that changed, or is gone, and does not say so."""
    sentences = []
    for identity, before in recorded.items():
        now = tests.get(identity)
        if now is None:
            sentences.append(f"{identity} is gone: a claim whose data were seen stays.")
        elif now.changes < before.changes:
            sentences.append(f"{identity} has fewer entries of 'changed' than were recorded.")
        elif now.hash != before.hash and now.changes == before.changes:
            sentences.append(
                f"{identity}: its words, its test or what its file says for it changed:"
                " add an entry to its key 'changed', or to that of its file."
            )
    return sentences


def record_tests() -> None:
    """Record the tests of today; raise BadInput if one changed and does not say so."""
    tests = describe_tests()
    if unsaid := list_unsaid(load_recorded(), tests):
        raise BadInput(f"{display_path(RECORDED_TESTS)}: not recorded. {' '.join(unsaid)}")
    lines = [f"{claim},{test.hash},{test.changes}" for claim, test in sorted(tests.items())]
    write_text(RECORDED_TESTS, "\n".join(["claim,hash,changes", *lines]) + "\n")


def list_history(studies: Iterable[str]) -> list[dict]:
    """Return each change of the tests of these studies, those of all claims of a study first."""
    rows = []
    files = load_claim_files()
    for study in studies:
        if study not in files:
            continue
        rows += describe_revisions(f"all of {study}", files[study].changed)
        for identity, claim in files[study].claims.items():
            rows += describe_revisions(identity, claim.changed)
    return rows


def describe_seen(file: ClaimFile) -> str:
    """Name the claims whose tests or words changed after data had been seen; '' for none."""
    seen = [name for name, claim in file.claims.items() if any(r.seen for r in claim.changed)]
    return f"Test or words changed after data had been seen: {', '.join(seen)}." if seen else ""


def describe_revisions(claim: str, revisions: Iterable[Revision]) -> list[dict]:
    return [
        {"claim": claim, "date": str(r.date), "what": r.what, "seen": r.seen} for r in revisions
    ]
