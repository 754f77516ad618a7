"""Runs one outside program and leaves nothing of it behind: `python leash.py CONTROL PARENT COMMAND...`

A program of its own, of the standard library only, started by `process.py`. It ends the command with all
its children and grandchildren when (1) anything arrives on the socket CONTROL or it closes, (2) the process
PARENT dies, however suddenly, or (3) the command itself ends. Grandchildren that left the process group or
the session are found too: as "subreaper" (Linux) the leash inherits whatever loses its parent. Should the
leash be killed, the command dies with it. How the command ended is written to CONTROL: `exit 3`,
`signal 9`, `unstartable No such file or directory`.

On systems other than Linux only the command's process group is ended.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_SECONDS_TO_KILL = 5.0
_MOST_REAPED = 1000  # at a time: some programs make orphans faster than we bury them


def _prctl(option: int, value: int) -> None:
    if LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _ended(signum: int, frame: object) -> None:
    raise SystemExit(0)


def _children() -> dict[int, list[int]]:
    """Every process on this machine that has living children, with them."""
    found: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except (OSError, ValueError):  # it ended while we looked
            continue
        if state not in (b"Z", b"X"):
            found.setdefault(int(parent), []).append(int(name))
    return found


def descendants(root: int) -> list[int]:
    """All living processes below `root`."""
    children = _children()
    below = [root]
    for pid in below:  # grows while we walk
        below += children.get(pid, [])
    return below[1:]


def _kill(group: int) -> None:
    for pid in descendants(os.getpid()) if LINUX else [-group]:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:  # gone, or not ours to kill (set-user-id)
            continue


def _reap() -> bool:
    """Collects the dead, so many at a time; whether any child is left."""
    try:
        for _ in range(_MOST_REAPED):
            if not os.waitpid(-1, os.WNOHANG)[0]:
                break
    except ChildProcessError:
        return False
    return True


def kill_all(group: int) -> None:
    """Kills until nothing is left: what is forked meanwhile is found in the next round."""
    end = time.monotonic() + _SECONDS_TO_KILL
    pause = 0.0005
    while time.monotonic() < end:
        _kill(group)
        if not _reap():
            return
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def _start(command: list[str], control: int) -> tuple[int, str]:
    """The command's process number, or 0 and why it could not be started."""
    read_end, write_end = os.pipe()  # closed by a successful exec
    leash = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != leash:
                os._exit(127)
            for number in (signal.SIGPIPE, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            os.close(control)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(write_end, str(error.strerror).encode())
        finally:
            os._exit(127)
    os.close(write_end)
    reason = os.read(read_end, 500).decode(errors="replace")
    os.close(read_end)
    if reason:
        os.waitpid(child, 0)
    return (0 if reason else child), reason


def _watch(child: int, control: int, parent: int, watched: int) -> str:
    """Waits for one of the three ends; how the command ended, if it did."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    if LINUX:
        poll.register(watched, select.POLLIN)
        poll.register(os.pidfd_open(child), select.POLLIN)
    while True:
        ready = {file for file, _ in poll.poll(1000 if LINUX else 50)}
        if ready & {control, watched} or os.getppid() != parent:
            return ""
        for _ in range(_MOST_REAPED):  # orphans that we inherited, and at last the child
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == child:
                code = os.waitstatus_to_exitcode(status)
                return f"exit {code}" if code >= 0 else f"signal {-code}"
            if not pid:
                break


def main(arguments: list[str]) -> None:
    control, parent, command = int(arguments[0]), int(arguments[1]), arguments[2:]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _ended)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    watched = os.pidfd_open(parent) if LINUX else -1
    if os.getppid() != parent:
        return
    child, report = _start(command, control)
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):  # only the command holds the pipes, so that their ends are seen
            os.dup2(nowhere, standard)
        report = _watch(child, control, parent, watched) if child else f"unstartable {report}"
    finally:
        if child:
            kill_all(child)
    try:
        os.write(control, report.encode())
    except OSError:  # nobody is left who asks
        return


if __name__ == "__main__":
    main(sys.argv[1:])
