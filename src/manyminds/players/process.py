"""An outside program as a child process: lines in, lines out, every wait with a deadline.

The program runs under a leash (leash.py), a small process of ours that ends it with all its children and
grandchildren when we say so, when it ends itself, and when we die. On Linux that holds for whatever the
program forks, in whatever session; should somebody kill the leash itself, those that still carry its mark
in their environment are found and killed from here.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from manyminds.players.player import Forfeit
from manyminds.players.readable import readable

MOST_IN_LINE = 65_536  # bytes
MOST_IN_ALL = 64 * 2**20  # bytes on standard output, over the program's life
STDERR_KEPT = 4096  # bytes
MARK = "MANYMINDS_LEASH"

_LEASH = Path(__file__).with_name("leash.py")
_SECONDS_TO_STOP = 6.0  # the leash kills for at most 5
_SECONDS_TO_REPORT = 1.0
_SECONDS_TO_LET_GO = 2.0
_CHUNK = 65_536
_CHUNKS_TO_DRAIN = 16  # a program that never stops talking does not keep us


class Process:
    """One run of a command. Whatever goes wrong ends the run and raises Forfeit with the reason.

    For one thread at a time, except `stop`, which any thread may call and which may be called again.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = tuple(command)
        self.name = shlex.join(self.command)[:200]
        self.errors = b""  # the last bytes of standard error
        self._lines = bytearray()
        self._seen = 0
        self._reported = ""
        self._mark = secrets.token_hex(8)
        self._stopped = False
        self._exchange = threading.RLock()
        self._control, theirs = socket.socketpair()
        try:
            self._leash = self._start(theirs)
        except OSError as error:
            self._control.close()
            raise Forfeit(f'"{self.name}" could not be started: {error.strerror}') from error
        finally:
            theirs.close()
        self._watch()

    def _start(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C at our terminal is ours, and closing it is not a signal to them.
        leash = [sys.executable, "-I", "-S", str(_LEASH), str(theirs.fileno()), str(os.getpid())]
        return subprocess.Popen(
            [*leash, *self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            bufsize=0,
            env={**os.environ, MARK: self._mark},
        )

    def _watch(self) -> None:
        """Standard input is watched only while there is something to write."""
        self._selector = selectors.DefaultSelector()
        self._stdin, self._stdout, self._stderr = (
            _ours(stream) for stream in (self._leash.stdin, self._leash.stdout, self._leash.stderr)
        )
        self._selector.register(self._stdout, selectors.EVENT_READ, self._take_output)
        self._selector.register(self._stderr, selectors.EVENT_READ, self._take_errors)
        self._selector.register(self._control, selectors.EVENT_READ, self._take_report)

    @property
    def stderr(self) -> str:
        """The last 4 KiB that it wrote to standard error, as printable text."""
        return readable(self.errors)

    def write(self, line: str, deadline: float) -> None:
        """Sends one line; `deadline` is a time of time.monotonic()."""
        rest = line.encode() + b"\n"
        with self._exchange:
            self._check_running()
            self._selector.register(self._stdin, selectors.EVENT_WRITE, None)
            try:
                while rest:
                    ready = self._wait(deadline, f'it did not read "{line[:60]}" in time')
                    if self._stdin in ready:
                        rest = rest[os.write(self._stdin.fileno(), rest) :]
            except (
                BrokenPipeError
            ):  # it closed its input; what it still says, or its end, is read next
                return
            finally:
                if not self._stopped:
                    self._selector.unregister(self._stdin)

    def read_line(self, deadline: float, waiting_for: str) -> str:
        """The next line of standard output, without its end."""
        with self._exchange:
            self._check_running()
            while (end := self._lines.find(b"\n", 0, MOST_IN_LINE + 1)) < 0:
                if len(self._lines) > MOST_IN_LINE:
                    raise self.failed(f"it printed a line of more than {MOST_IN_LINE} bytes")
                self._wait(deadline, waiting_for)
            line = self._lines[:end].decode(errors="replace").rstrip("\r")
            del self._lines[: end + 1]
        return line

    def unread(self) -> str:
        """What it has printed that nobody has asked for."""
        with self._exchange:
            self._check_running()
            self._pump(0.0)
        return self._lines.decode(errors="replace").strip()

    def failed(self, what: str) -> Forfeit:
        """Ends the run; the Forfeit to raise, with what the program said on standard error."""
        self.stop()
        said = f"; on standard error: {self.stderr}" if self.stderr else ""
        return Forfeit(readable(f'"{self.name}": {what}{said}'))

    def stop(self, last_words: str = "", patience: float = 0.0) -> None:
        """Ends the program and all that it started; `patience` seconds after our last words, if any."""
        if self._stopped:
            return
        self._stopped = True
        if last_words:
            with contextlib.suppress(OSError):  # it is full, or gone
                os.write(self._stdin.fileno(), last_words.encode() + b"\n")
            self._report(patience)
        with contextlib.suppress(OSError):
            self._control.send(b"stop")
        try:
            self._leash.wait(_SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self._leash.kill()
            self._leash.wait()
        if self._leash.returncode:  # it did not end by itself, so it may have left something behind
            kill_marked(self._mark)
        # Another thread that waits for the program sees the end of its output now and lets go; should
        # it not, the pipes stay open, since a closed one's number may be another file's by then.
        if self._exchange.acquire(timeout=_SECONDS_TO_LET_GO):
            self._close()
            self._exchange.release()

    def _close(self) -> None:
        self._drain()
        self._selector.close()
        for end in (self._control, self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                end.close()

    def _check_running(self) -> None:
        if self._stopped:
            raise Forfeit(f'"{self.name}" has been ended')

    def _wait(self, deadline: float, missing: str) -> list[object]:
        """What is ready after output was taken in; past the deadline the run ends."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise self.failed(missing)
        return self._pump(left)

    def _pump(self, seconds: float) -> list[object]:
        """Waits so long for anything; takes in all output that is there."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.data is not None:
                key.data()
        return [key.fileobj for key, _ in ready]

    def _take_output(self) -> None:
        data = os.read(self._stdout.fileno(), _CHUNK)
        self._lines += data
        self._seen += len(data)
        if not data:
            raise self._gone()
        if self._seen > MOST_IN_ALL:
            raise self.failed(f"it printed more than {MOST_IN_ALL} bytes")

    def _take_errors(self) -> None:
        data = os.read(self._stderr.fileno(), _CHUNK)
        self.errors = (self.errors + data)[-STDERR_KEPT:]
        if not data:
            self._selector.unregister(self._stderr)

    def _take_report(self) -> None:
        """The leash tells the end, and the output that is still in the pipe is taken in before we do."""
        self._selector.unregister(self._control)
        self._report(_SECONDS_TO_REPORT)
        if not self._reported:
            raise self.failed("its leash was killed")

    def _gone(self) -> Forfeit:
        """Its output ended: why."""
        self._drain()
        words = {"exit": "it ended with exit status", "signal": "it was ended by signal"}
        self._report(_SECONDS_TO_REPORT)
        kind, _, rest = self._reported.partition(" ")
        if kind == "unstartable":
            return self.failed(f"it could not be started: {rest}")
        return self.failed(f"{words[kind]} {rest}" if kind in words else "it closed its output")

    def _report(self, seconds: float) -> None:
        """Waits so long for the leash to tell how the command ended; "" while it runs."""
        if not self._reported:
            self._control.settimeout(seconds)
            with contextlib.suppress(OSError):
                self._reported = self._control.recv(1000).decode(errors="replace")

    def _drain(self) -> None:
        """The last words on standard error."""
        with contextlib.suppress(OSError):  # nothing there, for now or for ever
            for _ in range(_CHUNKS_TO_DRAIN):
                self.errors = (self.errors + os.read(self._stderr.fileno(), _CHUNK))[-STDERR_KEPT:]


def _ours(stream: IO[bytes] | None) -> IO[bytes]:
    """Our end of a pipe, which from now on never makes us wait."""
    if stream is None:
        raise ValueError("this pipe was never made")
    os.set_blocking(stream.fileno(), False)
    return stream


def kill_marked(mark: str) -> None:
    """Kills what still runs under this mark (Linux); the way out when a leash was killed."""
    wanted = f"{MARK}={mark}".encode()
    for _ in range(20):
        found = [pid for pid in _pids() if wanted in _environment(pid)]
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return
        time.sleep(0.01)


def _pids() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return []


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:  # ended, or another user's
        return []
