"""How workers are started on nodes: as jobs of Slurm, by ssh, or by hand."""

import shlex
from pathlib import Path
from typing import Protocol

from handoff.cluster.clusterfile import SLURM, SSH, Cluster, write_command
from handoff.cluster.connection import FILE
from handoff.cluster.slurm import SlurmJobs
from handoff.cluster.ssh import SshJobs


class Jobs(Protocol):
    """The workers of one group."""

    def start(self) -> list[str]:
        """Request workers; return what to cancel if this driver is killed.

        Raise BadInput when the request is refused.
        """

    def find_problem(self) -> str:
        """Return why no worker will arrive any more, or ''."""

    def cancel(self) -> None:
        """End all workers, also those that still wait."""


def make_jobs(cluster: Cluster, group: str, folder: Path) -> Jobs:
    """Return the workers of a group, for the connection in `folder`."""
    kinds: dict[str, type[SlurmJobs] | type[SshJobs]] = {SLURM: SlurmJobs, SSH: SshJobs}
    return kinds.get(cluster.scheduler, OwnJobs)(cluster, group, folder)


class OwnJobs:
    """Workers that this driver does not start."""

    def __init__(self, cluster: Cluster, group: str, folder: Path) -> None:
        self.cluster, self.folder = cluster, folder

    def start(self) -> list[str]:
        if not self.cluster.address:
            path = shlex.quote(str(self.folder / FILE))
            print(f"Start this on every node: {write_command(self.cluster, path)}", flush=True)
        return []

    def find_problem(self) -> str:
        return ""

    def cancel(self) -> None:
        """Do nothing: the workers end with the scheduler."""
