"""Compiled kernels on disk: one file for each kernel, signature and content.

Numba's cache is replaced because it goes wrong in three ways, all reproduced in the tests:

1. It keys a function by its own file, so that an edited callee elsewhere leaves a stale caller.
   Here the key holds a fingerprint of all code and constants that the kernel reaches.
2. Two processes that compile different signatures at once overwrite each other's numbered file, and
   a third loads the wrong code. Here a file's name is the hash of its whole key; there is no index.
3. With a read-only installation and no writable home it raises at import. Here a private folder in
   the system's temporary place is used, and if there is none either, nothing is kept.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import caching, compiler, serialize

from manyminds.core.errors import UsageError
from manyminds.core.fingerprint import fingerprint, ground

MOST_BYTES = 512 * 2**20  # kept on disk; the files longest unused go first
_DAY = 24 * 3600
_DIGEST = hashlib.sha256().digest_size

_listeners: list[Callable[[str], None]] = []


def on_compile(listener: Callable[[str], None]) -> None:
    """Call `listener(kernel name)` before each compilation that the cache could not spare."""
    _listeners.append(listener)


@functools.cache
def folder() -> Path | None:
    """Where kernels are kept: `MANYMINDS_CACHE_DIR`, the user's cache folder, or a private temporary one."""
    chosen = os.environ.get("MANYMINDS_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for place in ([Path(chosen)] if chosen else []) + [Path(home) / "manyminds" / "kernels"]:
        if place.is_absolute() and _writable(place):
            return place
    return _temporary()


def _writable(place: Path) -> bool:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return True
    except OSError:
        return False


def _temporary() -> Path | None:
    """A folder that nobody else can write, since what is loaded from it is run.

    Others may have taken the first names, to do harm or not; with all of them taken nothing is kept.
    """
    try:
        parent = Path(tempfile.gettempdir())
    except OSError:  # there is no place to write at all
        return None
    for name in ("", "-2", "-3", "-4"):
        place = parent / f"manyminds-kernels-{os.getuid()}{name}"
        if _private(place) and _writable(place):
            return place
    return None


def _private(place: Path) -> bool:
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        seen = place.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid() and not seen.st_mode & 0o077


class KernelCache(caching._Cache):
    """Loads and saves the compiled versions of one entry kernel."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._name = dispatcher.py_func.__name__
        self._content: str | None = None

    @property
    def cache_path(self) -> str:
        return str(folder())

    def enable(self) -> None:
        """Nothing to do: the cache is always on."""

    def disable(self) -> None:
        """Nothing to do: the cache is always on."""

    def flush(self) -> None:
        """Nothing to do: content decides what is found."""

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        target_context.refresh()
        key = self._key(signature, target_context.codegen())
        payload = _read(self._file(key), key)
        if payload is None:
            for listener in _listeners:
                listener(self._name)
            return None
        return compiler.CompileResult._rebuild(target_context, *payload)

    def save_overload(self, signature: Any, result: Any) -> None:
        if result.library.has_dynamic_globals or any(
            not lifted.can_cache for lifted in result.lifted
        ):
            raise UsageError(
                f"the kernel {self._name} reaches code or an array that cannot be kept on disk; pass large "
                "arrays as arguments, or keep them in a record"
            )
        key = self._key(signature, result.codegen)
        _write(self._file(key), key, result._reduce())

    def _key(self, signature: Any, codegen: Any) -> bytes:
        if self._content is None:
            # Not before the first call: by then all that the kernel names has been defined.
            self._content = fingerprint(self._dispatcher)
        function = self._dispatcher.py_func
        parts = (ground(), self._content, function.__module__, function.__qualname__)
        return repr((*parts, str(signature), codegen.magic_tuple())).encode()

    def _file(self, key: bytes) -> Path | None:
        place = folder()
        return place and place / f"{self._name}-{hashlib.sha256(key).hexdigest()[:40]}.kernel"


def _read(file: Path | None, key: bytes) -> Any:
    """The payload kept under `key`; None when there is none or the file is damaged."""
    if file is None:
        return None
    try:
        data = file.read_bytes()
    except OSError:
        return None
    digest, body = data[:_DIGEST], data[_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        return None
    try:
        kept_key, payload = pickle.loads(body)
    except ImportError:  # it was made where more modules could be imported
        return None
    _touch(file)
    return payload if kept_key == key else None


def _touch(file: Path) -> None:
    """Mark a file as used, so that the oldest go first; a folder we may only read stays as it is."""
    try:
        os.utime(file)
    except OSError:
        return


def _write(file: Path | None, key: bytes, payload: Any) -> None:
    """Put the file in place in one step; a full disk costs the next process a compilation, no more."""
    if file is None:
        return
    body = serialize.dumps((key, payload))
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".new-", delete=False) as new:
            try:
                new.write(hashlib.sha256(body).digest() + body)
                new.close()
                os.replace(new.name, file)
            except OSError:
                os.unlink(new.name)
    except OSError:
        return
    _prune(file.parent)


def _prune(place: Path) -> None:
    """Drop the files longest unused while the folder holds more than `MOST_BYTES`.

    What a process that was killed had not finished goes after a day.
    """
    kept = []
    for file in [*place.glob("*.kernel"), *place.glob(".new-*")]:
        try:
            seen = file.stat()
        except FileNotFoundError:  # another process pruned it, or finished it
            continue
        if file.suffix != ".kernel":
            if seen.st_mtime < time.time() - _DAY:
                _remove(file)
            continue
        kept.append((seen.st_mtime, seen.st_size, file))
    total = sum(size for _, size, _ in kept)
    for _, size, file in sorted(kept):
        if total <= MOST_BYTES:
            return
        _remove(file)
        total -= size


def _remove(file: Path) -> None:
    """Delete a file, unless it is gone or, in a folder that several people use, somebody else's."""
    try:
        file.unlink()
    except OSError:
        return
