"""The server as pages find it: what it lets in, what it refuses, and what survives it."""

import asyncio
import io
import json
import signal
import socket
import time

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from manyminds.apps.web.limits import Limits
from manyminds.apps.web.lobby import Lobby
from manyminds.apps.web.store import TableStore
from manyminds.apps.web.thinker import Thinker
from manyminds.apps.web.thinking import NoAnswer
from manyminds.games.go import sgf

# Under bounds checking the server would compile everything again, in a process of its own.
pytestmark = pytest.mark.slow

PROGRAM = {"player": "random@1"}


def test_people_play_at_their_own_pages_and_watchers_see_it(server):
    table, keys = server.make([{"name": "Ada"}, {"name": "Bo"}, PROGRAM])
    ada, bo, watcher = (server.page(table, key) for key in (keys["0"], keys["1"], ""))
    ada.play("C3")
    bo.wait_for(lambda page: page.knows["turn"]["seat"] == 1)
    bo.play("D4")
    watcher.wait_for(lambda page: len(page.moves) >= 3)  # the program has answered
    assert [move[1] for move in watcher.moves[:2]] == ["C3", "D4"]
    assert [one["name"] for one in watcher.knows["seats"]["seats"]] == ["Ada", "Bo", ""]
    assert watcher.knows["watchers"] == 1
    assert watcher.knows["you"] == {"seat": None}


def test_a_seat_is_played_by_its_key_only(server):
    table, keys = server.make()
    watcher, white = server.page(table), server.page(table, keys["1"])
    watcher.say("play", move="C3", number=0)
    assert "no say" in watcher.refusal()
    white.say("play", move="C3", number=0)
    assert "black's turn" in white.refusal()
    stranger = server.page(table, "k" * 32, sit=False)
    stranger.say("sit", key="k" * 32)
    assert "seats nobody" in stranger.ended()
    other, other_keys = server.make()
    assert other != table
    stranger = server.page(table, sit=False)
    stranger.say("sit", key=other_keys["0"])
    assert "seats nobody" in stranger.ended()


def test_keys_are_unguessable_and_told_to_who_made_the_table_only(server):
    table, keys = server.make(title="Open", listed=True)
    assert all(len(key) == 32 for key in keys.values())
    page = server.page(table)
    heard = json.dumps(page.knows) + server.request("/api/tables")[2]
    heard += server.request(f"/table/{table}")[2] + server.request(f"/table/{table}/game.sgf")[2]
    assert "Open" in heard
    assert not any(key in heard for key in keys.values())
    assert (
        b"Open" in server.store.read_bytes() + server.store.with_name("tables.db-wal").read_bytes()
    )
    on_disk = server.store.read_bytes() + server.store.with_name("tables.db-wal").read_bytes()
    assert not any(key.encode() in on_disk for key in keys.values())


def test_who_is_offline_is_seen(server):
    table, keys = server.make()
    black, white = server.page(table, keys["0"]), server.page(table, keys["1"])
    black.wait_for(lambda page: page.knows["seats"]["seats"][1]["online"])
    white.close()
    black.wait_for(lambda page: not page.knows["seats"]["seats"][1]["online"])


def test_undo_dead_stones_and_result_reach_every_page(server):
    table, keys = server.make()
    black, white = server.page(table, keys["0"]), server.page(table, keys["1"])
    black.play("C3")
    black.say("undo")
    white.wait_for(lambda page: page.knows.get("question"))
    white.say("answer", yes=True)
    black.wait_for(lambda page: page.moves == [])
    for move in ("C3", "E5", "pass", "pass"):
        page = (black, white)[len(black.moves) % 2]
        number = len(black.moves)
        page.wait_for(lambda page, number=number: len(page.moves) == number)
        page.play(move)
        black.wait_for(lambda page, played=page: len(page.moves) >= len(played.moves))
    black.wait_for(lambda page: page.knows["turn"]["phase"] == "counting")
    if "E5" not in black.knows["count"]["dead"]:
        black.say("mark", point="E5")
    black.wait_for(lambda page: "E5" in page.knows["count"]["dead"])
    white.wait_for(lambda page: page.knows.get("count") == black.knows["count"])
    for page in (black, white):
        page.say("agree", dead=black.knows["count"]["dead"])
    white.wait_for(lambda page: page.knows.get("result"))
    assert white.knows["result"]["points"][0] in (0.0, 25.0)
    status, headers, text = server.request(f"/table/{table}/game.sgf")
    assert status == 200
    assert "attachment" in headers["content-disposition"]
    assert [point for _, point in sgf.read(text).moves] == [63, 105, 0, 0]


def test_a_hint_is_for_who_asked(server):
    table, keys = server.make()
    black, white = server.page(table, keys["0"]), server.page(table, keys["1"])
    black.say("hint")
    black.wait_for(lambda page: page.answers, seconds=110)
    name, hint = black.answers[0]
    assert name == "hint"
    assert hint["candidates"][0][0] == hint["move"]
    assert len(hint["owners"]) == 25
    assert white.answers == []


def test_programs_think_aloud_unless_told_otherwise(server):
    table, keys = server.make([{}, {"player": "uct@200"}])
    black = server.page(table, keys["0"])
    black.play("C3")
    black.wait_for(lambda page: page.knows.get("thought"), seconds=110)
    thought = black.knows["thought"]
    assert (thought["number"], thought["seat"], thought["simulations"]) == (1, 1, 200)
    assert len(thought["candidates"][0][1]) == len(thought["points"]) == 2
    assert sum(thought["points"]) <= 25 + 6.5 + 0.01
    table, keys = server.make([{}, {"player": "uct@200"}], thoughts="watchers")
    black, watcher = server.page(table, keys["0"]), server.page(table)
    black.play("C3")
    watcher.wait_for(lambda page: page.knows.get("thought"))
    black.wait_for(lambda page: len(page.moves) == 2)
    assert not black.knows.get("thought")


def test_sgf_comes_in_with_its_moves(server):
    text = "(;GM[1]FF[4]SZ[5]CL[black][white][red];B[cc];W[dd];MC[red:ee])"
    table, keys = server.make([{}, {}, {}], sgf=text)
    page = server.page(table, keys["0"])
    assert [move[1] for move in page.moves] == ["C3", "D2", "E1"]
    status, _, answer = server.request(
        "/api/tables", {"seats": [{}, {}], "sgf": "(;GM[1]SZ[5];B[aa];W[aa])"}
    )
    assert status == 400
    assert "move 2" in json.loads(answer)["refused"]


def test_a_game_survives_restarts_and_being_killed(own_server):
    server = own_server()
    table, keys = server.make([{}, {}, PROGRAM], clock={"main": 100})
    black, white = server.page(table, keys["0"]), server.page(table, keys["1"])
    black.play("C3")
    white.wait_for(lambda page: len(page.moves) == 1)
    white.play("B2")
    black.wait_for(lambda page: len(page.moves) == 3)
    server.restart()
    again = server.page(table, keys["0"])
    assert again.moves == black.moves
    assert again.knows["turn"]["seat"] == 0
    assert 50 < again.knows["clock"]["left"][1] < 100
    again.play("pass")
    time.sleep(0.5)  # a server that is killed may lose the last moments
    server.restart(signal.SIGKILL)
    again = server.page(table, keys["0"])
    assert again.moves[3][:2] == [0, "pass"]


def test_pages_of_other_sites_and_foreign_names_are_refused(server):
    wish = {"seats": [{}, {}]}
    headers = {"Origin": "https://evil.example"}
    assert server.request("/api/tables", wish, headers)[0] == 403
    assert server.request("/", headers={"Host": "evil.example"})[0] == 421
    table, keys = server.make()
    with pytest.raises(InvalidStatus, match="403"):
        server.page(table, keys["0"], origin="https://evil.example")
    page = server.page(table, keys["0"], origin=server.url)
    assert page.knows["you"] == {"seat": 0}


def test_every_answer_carries_a_strict_policy(server):
    for path in ("/", "/table/x", "/api/players", "/nothing-here"):
        headers = server.request(path)[1]
        if path != "/nothing-here":
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"


def test_too_much_is_refused_with_a_reason(server):
    status, _, text = server.request("/api/tables", b"x" * 1_000_001)
    assert (status, "1000000 bytes" in text) == (413, True)
    assert server.request("/api/tables", {"seats": [{"player": "gtp(reboot)"}, {}]})[0] == 400
    assert server.request("/api/tables", {"seats": [{}]})[0] == 400
    page = server.page(*_first_seat(server))
    page.socket.send("x" * 2000)
    assert "1000 characters" in page.refusal()
    page.socket.send('{"say":"dance"}')
    assert "dance" in page.refusal()
    assert "too many messages" in _shouted_at(page)


def _shouted_at(page):
    """Says far too much at once; the reason that the server gives for closing."""
    try:
        for _ in range(500):
            page.say("look", number=0)
    except ConnectionClosed:
        pass
    return page.ended()


def _first_seat(server):
    table, keys = server.make()
    return table, keys["0"]


def test_there_are_so_many_pages_and_no_more(own_server):
    server = own_server("--per-address", "3")
    table, keys = server.make()
    pages = [server.page(table) for _ in range(3)]
    one_more = server.page(table, sit=False)
    assert "3 pages from one address" in one_more.ended()
    pages.pop().close()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        page = server.page(table, sit=False)
        page.say("sit", key=keys["0"])
        try:
            page.wait_for(lambda page: "turn" in page.knows or page.answers, 5)
        except ConnectionClosed:
            continue
        if not page.answers:
            return
    raise AssertionError("a place that became free was not given")


def test_a_page_that_reads_nothing_costs_the_others_nothing(server):
    table, keys = server.make()
    with socket.create_connection(("127.0.0.1", server.port), 5) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.sendall(
            f"GET /table/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        said = b'{"say":"sit"}'
        deaf.sendall(bytes([0x81, 0x80 | len(said), 0, 0, 0, 0]) + said)
        black, white = server.page(table, keys["0"]), server.page(table, keys["1"])
        worst = 0.0
        for number in range(120):
            page, other = ((black, white), (white, black))[number % 2]
            begun = time.monotonic()
            page.say("rename", name=f"{number:040}")
            other.wait_for(lambda page, n=number: f"{n:040}" in json.dumps(page.knows["seats"]), 10)
            worst = max(worst, time.monotonic() - begun)
            time.sleep(0.06)  # a page may say ten things a second
        assert worst < 1.0


def test_a_new_machine_gets_a_program_ready_while_people_look_round(tmp_path):
    asked = []

    class Notes:
        async def ask(self, job):
            asked.append(job)
            raise NoAnswer("nobody waits for it")

    store = TableStore(tmp_path / "tables.db")
    asyncio.run(Lobby(store, Notes(), Limits()).warm_up())
    store.close()
    (job,) = asked
    answer = Thinker().answer(job, io.BytesIO())
    assert answer.thought.simulations == 100
    assert len(answer.thought.points) == 3
