"""Folders as one file, such as a read-only run or a student's pack.

The same content gives the same bytes. An archive is read as untrusted input.
"""

import hashlib
import re
import shutil
import stat
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from handoff.errors import BadInput

SUFFIX = ".zip"
EPOCH = (1980, 1, 1, 0, 0, 0)
STAMP = ".archive"
"""File in an unpacked folder that holds the SHA-256 of its archive."""

MOST_BYTES = 2**30
MOST_FILES = 100_000
NAME = re.compile(r"[\w.+-][\w.+ -]{0,199}", re.ASCII)
"""Allowed form of each component of a path inside; one of dots alone is refused too."""


def pack_folder(folder: Path, file: Path, names: list[str] | None = None) -> None:
    """Write the folder's files, or only `names` at its top with all below, to an archive.

    The archive appears whole or not at all.
    """
    chosen = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not path.is_symlink()
        and (names is None or path.relative_to(folder).parts[0] in names)
    )
    temporary = file.with_name(file.name + ".tmp")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for path in chosen:
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                packed.writestr(entry, path.read_bytes())
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def unpack_archive(file: Path, folder: Path, most_bytes: int = MOST_BYTES) -> None:
    """Unpack all of the archive, or nothing, into `folder`, which must not exist.

    Raise BadInput for a file that is not an archive, holds a link or a path that leads outside, or
    unpacks to more than `most_bytes`.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unpacking-") as name:
        inside = Path(name) / "content"
        inside.mkdir()
        try:
            with zipfile.ZipFile(file) as opened:
                entries = check_entries(opened, file.name, most_bytes)
                for entry in entries:
                    extract_entry(opened, entry, inside)
        except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as wrong:
            raise BadInput(f"{file.name} is not a readable archive ({wrong}).") from None
        except Exception as wrong:
            if isinstance(wrong, BadInput):
                raise
            # zlib and struct raise their own errors for truncated data.
            raise BadInput(f"{file.name} is not a whole archive ({wrong}).") from None
        inside.rename(folder)


def check_entries(opened: zipfile.ZipFile, source: str, most_bytes: int) -> list[zipfile.ZipInfo]:
    """Return the files inside; raise BadInput if a packed folder could not hold one of them."""
    entries = opened.infolist()
    if len(entries) > MOST_FILES:
        raise BadInput(f"{source} holds {len(entries)} files; the limit is {MOST_FILES}.")
    if sum(entry.file_size for entry in entries) > most_bytes:
        raise BadInput(f"{source} unpacks to more than {most_bytes // 2**20} MiB, the limit.")
    seen: set[str] = set()
    for entry in entries:
        parts = PurePosixPath(entry.filename).parts
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise BadInput(f"{source}: {entry.filename[:80]!r} is a link or a device.")
        plain = bool(parts) and all(NAME.fullmatch(part) and part.strip(".") for part in parts)
        if not plain or entry.filename.startswith("/"):
            raise BadInput(f"{source}: {entry.filename[:80]!r} is not an allowed file name.")
        if entry.filename.lower() in seen:
            raise BadInput(f"{source} holds {entry.filename[:80]!r} twice.")
        seen.add(entry.filename.lower())
    return [entry for entry in entries if not entry.is_dir()]


def extract_entry(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    """Write one file, with at most the bytes that its entry declares."""
    path = folder / entry.filename
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened.open(entry) as source, path.open("xb") as target:
        shutil.copyfileobj(source, target)


def open_archive(file: Path, home: Path) -> Path:
    """Return the folder below `home` that holds the archive's content.

    The archive is unpacked the first time, and again after its file has changed. Raise BadInput if
    it cannot be read.
    """
    folder, digest = home / file.stem, hashlib.sha256(file.read_bytes()).hexdigest()
    stamp = folder / STAMP
    if stamp.is_file() and stamp.read_text() == digest:
        return folder
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix=".unpacking-") as name:
        fresh = Path(name) / file.stem
        unpack_archive(file, fresh)
        (fresh / STAMP).write_text(digest)
        try:
            if folder.exists():
                folder.rename(Path(name) / "before")
            fresh.rename(folder)
        except OSError:
            # Another process may have unpacked it in the meantime.
            if not stamp.is_file() or stamp.read_text() != digest:
                raise
    return folder
