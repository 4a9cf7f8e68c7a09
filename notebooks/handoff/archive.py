"""Folders as one file, such as a read-only run or the forks of a lab.

The same content gives the same bytes. An archive is read as untrusted input.
"""

import contextlib
import hashlib
import os
import re
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from handoff.errors import BadInput, Failure

SUFFIX = ".zip"
EPOCH = (1980, 1, 1, 0, 0, 0)
STAMP = ".archive"
"""File in an unpacked folder that holds the SHA-256 of its archive."""

MOST_BYTES, MOST_FILES = 16 * 2**30, 1_000_000
"""Limits of an archive, on writing as on reading: several times what 200,000 forks take."""

NAME = re.compile(r"[\w.+-][\w.+ -]{0,199}", re.ASCII)
"""Allowed form of each component of a path inside; one of dots alone is refused too."""


def pack_folder(folder: Path, file: Path, names: list[str] | None = None) -> None:
    """Write the folder's files, or only `names` at its top with all below, to an archive.

    The archive appears whole or not at all: it is read back, compared with the files and on disk
    before it gets its name. Raise BadInput for what could not be read back.
    """
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if (names is None or path.relative_to(folder).parts[0] in names)
        and (path.is_symlink() or not path.is_dir())
    ]
    if odd := [path for path in paths if path.is_symlink() or not path.is_file()]:
        raise BadInput(f"{odd[0]} is a link or a device, which no archive holds.")
    entries = [make_entry(path, folder) for path in paths]
    check_entries(entries, folder.name, MOST_BYTES)
    temporary = file.with_name(file.name + ".tmp")
    try:
        with zipfile.ZipFile(temporary, "w") as packed:
            for path, entry in zip(paths, entries, strict=True):
                packed.writestr(entry, path.read_bytes())
        require_same(temporary, paths)
        sync(temporary)
        temporary.replace(file)
        # Some network file systems cannot sync a folder; the archive itself is on disk.
        with contextlib.suppress(OSError):
            sync(file.parent)
    finally:
        temporary.unlink(missing_ok=True)


def make_entry(path: Path, folder: Path) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH)
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    entry.file_size = path.stat().st_size
    return entry


def require_same(file: Path, paths: list[Path]) -> None:
    """Raise Failure unless the archive can be read and holds these files, byte by byte."""
    with zipfile.ZipFile(file) as opened:
        entries = check_entries(opened.infolist(), file.name, MOST_BYTES)
        for path, entry in zip(paths, entries, strict=True):
            try:
                same = opened.read(entry) == path.read_bytes()
            except (zipfile.BadZipFile, zlib.error, EOFError):
                same = False
            if not same:
                raise Failure(f"{path} changed while it was archived, or was written wrongly.")


def hash_file(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Return once a file, or the names in a folder, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def unpack_archive(file: Path, folder: Path, most_bytes: int = MOST_BYTES, stamp: str = "") -> None:
    """Unpack all of the archive, or nothing, into `folder`, which must not exist.

    With a `stamp`, which is written to the folder, an existing one is replaced. Raise BadInput if
    the archive is damaged, too large, or holds a link or a path that leads outside.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unpacking-") as name:
        inside = Path(name) / "content"
        inside.mkdir()
        try:
            with zipfile.ZipFile(file) as opened:
                entries = check_entries(opened.infolist(), file.name, most_bytes)
                opened.extractall(inside, entries)
        except BadInput:
            raise
        except Exception as wrong:
            # zlib and struct raise their own errors for truncated data.
            raise BadInput(f"{file.name} is not a readable archive ({wrong}).") from None
        if stamp:
            (inside / STAMP).write_text(stamp)
            if folder.exists():
                folder.rename(Path(name) / "before")
        inside.rename(folder)


def check_entries(
    entries: list[zipfile.ZipInfo], source: str, most_bytes: int
) -> list[zipfile.ZipInfo]:
    """Return the files; raise BadInput for one that no archive may hold, or for too many."""
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > most_bytes:
        raise BadInput(
            f"{source} holds {len(entries):,} files; the limits of an archive are {MOST_FILES:,}"
            f" files and {most_bytes // 2**20:,} MiB."
        )
    for entry in entries:
        parts = PurePosixPath(entry.filename).parts
        if not parts or not all(NAME.fullmatch(part) and part.strip(".") for part in parts):
            raise BadInput(f"{source}: {entry.filename[:80]!r} is not an allowed file name.")
    return [entry for entry in entries if not entry.is_dir()]


def open_archive(file: Path, home: Path) -> Path:
    """Return the folder below `home` with the archive's content, unpacked after each change."""
    folder, digest = home / file.stem, hash_file(file)
    stamp = folder / STAMP
    if not stamp.is_file() or stamp.read_text() != digest:
        try:
            unpack_archive(file, folder, stamp=digest)
        except OSError:
            # Another process may have unpacked it in the meantime.
            if not stamp.is_file() or stamp.read_text() != digest:
                raise
    return folder
