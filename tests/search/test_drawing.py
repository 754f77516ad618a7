"""A tree as text."""

import pytest

import manyminds as mm


def test_the_winning_move_of_nim_stands_first_with_what_it_is_worth():
    nim = mm.make_game("nim", heaps=[2, 1])
    search = mm.Search(nim, seed=1)
    search.run(simulations=3000)
    head, first, *_ = mm.show_tree(search, depth=1).splitlines()
    assert head == f"3,000 simulations, {search.nodes:,} nodes"
    best = search.root()[0]
    assert first == (
        f"{best.name}  {best.visits:,} visits  first {best.values[0]:.3f}, second {best.values[1]:.3f}"
    )


def test_moves_without_a_choice_follow_their_then():
    nim = mm.make_game("nim", heaps=[1, 1, 1])  # whatever is taken, the rest is forced in the end
    search = mm.Search(nim, seed=1)
    search.run(simulations=200)
    deepest = mm.show_tree(search, depth=2).splitlines()[2]
    assert deepest.startswith("   ")
    assert " then " in deepest


def test_depth_and_width_are_kept_to():
    game = mm.go(size=5)
    search = mm.Search(game, seed=1)
    search.run(simulations=2000)
    lines = mm.show_tree(search, depth=3, wide=2).splitlines()[1:]
    indents = [(len(line) - len(line.lstrip())) // 3 for line in lines]
    assert indents.count(0) == 2
    assert indents.count(1) == 4
    assert max(indents) == 2


@pytest.mark.parametrize("jointly", [False, True])
def test_moves_of_split_turns_say_whose_they_are(jointly):
    hunt = mm.make_game("hunt")
    search = mm.Search(hunt, seed=1, jointly=jointly)
    search.run(simulations=300)
    text = mm.show_tree(search, depth=1).splitlines()[1]
    assert text.startswith("wolf ")
    assert ("fox" in text.split(" visits")[0]) is jointly


def test_drawing_leaves_the_search_as_it_was():
    game = mm.go(size=5, colours=3)
    search = mm.Search(game, seed=1)
    search.run(simulations=500)
    twin = search.copy()
    mm.show_tree(search)
    search.run(simulations=500)
    twin.run(simulations=500)
    assert search.root() == twin.root()
