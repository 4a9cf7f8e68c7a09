"""Copies: forks, tickets, pseudonyms and answers of two students, and published solutions."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from handoff.labs.answers import Numbers
from handoff.labs.lab import load_lab
from handoff.labs.teaching import read_solutions
from handoff.labs.work import hash_text

if TYPE_CHECKING:
    from handoff.grade.grading import Graded

SHORTEST = 40
"""Characters of an answer, without spaces, from which on two equal ones are worth a look."""

HELD = "held: your teacher has to look at this pack before it gets points"


def condense(text: str) -> str:
    """Return a hash of an answer without its spaces and marks; '' of a short one."""
    bare = re.sub(r"\s|(//|#)+ ?(BEGIN|END) ?SOLUTION", "", text)
    return hash_text(bare) if len(bare) >= SHORTEST else ""


def hold_copies(graded: Sequence["Graded"], cleared: Sequence[str]) -> list["Graded"]:
    """Hold every pack that shares forks, a ticket or a pseudonym with another student's.

    Neither side gets points until a person decides, who lists the pseudonyms or files of the packs
    that get theirs in the course's `cleared`.
    """
    sharing = {name for _, names in list_shared(graded) for name in names}
    return [
        pack._replace(held=HELD)
        if pack.file in sharing and not {pack.file, pack.pseudonym} & set(cleared)
        else pack
        for pack in graded
    ]


def list_shared(graded: Sequence["Graded"]) -> list[tuple[str, list[str]]]:
    """List the forks, tickets and pseudonyms that several students' packs share, with the files."""
    places: dict[tuple[str, str], list[Graded]] = defaultdict(list)
    for pack in graded:
        marks = {("the same forks", mark) for mark in pack.fingerprints}
        if pack.lab:
            who = f"{pack.lab} {pack.pseudonym}"
            marks |= {("the same ticket", pack.ticket), ("the same pseudonym", who)}
        for mark in marks:
            places[mark].append(pack)
    shared = {
        (what, tuple(sorted({pack.file for pack in packs})))
        for (what, _), packs in places.items()
        if len({(pack.pseudonym, pack.participant) for pack in packs}) > 1
    }
    return [(what, list(files)) for what, files in sorted(shared)]


def list_alike(graded: Sequence["Graded"]) -> list[tuple[str, list[str]]]:
    """List equal answers of several students, and those that are the published solution."""
    places: dict[tuple[int, str, str], set[tuple[str, str]]] = defaultdict(set)
    for pack in graded:
        for name, mark in pack.condensed.items():
            if pack.lab and mark and is_compared(pack.lab, name):
                places[pack.lab, name, mark].add((pack.pseudonym, pack.file))
    found = []
    for (lab, name, mark), packs in sorted(places.items()):
        published = mark in hash_solutions(lab)
        if published or len({pseudonym for pseudonym, _ in packs}) > 1:
            what = "is the published solution" if published else "is the same"
            found.append((f"lab {lab}, answer {name}, {what}", sorted(file for _, file in packs)))
    return found


def is_compared(lab: int, name: str) -> bool:
    """Return whether equal answers of this name mean anything; equal numbers need equal forks."""
    answer = load_lab(lab).find_answer(name)
    return not isinstance(answer, Numbers) or answer.judge is not None


@cache
def hash_solutions(lab: int) -> frozenset[str]:
    return frozenset(condense(text) for text in read_solutions(load_lab(lab)).values())


def format_copies(graded: Sequence["Graded"]) -> str:
    """Return the page for the teacher; no student sees it."""
    shared, alike = list_shared(graded), list_alike(graded)
    replaced = [pack for pack in graded if pack.replaced]
    parts = ["# Copies\n\nFor the teacher only; no page for students names another student."]
    parts.append("## Held\n\nNone." if not shared else "## Held\n\n" + format_items(shared))
    if shared:
        parts.append(
            "Neither side has points. Decide whose they are, and list the pseudonyms (or files) of"
            " the packs that get theirs in the course's file, as `cleared: [...]`."
        )
    parts.append("## Identical answers\n\n" + (format_items(alike) if alike else "None."))
    if replaced:
        lines = [f"- {pack.file}: replaced by {pack.replaced}" for pack in replaced]
        parts.append("## Handed in more than once (the last one counts)\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def format_items(items: Sequence[tuple[str, list[str]]]) -> str:
    return "\n".join(f"- {what}: {', '.join(files)}" for what, files in items)
