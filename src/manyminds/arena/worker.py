"""A local worker: a process that reads tasks from a socket and writes back what came of them.

Frames are four bytes of length and a msgpack message. The first message sets the process up; every
further one is a task. Answers go back one by one, so the pool knows which task a dead worker had.
"""

from __future__ import annotations

import faulthandler
import signal
import socket
import sys
from collections.abc import Iterator

import msgspec

MOST_FRAME = 256_000_000  # bytes
_HEAD = 4


class SetUp(msgspec.Struct, array_like=True):
    """What a worker must know before its first task."""

    parent: int
    path: list[str]


class Frames:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The frames that these bytes complete."""
        self._buffer += data
        while len(self._buffer) >= _HEAD:
            end = _HEAD + int.from_bytes(self._buffer[:_HEAD], "big")
            if end > MOST_FRAME:
                raise ValueError(f"a frame of {end} bytes")
            if len(self._buffer) < end:
                return
            yield bytes(self._buffer[_HEAD:end])
            del self._buffer[:end]


def frame(message: bytes) -> bytes:
    """The message with its length in front."""
    if len(message) > MOST_FRAME - _HEAD:
        raise ValueError(f"a message of {len(message)} bytes")
    return len(message).to_bytes(_HEAD, "big") + message


def main(descriptor: int) -> None:
    """Serve the pool at the other end of this socket until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's to answer
    faulthandler.enable()  # a crash in compiled code says where, on stderr, which the pool keeps
    pool = socket.socket(fileno=descriptor)
    messages = _messages(pool)
    set_up = msgspec.msgpack.decode(next(messages), type=SetUp)
    sys.path[:] = set_up.path
    from manyminds.arena.parent import die_with, end_group

    die_with(set_up.parent)
    _serve(pool, messages)
    end_group()


def _serve(pool: socket.socket, messages: Iterator[bytes]) -> None:
    from manyminds.arena.result import FailedGame
    from manyminds.arena.task import Task, play_task

    decoder, encoder = msgspec.msgpack.Decoder(Task), msgspec.msgpack.Encoder()
    pool.sendall(frame(b""))  # ready
    for message in messages:
        task = decoder.decode(message)
        try:
            answer = frame(encoder.encode(play_task(task)))
        except ValueError as error:
            answer = frame(
                encoder.encode(FailedGame(task.number, f"its result cannot be sent: {error}"))
            )
        try:
            pool.sendall(answer)
        except OSError:
            return


def _messages(pool: socket.socket) -> Iterator[bytes]:
    frames = Frames()
    while True:
        try:
            data = pool.recv(1 << 16)
        except OSError:
            return
        if not data:
            return
        yield from frames.feed(data)
