"""One driver per store: a lock that ends with its process, however that ends."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from pathlib import Path
from types import TracebackType

from manyminds.core.errors import UsageError

PATIENCE = 0.5  # s; somebody who only asks whether the lock is held holds it for a moment


class StoreLock:
    """An exclusive lock on FILE.lock beside the store; the kernel frees it when its owner dies.

    Not on the store itself: closing a second descriptor of a file drops the locks SQLite holds on it.
    """

    def __init__(self, store: Path) -> None:
        self.path = store.resolve().with_name(store.resolve().name + ".lock")
        self._file = self._take()

    def _take(self) -> int:
        patience = time.monotonic() + PATIENCE
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_current(file):  # the last owner may have removed it before we locked it
                    os.ftruncate(file, 0)
                    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
                    return file
            except OSError as error:
                owner = os.read(file, 40).decode("ascii", "replace").strip()
                if (
                    error.errno not in (errno.EWOULDBLOCK, errno.EINTR)
                    or time.monotonic() > patience
                ):
                    os.close(file)
                    raise UsageError(
                        f"{self.path.with_suffix('')} is being written by another run (process "
                        f"{owner or '?'}): wait for it, stop it, or use another store"
                    ) from None
                time.sleep(0.05)
            os.close(file)

    def _is_current(self, file: int) -> bool:
        try:
            return os.fstat(file).st_ino == os.stat(self.path).st_ino
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others in, and leave no file behind."""
        if self._file >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> StoreLock:
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def writer_of(store: Path) -> int | None:
    """The process that writes the store now; None when nobody does."""
    path = store.resolve().with_name(store.resolve().name + ".lock")
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except OSError:
        owner = os.read(file, 40).decode("ascii", "replace").strip()
        return int(owner) if owner.isdigit() else 0
    finally:
        os.close(file)
