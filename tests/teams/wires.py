"""A network within a test: what is sent arrives, in order, and can be looked at."""

import threading
import time

from manyminds.teams.network.envelope import WORLD, Seal
from manyminds.teams.network.post import Line, Post
from manyminds.teams.network.teammate import Teammate


class Wires:
    """All ends of a network that lives in memory; an address is a name."""

    def __init__(self):
        self.boxes = {}
        self.lock = threading.Lock()

    def end(self, name):
        self.boxes.setdefault(name, [])
        return End(self, name)


class End:
    def __init__(self, wires, name):
        self.wires, self.address = wires, name

    def peer(self, name, address):
        return address

    def send(self, to, data):
        with self.wires.lock:
            self.wires.boxes.setdefault(to, []).append((self.address, data))

    def receive(self):
        with self.wires.lock:
            arrived = self.wires.boxes[self.address]
            self.wires.boxes[self.address] = []
        return arrived

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while not self.wires.boxes[self.address] and time.monotonic() < end:
            time.sleep(0.001)

    def close(self):
        pass


def hunter(wires, seat, mate, key=b"", line=Line, **others):
    """A teammate of the hunt, wolf or fox, on such a network."""
    names = ("wolf", "fox")
    other = 1 - names.index(seat)
    post = Post(
        wires.end(seat), Seal(key), names.index(seat), {other: names[other], WORLD: "world"}
    )
    return Teammate("hunt", seat, mate, post, lambda: line(post, (0, 1)), **others)
