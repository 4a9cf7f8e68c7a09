"""What tests found, in the lab that tries instead of measuring: kept with the ticket."""

import json

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.labs.lab import Trials
from handoff.labs.measuring import Tell
from handoff.labs.work import TRIALS, Work
from handoff.paths import display_path
from handoff.run.java import jar, jdk
from handoff.run.store.run import Run

Found = dict[str, dict[str, str]]
"""By test and subject a sentence; '' where the test found nothing."""


def make_trials(work: Work, tell: Tell) -> Found:
    """Makes the tests that are not made yet for this prediction, and keeps each at once. BadInput
    before there is a prediction.
    """
    ticket, trials = work.ticket, require_trials(work)
    java = jdk.find_jdk()
    jar.build_jar(java)
    found = read_kept(work, ticket)
    for number, (name, test) in enumerate(trials.tests.items(), start=1):
        if name in found:
            continue
        tell(f"{number} of {len(trials.tests)}: {name}, up to a minute ...", False)
        own = dict(zip(trials.subjects, test(java, trials.subjects), strict=True))
        found[name] = own
        write_json(work.folder / TRIALS, {"ticket": ticket, "found": found})
        finds = [subject for subject, wrong in own.items() if wrong]
        tell(f"{name} finds a fault in {', '.join(finds) or 'none of them'}", False)
    return found


def require_trials(work: Work) -> Trials:
    assert work.lab.trials is not None
    return work.lab.trials


def read_kept(work: Work, ticket: str) -> Found:
    """What is kept for this ticket; nothing where the file is not there, not whole or another's."""
    try:
        content = json.loads((work.folder / TRIALS).read_text(encoding="utf-8"))
        if content["ticket"] != ticket:
            return {}
        return {
            str(name): {str(subject): str(wrong) for subject, wrong in own.items()}
            for name, own in content["found"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def read_trials(work: Work) -> Found:
    """BadInput where not all is tried for this prediction."""
    trials, found = require_trials(work), read_kept(work, work.ticket)
    whole = list(found) == list(trials.tests) and all(
        list(own) == list(trials.subjects) for own in found.values()
    )
    if not whole:
        file = display_path(work.folder / TRIALS)
        raise BadInput(f"{file} does not hold all trials of this prediction: measure first.")
    return found


def find_measured(work: Work) -> Run | Found:
    """What was measured for this prediction, or tried. BadInput when nothing was."""
    return read_trials(work) if work.lab.trials else work.find_run()
