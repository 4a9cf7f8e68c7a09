"""A cluster: how Dask gets its nodes and what is on them, one YAML file, checked before a start."""

import inspect
import signal
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator

from handoff.errors import BadInput, validate
from handoff.files import read_yaml
from handoff.paths import ROOT, display_path
from handoff.text import require_form, suggest

JOBS = {
    "slurm": ("SLURMCluster", ["--exclusive"]),
    "pbs": ("PBSCluster", ["-l place=excl"]),
    "sge": ("SGECluster", []),
    "lsf": ("LSFCluster", ["-x"]),
    "oar": ("OARCluster", []),
    "htcondor": ("HTCondorCluster", []),
}
"""dask-jobqueue's class of each batch system, and its words for a whole node."""

OURS = {
    *("self", "scheduler", "name", "n_workers", "cores", "processes", "memory", "nanny", "python"),
    *("security", "asynchronous", "job_cls", "scheduler_cls", "loop", "config_name", "extra"),
    *("job_kwargs", "base_class_kwargs", "job_extra", "env_extra", "silence_logs"),
}
"""Parameters of these classes that the driver sets itself, or that are not settings."""

QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__WORKER__MEMORY__PAUSE": "false",
    "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
"""Settings of a worker that does almost nothing while it measures."""

Count = Annotated[int, Field(strict=True, ge=1, le=10_000)]
Duration = Annotated[str, require_form(r"^[1-9][0-9]*[smh]$", "a time such as 90s, 15m or 2h")]


class Cluster(BaseModel, extra="allow"):
    """The way to nodes; other keys are passed to Dask's class of the scheduler."""

    about: str = ""
    scheduler: str
    nodes: Count = 1
    checkout: str = str(ROOT)
    python: str | None = None
    java: str | None = None
    arrival: Duration = "1h"

    @model_validator(mode="after")
    def scheduler_is_known(self) -> Self:
        known = (*JOBS, "ssh", "local")
        if self.scheduler not in known:
            raise ValueError(
                f"scheduler is {self.scheduler}; choose from {', '.join(known)}."
                f"{suggest(self.scheduler, known)}"
            )
        return self

    @property
    def passed(self) -> dict[str, Any]:
        """The keys that Dask reads."""
        return dict(self.model_extra or {})

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a worker."""
        java = {"JAVA_HOME": expand(self.java)} if self.java else {}
        return QUIET | {"PYTHONPATH": f"{expand(self.checkout)}/notebooks"} | java

    @property
    def interpreter(self) -> str:
        return expand(self.python or f"{self.checkout}/.venv/bin/python")


def expand(folder: str) -> str:
    """Return a folder for a shell on a node, whose home it may be in."""
    return f"$HOME/{folder[2:]}" if folder.startswith("~/") else folder


def load_cluster(file: Path) -> Cluster:
    """Load a cluster's file; raise BadInput with the file, the key and the choices."""
    source = display_path(file)
    cluster = validate(Cluster, read_yaml(file), source)
    known = list_known(cluster.scheduler)
    for key in cluster.passed:
        if key not in known:
            own = list(Cluster.model_fields)
            choices = ", ".join([*own, *sorted(known)])
            raise BadInput(
                f"{source}: {key} is unknown for scheduler: {cluster.scheduler}; choose from"
                f" {choices}.{suggest(key, [*own, *known])}"
            )
    if cluster.scheduler == "ssh" and not cluster.passed.get("hosts"):
        raise BadInput(f"{source}: hosts is missing: ssh needs the names of machines.")
    return cluster


def list_known(scheduler: str) -> set[str]:
    """Return the keys that Dask's class of a scheduler has as parameters."""
    if scheduler == "local":
        return {"preload"}
    if scheduler == "ssh":
        return {"hosts", "connect_options", "protocol", "scheduler_options", "worker_options"}
    jobqueue = import_jobqueue()
    made = getattr(jobqueue, JOBS[scheduler][0])
    functions = (made.job_cls, jobqueue.core.Job, jobqueue.JobQueueCluster)
    names = {name for each in functions for name in inspect.signature(each.__init__).parameters}
    return names - OURS


def import_jobqueue() -> ModuleType:
    """Return dask_jobqueue, whose own handler of an interrupt would end with success."""
    handler = signal.getsignal(signal.SIGINT)
    import dask_jobqueue.core

    signal.signal(signal.SIGINT, handler)
    return dask_jobqueue
