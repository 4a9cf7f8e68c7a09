"""One archive for a room without a network: this checkout, its Python and its Maven packages."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from handoff.cli.measuring import build_jar
from handoff.errors import BadInput, Failure
from handoff.paths import LABS_WORK, ROOT, display_path
from handoff.run.java import jdk
from handoff.run.java.jdk import MAVEN_PACKAGES, WHEELS
from handoff.terminal import console

NAME = "handoff-bundle"


def make_bundle() -> Path:
    """Writes it to labs-work/. BadInput where this is no checkout, Failure when a package cannot be
    had.
    """
    build_jar(jdk.find_jdk(), wanted=True)
    LABS_WORK.mkdir(exist_ok=True)
    file = LABS_WORK / f"{NAME}.tar.gz"
    with tempfile.TemporaryDirectory(prefix="handoff-bundle-", dir=LABS_WORK) as name:
        folder = Path(name) / NAME
        folder.mkdir()
        copy_checkout(folder)
        console.print("Python packages ...")
        download_wheels(folder / WHEELS)
        console.print("Maven packages ...")
        copy_maven_packages(folder / MAVEN_PACKAGES)
        console.print("Packing ...")
        made = Path(name) / file.name
        with tarfile.open(made, "w:gz", compresslevel=1) as archive:
            archive.add(folder, NAME)
        made.replace(file)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    console.print(
        f"{display_path(file)}, {file.stat().st_size / 2**20:.0f} MiB: for Linux machines like this"
        f" one with Python {version}, a JDK and Maven. There: tar xzf {file.name}, cd {NAME},"
        " ./run_all.sh lab 1."
    )
    return file


def copy_checkout(folder: Path) -> None:
    """What is committed."""
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "archive", "HEAD"]
    made = subprocess.run(command, capture_output=True)
    if made.returncode != 0:
        raise BadInput("A bundle is made from a git checkout, and this is none.")
    subprocess.run(["tar", "-x", "-C", str(folder)], input=made.stdout, check=True)


def download_wheels(folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--require-hashes", "-r", str(ROOT / "requirements.lock"), "-d", str(folder)]
    if subprocess.run(command).returncode != 0:
        raise Failure("The Python packages of requirements.lock could not be had.")


def copy_maven_packages(folder: Path) -> None:
    """All that Maven has here, which building the jar needed."""
    home = Path.home() / ".m2" / "repository"
    if not home.is_dir():
        raise BadInput(f"{home} is not there: Maven keeps its packages elsewhere.")
    shutil.copytree(home, folder)
