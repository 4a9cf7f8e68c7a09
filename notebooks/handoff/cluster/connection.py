"""Where nodes and driver meet: the scheduler's address and the keys, in a folder that only its
owner reads; real names of nodes and jobs stand here, never in a run's folder.
"""

import contextlib
import hmac
import json
import os
import platform
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import display_path

if TYPE_CHECKING:
    from distributed.security import Security

HOME = "~/.handoff"
"""Of whoever drives: the salt of pseudonyms and what they stand for."""

FILE, BASICS, DRIVER = "connection.json", "basics.json", "driver.json"
VARIABLE = "HANDOFF_CONNECTION"
"""The environment variable that tells a notebook where the connection of its driver is."""

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


class Connection(BaseModel):
    """What a worker and the driver's notebook need to reach the scheduler.

    The keys' files are named as they lie beside, or by their paths.
    """

    model_config = ConfigDict(extra="forbid")
    address: str
    authority: str = ""
    certificate: str = ""
    key: str = ""

    def make_security(self, folder: Path) -> "Security":
        """Mutual TLS: every side shows a certificate that the authority signed."""
        # Of the extra, and slow to load.
        from distributed.security import Security

        if not self.certificate:
            return Security()
        roles = {
            f"tls_{role}_{what}": str(folder / name)
            for role in ("scheduler", "worker", "client")
            for what, name in (("cert", self.certificate), ("key", self.key))
        }
        authority = str(folder / self.authority)
        return Security(tls_ca_file=authority, require_encryption=True, **roles)


class Basics(BaseModel):
    """What goes with every question to a node: what it must have, and what it is called by.

    `jar` and `package` are hashes; `pretend`: see the cluster's groups; `ours`: the workers are
    this driver's. `salt` and what follows stay with the driver.
    """

    model_config = ConfigDict(extra="forbid")
    jar: str
    package: str
    salt: str
    pretend: str = ""
    ours: bool = True
    patience_s: float = 600
    arrival_s: float = 3600


def make_private(folder: Path) -> Path:
    """A folder that only its owner may enter; one that is there keeps its mode."""
    if not folder.is_dir():
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    return folder


def write_keys(folder: Path) -> dict[str, str]:
    """A key and a certificate signed by itself, which stands for all sides of one connection."""
    # Of the extra, and slow to load.
    from distributed.security import Security

    made = Security.temporary()
    for name, text in (("certificate", made.tls_client_cert), ("key", made.tls_client_key)):
        write_private(folder / f"{name}.pem", text)
    return {"authority": "certificate.pem", "certificate": "certificate.pem", "key": "key.pem"}


def write_private(path: Path, text: str) -> None:
    """Readable by its owner alone from its first byte on."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(handle, "w") as file:
        file.write(text)


def read_connection(path: Path) -> Connection:
    """BadInput when it is not there, or not whole: the driver has ended."""
    try:
        return Connection.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise BadInput(
            f"{display_path(path)} is no connection to a driver: that has ended, or never wrote it."
        ) from None


def find_salt() -> str:
    """Which makes pseudonyms of nodes the same in all runs of this user, and of nobody else."""
    path = make_private(Path(HOME).expanduser()) / "salt"
    if not path.is_file():
        own = path.with_suffix(f".{os.getpid()}")
        write_private(own, secrets.token_hex(16))
        with contextlib.suppress(FileExistsError):
            # Whole from the first: two drivers may begin at once.
            path.hardlink_to(own)
        own.unlink()
    return path.read_text()


def name_host(salt: str, host: str) -> str:
    """A node's pseudonym: the same for all runs of whoever keeps the salt."""
    return hmac.new(salt.encode(), host.encode(), "sha256").hexdigest()[:8]


def note_host(name: str, host: str) -> None:
    """Keeps which node a pseudonym stands for, for its owner's eyes."""
    path = make_private(Path(HOME).expanduser()) / "nodes.json"
    known: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    if known.get(name) != host:
        write_json(path, known | {name: host})
        path.chmod(PRIVATE_FILE)


def note_driver(folder: Path, jobs: list[str]) -> None:
    """Keeps who drives and which jobs are his, for the next start should this one be killed."""
    write_json(folder / DRIVER, {"pid": os.getpid(), "host": platform.node(), "jobs": jobs})


def list_orphans(connections: Path) -> dict[Path, list[str]]:
    """The connections of drivers of this machine that were killed, with their jobs."""
    found = {}
    for file in connections.glob(f"*/{DRIVER}"):
        try:
            driver = json.loads(file.read_text())
            here = driver["host"] == platform.node()
            if here and not Path(f"/proc/{int(driver['pid'])}").exists():
                found[file.parent] = list(map(str, driver["jobs"]))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found
