"""The program as people run it: with pipes, and in a terminal of its own."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

PROGRAM = [sys.executable, "-m", "manyminds"]
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"  # the cursor


@pytest.fixture
def typed():
    """Runs a command line with pipes; `json=True` reads the one document that is printed."""

    def run(line, said="", status=0, as_json=False, **more):
        done = subprocess.run(
            [*PROGRAM, *line.split(), *(["--json"] if as_json else [])],
            input=said,
            capture_output=True,
            text=True,
            timeout=110,
            **more,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return json.loads(done.stdout) if as_json else done

    return run


class Terminal:
    """A program in a terminal of its own, whose keys are ours to press."""

    def __init__(self, line, rows=26, columns=90):
        self.ours, self.its = pty.openpty()
        fcntl.ioctl(self.its, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(self.its)
        self.seen = ""
        self.process = subprocess.Popen(
            [*PROGRAM, *line.split()],
            stdin=self.its,
            stdout=self.its,
            stderr=self.its,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm-256color"},
        )

    def wait_for(self, text, seconds=100):
        """Reads until this has been seen, from where the last wait ended."""
        begun = len(self.seen)
        deadline = time.monotonic() + seconds
        while text not in self.seen[begun:]:
            assert self._read(deadline), f"no {text!r} in {self.seen[begun:]!r}"

    def press(self, keys):
        """Types, Ctrl-C too."""
        os.write(self.ours, keys.encode())

    def end(self, seconds=60):
        """Reads to the end; the exit status."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and self._read(deadline, 0.05):
            pass
        status = self.process.wait(timeout=max(0.1, deadline - time.monotonic()))
        while select.select([self.ours], [], [], 0.05)[0] and self._read(time.monotonic() + 0.05):
            pass
        return status

    def is_as_before(self):
        """Whether keys and cursor are as the program found them."""
        same = termios.tcgetattr(self.its) == self.before
        return same and self.seen.rfind(SHOW) >= self.seen.rfind(HIDE)

    def _read(self, deadline, longest=1.0):
        """Reads a little; False when nothing came till the deadline."""
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self.ours], [], [], min(longest, left))[0]:
                self.seen += os.read(self.ours, 65536).decode(errors="replace")
                return True
            if self.process.poll() is not None or longest < 1.0:
                return self.process.poll() is None
        return False

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.ours)
        os.close(self.its)


@pytest.fixture
def terminal():
    """Starts the program in a terminal; whatever is left of it goes with the test."""
    opened = []

    def start(line, **size):
        opened.append(Terminal(line, **size))
        return opened[-1]

    yield start
    for each in opened:
        each.close()
