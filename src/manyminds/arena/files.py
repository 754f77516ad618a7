"""A user's own Python files (heuristics, players, games): which, and how processes import them.

What a campaign began with is kept in its store as text, so that what is played is what is recorded,
also where a file was changed since, or is not there at all (another machine of a cluster).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from manyminds.core.errors import UsageError

MOST_BYTES = 1_000_000


class UserFile(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was read: where, the blake2b of its text, and the text."""

    path: str
    digest: str
    text: str


def read_files(paths: Iterable[str | os.PathLike[str]]) -> tuple[UserFile, ...]:
    """The files, read; an error names the one that cannot be."""
    return tuple(_read(Path(path)) for path in paths)


def import_files(files: Iterable[UserFile]) -> None:
    """Import each file once per process: whatever it registers is known from then on."""
    for file in files:
        name = f"manyminds_user_{Path(file.path).stem}_{file.digest[:12]}"
        if name not in sys.modules and not _is_imported(file):
            _import(name, file)


def _is_imported(file: UserFile) -> bool:
    """Whether this process has the file as a module already, under whatever name."""
    return any(
        getattr(module, "__file__", None) == file.path for module in list(sys.modules.values())
    )


def _read(path: Path) -> UserFile:
    try:
        data = path.read_bytes()
        text = data.decode()
    except OSError as error:
        raise UsageError(f"files: {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"files: {path} is no Python text") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"files: {path} is longer than {MOST_BYTES} bytes")
    return UserFile(str(path.resolve()), _digest(text), text)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _import(name: str, file: UserFile) -> None:
    place = _where(file)
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise UsageError(f"files: {file.path} is no Python file (*.py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise


def _where(file: UserFile) -> Path:
    """The file itself while it has that text; else a copy of the text in a folder of our own."""
    path = Path(file.path)
    try:
        if _digest(path.read_text(encoding="utf-8")) == file.digest:
            return path
    except (OSError, UnicodeDecodeError):
        pass  # not here, or another file by now: the text that was kept is played
    folder = _folder() / file.digest
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / path.name
    if not copy.exists() or _digest(copy.read_text(encoding="utf-8")) != file.digest:
        part = folder / f".{path.name}.{os.getpid()}"
        part.write_text(file.text, encoding="utf-8")
        part.replace(copy)
    return copy


def _folder() -> Path:
    """A folder that only this user writes."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "manyminds" / "files"
    try:
        base.mkdir(parents=True, exist_ok=True)
        if os.access(base, os.W_OK):
            return base
    except (OSError, RuntimeError):
        pass  # no home to write to
    return Path(tempfile.mkdtemp(prefix="manyminds-files-"))
