"""The scheduler's address and the keys, in a folder that only its owner can read.

Real names of nodes and jobs are kept here, never in a run's folder.
"""

import contextlib
import hmac
import json
import os
import platform
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from handoff.errors import BadInput
from handoff.files import write_json
from handoff.paths import display_path

if TYPE_CHECKING:
    from distributed.security import Security

HOME = "~/.handoff"
"""The driver's folder: the salt of pseudonyms, and the hosts that they stand for."""

FILE, BASICS, DRIVER = "connection.json", "basics.json", "driver.json"
VARIABLE = "HANDOFF_CONNECTION"
"""The environment variable with the folder of the driver's connection, for notebooks."""

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


class Connection(BaseModel, extra="forbid"):
    """What a worker and the driver's notebook need to reach the scheduler.

    The key files are named relative to this file's folder, or by absolute paths.
    """

    address: str
    authority: str = ""
    certificate: str = ""
    key: str = ""

    def make_security(self, folder: Path) -> "Security":
        """Return mutual TLS: every side shows a certificate that the authority signed."""
        # An optional package, and slow to load.
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


class Basics(BaseModel, extra="forbid"):
    """What a node must have, and how it is named; a part of every question to a node.

    `jar` and `package` are hashes; `pretend`: see the cluster's groups; `ours`: the workers belong
    to this driver. `salt` and the fields after it stay with the driver.
    """

    jar: str
    package: str
    pretend: str = ""
    salt: str
    ours: bool = True
    patience_s: float = 600
    arrival_s: float = 3600


def make_private(folder: Path) -> Path:
    """Create a folder that only its owner may enter; an existing one keeps its mode."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    return folder


def write_keys(folder: Path) -> dict[str, str]:
    """Write a key and a self-signed certificate, which all sides of a connection use."""
    # An optional package, and slow to load.
    from distributed.security import Security

    keys = Security.temporary()
    for name, text in (("certificate", keys.tls_client_cert), ("key", keys.tls_client_key)):
        write_private(folder / f"{name}.pem", text)
    return {"authority": "certificate.pem", "certificate": "certificate.pem", "key": "key.pem"}


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, from its first byte on."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(handle, "w") as file:
        file.write(text)


def read_connection(path: Path) -> Connection:
    """Load a connection; raise BadInput when it does not exist or is not whole."""
    try:
        return Connection.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise BadInput(
            f"{display_path(path)} is not a connection to a driver: the driver has ended, or never"
            " wrote it."
        ) from None


def find_salt() -> str:
    """Return the salt that makes pseudonyms of nodes the same in all runs of this user only."""
    path = make_private(Path(HOME).expanduser()) / "salt"
    if not path.is_file():
        temporary = path.with_suffix(f".{os.getpid()}")
        write_private(temporary, secrets.token_hex(16))
        with contextlib.suppress(FileExistsError):
            # Never half written: two drivers may start at once.
            path.hardlink_to(temporary)
        temporary.unlink()
    return path.read_text()


def name_host(salt: str, host: str) -> str:
    """Return a host's pseudonym: the same for all runs with this salt."""
    return hmac.new(salt.encode(), host.encode(), "sha256").hexdigest()[:8]


def note_host(name: str, host: str) -> None:
    """Note which host a pseudonym stands for, in a file that only its owner can read."""
    path = make_private(Path(HOME).expanduser()) / "nodes.json"
    known: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    if known.get(name) != host:
        write_json(path, known | {name: host})
        path.chmod(PRIVATE_FILE)


def note_driver(folder: Path, jobs: list[str]) -> None:
    """Note the driver and its jobs, for the next start, in case this one is killed."""
    write_json(folder / DRIVER, {"pid": os.getpid(), "host": platform.node(), "jobs": jobs})
