"""Where a sweep is measured: on this machine, or on a group of nodes."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from handoff.run.host import lock, readiness
from handoff.run.host.cpu_settings import Finding
from handoff.run.plan.sweep import Sweep
from handoff.run.planning import Planner


@dataclass(frozen=True)
class Site:
    """`name` is '' for this machine. `hold` is what nobody else may do meanwhile, named for those
    who wait; `list_findings` what is known of its readiness before the first fork.
    """

    planner: Planner
    name: str = ""
    hold: Callable[[str], AbstractContextManager[None]] = lock.hold_lock
    list_findings: Callable[[Sweep], list[Finding]] = readiness.list_findings
