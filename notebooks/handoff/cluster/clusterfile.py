"""A cluster: how to get its nodes and what is on them, one YAML file, checked before any start."""

import shlex
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from handoff.errors import validate
from handoff.files import read_yaml
from handoff.paths import ROOT, display_path
from handoff.text import require_form

Count = Annotated[int, Field(strict=True, ge=1, le=10_000)]
Word = Annotated[str, require_form(r"^[\w.:,&|*\[\]=@%+-]+$", "one word")]
Folder = Annotated[str, require_form(r"^(/|~/)[^\x00-\x1f]*$", "a folder that starts with / or ~/")]
Host = Annotated[str, require_form(r"^[A-Za-z0-9_][\w.@:-]*$", "the name of a host")]
Address = Annotated[str, require_form(r"^[A-Za-z0-9_][\w.:-]*$", "the name or address of a host")]
Duration = Annotated[str, require_form(r"^[1-9][0-9]*[smh]$", "a time such as 90s, 15m or 2h")]

SLURM, SSH = "slurm", "ssh"
WORKER = "handoff.cluster.worker"


class Group(BaseModel, extra="forbid"):
    """Machines of one kind; each group has its own run.

    `pretend` is for tests on one machine: its nodes report this CPU, and each has its own lock.
    """

    nodes: Count | None = None
    hosts: list[Host] = []
    partition: Word | None = None
    account: Word | None = None
    time: Annotated[str, require_form(r"^[0-9][0-9:-]*$", "a time in quotes")] | None = None
    constraint: Word | None = None
    options: list[str] = []
    replacements: Annotated[int, Field(strict=True, ge=0, le=1000)] = 2
    pretend: Word | None = None


class Keys(BaseModel, extra="forbid"):
    """PEM files for mutual TLS with a scheduler that is already running."""

    authority: Folder
    certificate: Folder
    key: Folder


class Cluster(BaseModel, extra="forbid"):
    """How to reach nodes and where their files are; docs/cluster.md has the meaning of each key."""

    about: str = ""
    scheduler: (
        Literal["slurm", "ssh", "none"]
        | Annotated[str, require_form(r"^(tls|tcp)://[\w.\[\]:-]+:\d+$", "tls://HOST:PORT")]
    )
    listen: Address | None = None
    port: Annotated[int, Field(strict=True, ge=0, le=65535)] = 0
    shared: bool = True
    folder: Folder = "~/.handoff"
    checkout: Folder = str(ROOT)
    python: Folder | None = None
    java: Folder | None = None
    arrival: Duration = "1h"
    patience: Duration = "10m"
    dashboard: bool = False
    keys: Keys | None = None
    insecure: bool = False
    groups: dict[Annotated[str, require_form(r"^\w[\w-]*$", "one word")], Group]

    @model_validator(mode="after")
    def groups_fit_the_scheduler(self) -> Self:
        if not self.groups:
            raise ValueError("groups must name at least one group of nodes")
        for name, group in self.groups.items():
            if self.scheduler == SSH and not group.hosts:
                raise ValueError(f"groups.{name}.hosts is missing: ssh needs the names of machines")
            if self.scheduler != SSH and group.hosts:
                raise ValueError(f"groups.{name}.hosts belongs to scheduler: ssh")
            if len(set(group.hosts)) < max(len(group.hosts), group.nodes or 0) and group.hosts:
                raise ValueError(
                    f"groups.{name}.hosts must be {group.nodes or len(group.hosts)} or more, each"
                    " once"
                )
            if self.scheduler != SSH and group.nodes is None:
                raise ValueError(f"groups.{name}.nodes is missing: how many nodes to ask for")
        return self

    @model_validator(mode="after")
    def addresses_are_secure(self) -> Self:
        if not self.shared and self.scheduler != SSH:
            raise ValueError("shared: false belongs to scheduler: ssh, which brings the keys")
        if self.keys and not self.address:
            raise ValueError("keys belongs to the address of a running scheduler")
        if self.address and len(self.groups) > 1:
            raise ValueError("groups must be one group for a scheduler that is already running")
        if self.address.startswith("tls:") and not self.keys:
            raise ValueError("keys is missing: authority, certificate and key for tls://")
        if self.address.startswith("tcp:") and not self.insecure:
            raise ValueError(
                "scheduler is tcp://, without TLS: anyone who reaches it can run code as you; use"
                " tls://, or set insecure: true"
            )
        return self

    @property
    def address(self) -> str:
        """The address of a scheduler that is already running, or ''."""
        return self.scheduler if "://" in self.scheduler else ""

    def count_nodes(self, name: str) -> int:
        group = self.groups[name]
        return group.nodes or len(group.hosts)


def load_cluster(file: Path) -> Cluster:
    """Load a cluster's file; raise BadInput with the file, the key and the choices."""
    return validate(Cluster, read_yaml(file), display_path(file))


def write_command(cluster: Cluster, connection: str, *more: str) -> str:
    """Return the shell command that starts a worker on a node.

    `connection` is the file's path on the node, in shell syntax.
    """
    checkout = quote_folder(cluster.checkout)
    words = [f"cd {checkout} &&"]
    words += [f"JAVA_HOME={quote_folder(cluster.java)}"] if cluster.java else []
    python = quote_folder(cluster.python or f"{cluster.checkout}/.venv/bin/python")
    words += [f"PYTHONPATH={checkout}/notebooks exec {python}"]
    return " ".join([*words, f"-m {WORKER} {connection}", *map(shlex.quote, more)])


def quote_folder(path: str) -> str:
    """Quote a folder for a shell on a node, which expands ~ to the node's home."""
    return f'"$HOME"/{shlex.quote(path[2:])}' if path.startswith("~/") else shlex.quote(path)
