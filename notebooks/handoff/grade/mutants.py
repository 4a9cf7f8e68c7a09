"""A student's model, put to queues that the student does not know: right ones and faulty ones."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from handoff.errors import BadInput, Failure
from handoff.grade import sandbox
from handoff.grade.javaclass import Apart
from handoff.labs import modelcheck, ownclass
from handoff.run.java import jar, jdk

MAY_MISS = 1
"""Of the six kinds of fault: exploring is drawn, and may be unlucky once."""


def check_model(source: str, random: np.random.Generator, trust: bool) -> tuple[bool | None, str]:
    """Whether it passes the right queues and finds the faulty ones, one of each kind, and what was
    found; None where it could not be tried.
    """
    java = jdk.find_jdk()
    jar.build_jar(java)

    with tempfile.TemporaryDirectory(prefix="handoff-model-") as name:
        folder = Path(name) / "classes"
        try:
            apart = Apart(java, folder, trust)
            ownclass.compile_class(java, source, folder, modelcheck.MODEL, apart.write)
            drawn = [own[int(random.integers(len(own)))] for own in modelcheck.FAULTS.values()]
            subjects = [*modelcheck.RIGHT, *drawn]
            # In an order that the model cannot know.
            order = [int(place) for place in random.permutation(len(subjects))]
            mixed = [subjects[place] for place in order]
            told = dict(
                zip(order, modelcheck.check_queues(java, folder, mixed, apart.read), strict=True)
            )
            found = [told[place] for place in range(len(subjects))]
        except (BadInput, Failure) as broken:
            return False, str(broken)
        except sandbox.NotRun as why:
            return None, str(why)
    return judge_found(found[: len(modelcheck.RIGHT)], found[len(modelcheck.RIGHT) :])


def judge_found(right: Sequence[str], faulty: Sequence[str]) -> tuple[bool, str]:
    """From what was found in the right queues, and in one faulty one of each kind."""
    if wrong := next(filter(None, right), ""):
        return False, f"it finds a fault where there is none: {modelcheck.shorten_trace(wrong)}"
    missed = [kind for kind, wrong in zip(modelcheck.FAULTS, faulty, strict=True) if not wrong]
    if len(missed) > MAY_MISS:
        return False, f"it does not find faults of the kinds {' and '.join(missed)}"
    lacking = f"; it misses one of the kind {missed[0]}" if missed else ""
    return True, f"it passes {len(right)} right queues and finds the faults of others{lacking}"
