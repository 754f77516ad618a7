"""A server as people start it, and pages that talk to it without a browser."""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

PROGRAM = [sys.executable, "-m", "manyminds", "serve"]
PEOPLE = [{}, {}]
HUNT = {"pacman": "random", "mates": "roots@20", "seed": 3, "air": {"loss": 0.5}}


class Server:
    """`manyminds serve` in a process of its own; `restart` keeps port and store."""

    def __init__(self, folder, *options):
        self.store, self.options, self.port = folder / "tables.db", options, 0
        self.start()

    def start(self):
        line = [*PROGRAM, "--port", str(self.port), "--store", str(self.store), *self.options]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
        shown = ""
        deadline = time.monotonic() + 100
        while "http://" not in shown:
            left = deadline - time.monotonic()
            assert left > 0, "the server did not start"
            assert select.select([self.process.stdout], [], [], left)[0]
            line = self.process.stdout.readline()
            assert line, "the server ended"
            shown += line
        self.port = int(re.search(r":(\d+)", shown.split("http://")[1])[1])

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(timeout=30)
        self.process.stdout.close()

    def restart(self, how=signal.SIGTERM):
        self.stop(how)
        self.start()

    def request(self, path, body=None, headers=(), method=None):
        """(status, headers, text) of a request."""
        data = (
            None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        )
        wanted = urllib.request.Request(self.url + path, data, dict(headers), method=method)
        try:
            with urllib.request.urlopen(wanted, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read().decode()

    def make(self, seats=PEOPLE, **more):
        """A new table: its id and the keys by seat."""
        status, _, text = self.request(
            "/api/tables", {"seats": seats, "width": 5, "height": 5} | more
        )
        assert status == 201, text
        made = json.loads(text)
        return made["table"], made["seats"]

    def page(self, table, key="", **more):
        return Page(f"ws://127.0.0.1:{self.port}/table/{table}/socket", key, **more)

    def hunt(self, **more):
        """A new hunt: its id and its key."""
        status, _, text = self.request("/api/hunts", HUNT | more)
        assert status == 201, text
        made = json.loads(text)
        return made["hunt"], made["key"]

    def watch(self, hunt, key="", **more):
        return Watcher(f"ws://127.0.0.1:{self.port}/hunt/{hunt}/socket", key, **more)


class Page:
    """A page without a browser. `knows` is what it has been told, `moves` as they stand."""

    def __init__(self, url, key, sit=True, **more):
        self.closing = contextlib.ExitStack()
        self.socket = self.closing.enter_context(
            connect(url, open_timeout=10, close_timeout=2, **more)
        )
        self.knows, self.moves, self.answers = {}, [], []
        if sit:
            self.say("sit", key=key)
            self.wait_for(lambda page: self.ready in page.knows)

    ready = "turn"

    def say(self, word, **more):
        self.socket.send(json.dumps({"say": word} | more))

    def hear(self, seconds=20):
        news = json.loads(self.socket.recv(timeout=seconds))
        for name, value in news.items():
            if name == "moves":
                self.moves[value["from"] :] = value["moves"]
            elif name in ("refused", "hint", "closing"):
                self.answers.append((name, value))
            else:
                self.knows[name] = value

    def wait_for(self, wanted, seconds=60):
        """Hear until it is so."""
        deadline = time.monotonic() + seconds
        while not wanted(self):
            self.hear(max(deadline - time.monotonic(), 0.01))

    def play(self, move):
        number = len(self.moves)
        self.say("play", move=move, number=number)
        self.wait_for(lambda page: len(page.moves) > number or page.answers)

    def refusal(self):
        self.wait_for(lambda page: page.answers)
        return self.answers.pop(0)[1]

    def ended(self):
        """Hear until the server closes; its reason."""
        try:
            while True:
                self.hear()
        except ConnectionClosed:
            return dict(self.answers).get("closing", "")

    def close(self):
        self.closing.close()


class Watcher(Page):
    """A page that watches a hunt; `moves` are its ticks."""

    ready = "state"

    def hear(self, seconds=20):
        news = json.loads(self.socket.recv(timeout=seconds))
        self.moves += news.pop("ticks", [])
        self.answers += [(name, news.pop(name)) for name in ("refused", "closing") if name in news]
        self.knows |= news


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests that do not restart it."""
    running = Server(tmp_path_factory.mktemp("tables"))
    yield running
    running.stop()


@pytest.fixture
def own_server(tmp_path):
    """Servers of a test's own, with options."""
    running = []

    def start(*options):
        running.append(Server(tmp_path, *options))
        return running[-1]

    yield start
    for each in running:
        each.stop(signal.SIGKILL if os.environ.get("CI") else signal.SIGTERM)
