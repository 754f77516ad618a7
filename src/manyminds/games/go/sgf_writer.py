"""From a record to a game tree that other programs can open, whatever the number of colours."""

from __future__ import annotations

from manyminds.games.go import sgf_values as values
from manyminds.games.go.colours import COLOURS, FEWEST, colour, colour_names
from manyminds.games.go.coordinates import PASS, point_at, point_name, row_and_column
from manyminds.games.go.sgf_record import PlayedMove, SgfRecord
from manyminds.games.go.sgf_tree import Node
from manyminds.games.go.stones import Place, Stones, put

CONVENTION = 1  # of the private properties
_TWO = {1: "B", 2: "W"}


def move_comment(played: PlayedMove, width: int, height: int) -> str:
    """What a program that does not know MC shows for such a move."""
    number, point = played
    name = colour(number).name.capitalize()
    if point == PASS:
        return f"{name} passes"
    return f"{name} plays {point_name(point, width, height)}"


def tree_of(record: SgfRecord) -> Node:
    """The root of a tree whose main line is this record."""
    record.check()
    root = Node(_root_properties(record))
    shown = _Shown(record)
    shown.label(root)
    node = root
    for number, played in enumerate(record.moves):
        child = Node()
        shown.play(child, played)
        _add_comment(child, record, number, played)
        shown.label(child)
        node.children.append(child)
        node = child
    return root


class _Shown:
    """The stones that are on the board, and those that programs for two colours show.

    Where a stone has no liberty to their eyes, since they see none of the further colours, some
    programs take it off and some do not: there are two boards that they may show.
    """

    def __init__(self, record: SgfRecord) -> None:
        self.width, self.height = record.width, record.height
        self.real: Stones = dict(record.stones)
        self.shown = {suicide: _of_two(self.real) for suicide in (False, True)}

    def play(self, node: Node, played: PlayedMove) -> None:
        """Write the move into its node, and play it on both boards."""
        number, point = played
        raw = values.point_text(point, self.height)
        if number in _TWO:
            node.properties[_TWO[number]] = [raw]
        else:
            node.properties["MC"] = [f"{colour(number).name}:{raw}"]
        if point != PASS:
            place = row_and_column(point)
            put(self.real, place, number, self.width, self.height)
            if number in _TWO:
                for suicide, shown in self.shown.items():
                    put(shown, place, number, self.width, self.height, suicide)
        if number not in _TWO:
            self._correct(node)

    def _correct(self, node: Node) -> None:
        """Setup stones that make the board shown the real one; SGF allows none beside B and W."""
        wanted = _of_two(self.real)
        gone = {place for shown in self.shown.values() for place in shown if place not in wanted}
        self._write(node, "AE", gone)
        for name, number in (("AB", 1), ("AW", 2)):
            here = [place for place in wanted if wanted[place] == number]
            missing = {p for shown in self.shown.values() for p in here if shown.get(p) != number}
            self._write(node, name, missing)
        self.shown = {suicide: dict(wanted) for suicide in self.shown}

    def label(self, node: Node) -> None:
        """Name the stones of further colours, which such a program does not show."""
        labels = [
            f"{self._text(place)}:{colour(number).letter}"
            for place, number in sorted(self.real.items())
            if number not in _TWO
        ]
        if labels:
            node.properties["LB"] = labels

    def _write(self, node: Node, name: str, places: set[Place]) -> None:
        if places:
            node.properties[name] = [self._text(place) for place in sorted(places)]

    def _text(self, place: Place) -> str:
        return values.point_text(point_at(*place), self.height)


def _of_two(stones: Stones) -> Stones:
    return {place: number for place, number in stones.items() if number in _TWO}


def _add_comment(node: Node, record: SgfRecord, number: int, played: PlayedMove) -> None:
    said = record.remarks.get(number, "")
    if "MC" in node.properties:
        added = move_comment(played, record.width, record.height)
        said = f"{added}\n{said}" if said else added
    if said:
        node.properties["C"] = [values.escape(said)]


def _root_properties(record: SgfRecord) -> dict[str, list[str]]:
    """What stands in the root, in the order people expect; nothing for what is not known."""
    more = record.colours > FEWEST
    found: dict[str, list[str]] = {"GM": ["1"], "FF": ["4"], "CA": ["UTF-8"]}
    found["AP"] = [f"manyminds:{CONVENTION}"]
    found["SZ"] = [values.size_text(record.width, record.height)]
    if more:
        found["CL"] = list(colour_names(record.colours))
    found |= _names(record)
    found |= _komi(record)
    for name, said in (("RU", record.rules), ("EV", record.event), ("DT", record.date)):
        if said:
            found[name] = [values.escape(said)]
    if record.points:
        found["RC"] = _by_colour(record.points)
    if result := record.result or _result(record):
        found["RE"] = [values.escape(result)]
    found |= _setup(record)
    if more:
        found["GC"] = [values.escape(_explanation(record))]
    if record.comment:
        found["C"] = [values.escape(record.comment)]
    return found


def _names(record: SgfRecord) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, name in enumerate(record.names, 1):
        if name and number in _TWO:
            found["P" + _TWO[number]] = [values.escape(name)]
        elif name:
            found.setdefault("PN", []).append(
                f"{colour(number).name}:{values.escape(name, composed=True)}"
            )
    return found


def _komi(record: SgfRecord) -> dict[str, list[str]]:
    """KM, White's komi, where that says all; else KC."""
    if not record.komi:
        return {}
    if record.colours == FEWEST and record.komi[0] == 0:
        return {"KM": [values.number_text(record.komi[1])]}
    return {"KC": _by_colour(record.komi)}


def _by_colour(numbers: tuple[float, ...]) -> list[str]:
    return [f"{one.name}:{values.number_text(n)}" for one, n in zip(COLOURS, numbers, strict=False)]


def _result(record: SgfRecord) -> str:
    """RE of a game between two colours; it has no word for more."""
    if record.colours > FEWEST or not record.points:
        return ""
    lead = record.points[0] - record.points[1]
    if lead == 0:
        return "0"
    return f"{'B' if lead > 0 else 'W'}+{values.number_text(abs(lead))}"


def _setup(record: SgfRecord) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place, number in sorted(record.stones.items()):
        raw = values.point_text(point_at(*place), record.height)
        if number in _TWO:
            found.setdefault("A" + _TWO[number], []).append(raw)
        else:
            found.setdefault("AC", []).append(f"{colour(number).name}:{raw}")
    if record.to_play != 1 or (record.moves and record.moves[0][0] != 1):
        if record.to_play in _TWO:
            found["PL"] = [_TWO[record.to_play]]
        else:
            found["TP"] = [colour(record.to_play).name]
    return found


def _explanation(record: SgfRecord) -> str:
    further = ", ".join(f"{one.letter} {one.name}" for one in COLOURS[FEWEST : record.colours])
    return (
        f"Go for {record.colours} colours. Stones of further colours are labels here: {further}. "
        "Their moves are the property MC, other programs' boards are corrected after each of them."
    )
