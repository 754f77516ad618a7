"""Hunts as pages find them: what mates plan and say is told truly, and who may change what."""

import io
import json
from itertools import pairwise

import msgspec
import numpy as np
import pytest

import manyminds as mm
from manyminds.apps.web.hunts import hunter as hunters
from manyminds.apps.web.hunts import scene
from manyminds.apps.web.hunts.order import LONGEST_FRAME, Air, Pace, Stored
from manyminds.arena.campaign import MOST_GAMES
from manyminds.arena.store import Store
from manyminds.games.pacman.tables import first_spots

pytestmark = pytest.mark.slow

MATES = "roots(channel=virtual(loss=0.5))@20"


@pytest.fixture(scope="module")
def told():
    """A short hunt: for every tick what is shown, the state after it, and what the channel counted."""
    game = mm.make_game("pacman")
    heard, shown = [], []
    air = hunters.Overheard(Air(loss=0.5).plan(), heard)
    team = mm.Team("roots@20", air, 3)
    ghosts = team.players(game, game.teams[1])

    def tick(turn):
        shown.append((scene.tick(turn, team.loop, heard, 0.0), game.copy(turn.state)))
        heard.clear()

    mm.play(game, ["random", *ghosts], 3, move_limit=90, on_move=tick)
    return game, team.loop, shown


def test_every_message_is_shown_as_passed_or_lost(told):
    _, loop, shown = told
    links = np.array([link for tick, _ in shown for link in tick["links"]])
    traffic = loop.channel.traffic
    assert links[:, 2:4].sum() == traffic.addressed > 500
    assert links[:, 3].sum() == traffic.lost
    # a share of 0.5 lost, each for itself: within five standard errors
    assert abs(traffic.share_lost - 0.5) < 5 * 0.5 / traffic.addressed**0.5


def test_everybody_stands_where_the_rules_say(told):
    game, _, shown = told
    mazes = scene.mazes_of(game)
    for tick, state in shown:
        maze, first = mazes[int(state.maze)], first_spots(mazes)[int(state.maze)]
        spots = [int(state.pacman), *map(int, state.ghost)]
        assert tick["at"] == [[int(maze.x[s - first]), int(maze.y[s - first])] for s in spots]
        left = sum(int(word).bit_count() for word in state.pills)
        assert bin(int(tick["pills"], 16)).count("1") == left
        assert tick["score"] == int(state.score)


def test_plans_are_ways_of_the_maze_that_begin_where_one_stands(told):
    game, _, shown = told
    maze = scene.mazes_of(game)[0]
    places = {(int(x), int(y)) for x, y in zip(maze.x, maze.y, strict=True)}
    plans = 0
    for (before, _), (tick, _) in pairwise(shown):
        for mate in tick["mates"]:
            for seat, ways in enumerate(mate.get("ways", [])):
                for way in ways:
                    corners = list(zip(way[::2], way[1::2], strict=True))
                    assert set(corners) <= places
                    for (x, y), (there, down) in pairwise(corners):
                        assert (x == there) != (y == down)
                if ways and not (seat and before["lair"][seat - 1]):
                    assert ways[0][:2] == before["at"][seat]
                    plans += 1
    assert plans > 100


def test_a_maze_is_drawn_with_all_its_ways_and_no_others(told):
    game, _, _ = told
    shown = scene.ground(game, ["random"] * 5, None)["mazes"]
    assert len(shown) == 4
    for maze, picture in zip(scene.mazes_of(game), shown, strict=True):
        drawn = set()
        for x, y, there, down in picture["ways"]:
            step = (np.sign(there - x), np.sign(down - y))
            while (x, y) != (there, down):
                drawn.add(((x, y), (x + step[0], y + step[1])))
                x, y = x + step[0], y + step[1]
        links = {
            ((int(maze.x[n]), int(maze.y[n])), (int(maze.x[to]), int(maze.y[to])))
            for n in range(maze.nodes)
            for direction, to in maze.links(n)
            if direction in (1, 2) and abs(int(maze.x[n]) - int(maze.x[to])) <= 1
        }
        assert drawn == links


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A campaign's store with a hunt of mates, and one of players that are none."""
    path = tmp_path_factory.mktemp("hunts") / "hunts.db"
    lineups = [["random"] + [MATES] * 4, ["random"] * 5]
    campaign = mm.Campaign("pacman", lineups=lineups, games=1, seed=4, move_limit=80)
    campaign.run(path, workers=0)
    return path


def replies(hunter, order):
    """What a hunter shows, by kind."""
    out = hunter.replies
    hunter.stored(order)
    data, shown = out.getvalue(), []
    while data:
        size = int.from_bytes(data[:4], "little")
        assert size <= LONGEST_FRAME
        shown.append((data[4:5], json.loads(data[5 : 4 + size])))
        data = data[4 + size :]
    return shown


@pytest.mark.parametrize(("lineup", "thinks"), [(0, True), (1, False)])
def test_a_stores_game_is_played_again_move_by_move(store, lineup, thinks):
    with Store.read(store) as opened:
        match = opened.result(lineup * MOST_GAMES).match()
    order = Stored(store=str(store), number=lineup * MOST_GAMES, pace=Pace(1e6))
    shown = replies(hunters.Hunter(io.BytesIO(), order.pace), order)
    ticks = [value for kind, value in shown if kind == b"t"]
    assert [tick["moves"] for tick in ticks] == list(match.names)
    assert sum("ways" in mate for tick in ticks for mate in tick.get("mates", [])) > 0 or not thinks
    grounds = [value["note"] for kind, value in shown if kind == b"g"]
    assert grounds == [hunters.AGAIN if thinks else hunters.MOVES_ONLY]


def test_a_game_that_goes_another_way_is_shown_as_it_was_kept(store, monkeypatch):
    with Store.read(store) as opened:
        match = opened.result(0).match()
    order = Stored(store=str(store), number=0, pace=Pace(1e6))
    hunter = hunters.Hunter(io.BytesIO(), order.pace)
    kept = hunters.kept_match

    def other_seed(order):
        game, match, campaign = kept(order)
        return game, msgspec.structs.replace(match, seed=match.seed + 1), campaign

    monkeypatch.setattr(hunters, "kept_match", other_seed)
    shown = replies(hunter, order)
    ticks = [value for kind, value in shown if kind == b"t"]
    assert [tick["moves"] for tick in ticks] == list(match.names)
    notes = [value["note"] for kind, value in shown if kind == b"g"]
    assert len(notes) == 2
    assert "cannot be had again after tick" in notes[1]


def test_a_hunt_is_watched_and_its_channel_set_while_it_runs(server):
    hunt, key = server.hunt()
    mine, other = server.watch(hunt, key), server.watch(hunt)
    assert (mine.knows["you"], other.knows["you"]) == (True, False)
    other.say("tune", loss=0.9)
    assert "who made this hunt" in other.refusal()
    mine.say("pace", ticks=100)
    mine.wait_for(lambda page: len(page.moves) > 60, 110)
    mine.say("tune", loss=0.99)
    other.wait_for(lambda page: page.knows["air"]["loss"] == 0.99)
    begun = len(mine.moves) + 5
    mine.wait_for(lambda page: len(page.moves) > begun + 20 or _over(page), 110)
    links = [link for tick in mine.moves[begun:] for link in tick["links"]]
    passed, lost = (sum(link[k] for link in links) for k in (2, 3))
    assert lost > 10 * max(passed, 1)
    assert [tick["number"] for tick in mine.moves] == list(range(1, len(mine.moves) + 1))


def _over(page):
    return page.knows["state"]["phase"] == "over"


def test_hunts_are_refused_with_a_reason(server):
    for wish, why in (
        ({"mates": "uct@10"}, "is no mate"),
        ({"mates": "roots@6000"}, "5000 simulations a tick"),
        ({"mates": "roots@5s"}, "a second a tick"),
        ({"pacman": 'gtp("reboot")'}, "cannot be asked for"),
        ({"pacman": "aggressive"}, "plays ghosts only"),
        ({"broken": {"pacman": "dead"}}, "no ghost is called"),
        ({"store": "etc"}, "there is no store"),
        ({"air": {"loss": 0.98, "burst": 2}}, "bursts of 2 packets"),
        ({"air": {"loss": 2}}, "this is no hunt"),
    ):
        status, _, text = server.request("/api/hunts", wish)
        assert (status, why in text) == (400, True), text
    stranger = server.watch("nowhere", sit=False)
    stranger.say("sit")
    assert "no such hunt" in stranger.ended()


def test_a_form_offers_those_only_who_can_sit_there(server):
    offer = json.loads(server.request("/api/hunts")[2])
    mates, pacmen = ({one["name"] for one in offer[who]} for who in ("mates", "pacman"))
    assert {"roots", "tree-cuts", "dec-mcts"} <= mates
    assert {"deepening", "safe-path", "starter", "uct", "random"} <= pacmen
    assert not (mates | {"aggressive", "legacy"}) & pacmen
    assert not {"deepening", "nearest-pill", "starter", "remote"} & mates


def test_there_are_so_many_hunts_and_no_more(own_server):
    server = own_server("--hunts", "1")
    hunt, _ = server.hunt()
    status, _, text = server.request("/api/hunts", {})
    assert (status, "1 hunts go on already" in text) == (503, True)
    stranger = server.watch(hunt, sit=False)
    stranger.say("sit", key="k" * 32)
    assert "does not belong" in stranger.ended()
