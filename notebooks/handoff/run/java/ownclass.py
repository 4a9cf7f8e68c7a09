"""A user's own class: compiled outside the jar, identified by its hash, found by every fork."""

import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from handoff.errors import BadInput
from handoff.paths import JAR
from handoff.run.host.process import run_plainly
from handoff.run.java.command import locate_classes
from handoff.run.java.jdk import Jdk, find_tool

COMPILE_LIMIT_S, MOST_LINES = 60, 6

USE = """final class Use {{
    static handoff.mechanism.Exchange<?> make() {{
        return new {name}(2);
    }}
}}
"""
"""The jar uses the class in this way."""


def read_class(file: Path) -> tuple[str, str]:
    """Return the name of the class in a Java file, and its source; raise BadInput for no such."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", file.stem) or file.suffix != ".java":
        raise BadInput(f"--class {file}: expected a file such as MyHandoff.java.")
    try:
        return file.stem, file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8"
        raise BadInput(f"--class {file}: {reason}.") from None


def compile_class(
    java: Jdk, source: str, folder: Path, name: str, class_path: str = str(JAR)
) -> None:
    """Compile NAME.java into a folder; raise BadInput with the start of the compiler's message."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.java"
    file.write_text(source, encoding="utf-8")
    # A compiler that ends within a second gains nothing from compiling itself well.
    command = [str(find_tool(java, "javac")), "-J-Xmx512m", "-J-XX:TieredStopAtLevel=1"]
    command += ["-J-XX:+UseSerialGC", "-J-Duser.language=en"]
    command += ["-g:none", "-encoding", "UTF-8", "-proc:none", "--release", "17"]
    command += ["-cp", class_path, "-d", str(folder), str(file)]
    try:
        ended = run_plainly(command, COMPILE_LIMIT_S)
    except subprocess.TimeoutExpired:
        raise BadInput(f"{name}.java was not compiled in {COMPILE_LIMIT_S} s.") from None
    finally:
        file.unlink()
    if ended.returncode != 0:
        # The third line of a message is a caret below the second.
        lines = ended.stderr.replace(str(file), f"{name}.java").rstrip().splitlines()
        raise BadInput("\n".join(["Java cannot compile it:", *lines[:MOST_LINES]]))
    if not (folder / f"{name}.class").is_file():
        raise BadInput(f"It does not define a class {name} outside of any package.")


def hash_classes(folder: Path) -> str:
    """Hash the names and bytes of class files in order of name, as the jar does."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.class")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def provide_class(java: Jdk, source: str, name: str) -> str:
    """Compile a class, keep it where forks find it, and return NAME@HASH; raise BadInput."""
    with tempfile.TemporaryDirectory(prefix="handoff-yours-") as folder:
        made = Path(folder) / "classes"
        compile_class(java, source, made, name)
        require_use(java, made, name)
        word = f"{name}@{hash_classes(made)}"
        kept = locate_classes(word)
        if not kept.is_dir():
            # An interrupt leaves no half of it.
            shutil.copytree(made, kept.with_suffix(".tmp"), dirs_exist_ok=True).rename(kept)
    return word


def require_use(java: Jdk, folder: Path, name: str) -> None:
    use, class_path = USE.format(name=name), f"{JAR}:{folder}"
    try:
        compile_class(java, use, folder.with_name("use"), "Use", class_path=class_path)
    except BadInput as wrong:
        raise BadInput(
            f"{name} must implement handoff.mechanism.Exchange and have a constructor"
            f" {name}(int capacity). {' '.join(str(wrong).splitlines()[1:2])}"
        ) from None
