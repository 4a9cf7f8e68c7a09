"""The sweep of a lab for one prediction: an ordinary sweep with a ticket."""

from collections.abc import Mapping
from typing import Any

from handoff.labs.lab import Lab
from handoff.run.plan.selection import SweepRequest, select_sweep


def make_sweep(
    lab: Lab, prediction: Mapping[str, Any], ticket: str, yours: str | None = None
) -> SweepRequest:
    """The lab's sweep, changed by what was predicted, with the ticket, and with the student's own
    class where it has one.
    """
    asked = select_sweep(str(lab.sweep_file), [], lab.adapt(prediction))
    jvm = asked.sweep.jvm.model_copy(update={"yours": yours})
    own = f"jvm: {{yours: {yours}}}\n" if yours else ""
    return SweepRequest(
        f"lab{lab.number}",
        f"lab {lab.number}",
        f'{asked.text.rstrip()}\nticket: "{ticket}"\n{own}',
        asked.sweep.model_copy(update={"ticket": ticket, "jvm": jvm}),
    )
