"""From a game tree to the record of its main line, every value checked."""

from __future__ import annotations

from collections.abc import Iterable

from manyminds.core.errors import UsageError
from manyminds.games.go import sgf_values as values
from manyminds.games.go.colours import FEWEST, check_count, colour_named, colour_names
from manyminds.games.go.coordinates import LARGEST, row_and_column
from manyminds.games.go.sgf_record import PlayedMove, SgfRecord
from manyminds.games.go.sgf_tree import Node
from manyminds.games.go.sgf_writer import move_comment
from manyminds.games.go.stones import without_liberty

MOST_SETUP_NODES = 1_000
_MOVES = {"B": 1, "W": 2}
_SETUP = {"AB": 1, "AW": 2, "AE": 0}
_OF_TWO = {"B": 1, "BLACK": 1, "W": 2, "WHITE": 2}


def record_of(root: Node) -> SgfRecord:
    """The main line of this tree; what is no game of Go that can be replayed is refused."""
    if _single(root, "GM", "1").strip() != "1":
        raise UsageError(f"GM[{_single(root, 'GM', '')[:20]}] is not Go: Go's files say GM[1]")
    width, height = values.size(_single(root, "SZ", str(LARGEST)))
    record = SgfRecord(width, height, _colours(root))
    _read_root(root, record)
    first: int | None = None
    setups = 0
    for node in root.main_line():
        played = _move(node, record)
        if played is None or "MC" not in node.properties:
            changed, to_play = _set_up(node, record)
            first = to_play or first
            setups += changed
            if (changed or to_play) and record.moves:
                raise UsageError("setup stones after the first move: this game cannot be replayed")
            if setups > MOST_SETUP_NODES:
                raise UsageError(f"more than {MOST_SETUP_NODES} nodes with setup stones")
        if played is not None:
            record.moves.append(played)
        if node is not root or played is not None:
            _comment(node, record, played)
    record.to_play = first or _first_to_play(root, record)
    _check_stones(record)
    return record


def _single(node: Node, name: str, default: str) -> str:
    """The one value of a property, or the default where it is missing."""
    raw = node.properties.get(name, [default])
    if len(raw) != 1:
        raise UsageError(f"{name} has {len(raw)} values in an SGF file, and takes one")
    return raw[0]


def _colours(root: Node) -> int:
    """How many colours play: two, unless CL names them."""
    if "CL" not in root.properties:
        return FEWEST
    named = tuple(colour_named(values.simple_text(raw)).name for raw in root.properties["CL"])
    check_count(len(named))
    if named != colour_names(len(named)):
        expected = "".join(f"[{name}]" for name in colour_names(len(named)))
        raise UsageError(f"CL names the colours in their order of play: CL{expected}")
    return len(named)


def _read_root(root: Node, record: SgfRecord) -> None:
    record.komi = _komi(root, record.colours)
    record.points = _numbers(root, "RC", record.colours)
    record.names = _names(root, record.colours)
    record.result = values.simple_text(_single(root, "RE", ""))
    record.rules = values.simple_text(_single(root, "RU", ""))
    record.event = values.simple_text(_single(root, "EV", ""))
    record.date = values.simple_text(_single(root, "DT", ""))
    if not _MOVES.keys() & root.properties.keys():
        record.comment = values.text(_single(root, "C", ""))


def _komi(root: Node, colours: int) -> tuple[float, ...]:
    if "KC" in root.properties:
        return _numbers(root, "KC", colours)
    if "KM" not in root.properties:
        return ()
    return (0.0, values.number(_single(root, "KM", "")), *[0.0] * (colours - 2))


def _by_colour(root: Node, name: str, colours: int) -> dict[int, str]:
    """The values "red:..." of a property, raw, by colour."""
    found: dict[int, str] = {}
    for raw in root.properties.get(name, []):
        number, value = _of_colour(raw, name, colours)
        if number in found:
            raise UsageError(f"{name} has two values for one colour")
        found[number] = value
    return found


def _of_colour(raw: str, name: str, colours: int) -> tuple[int, str]:
    """The two halves of "red:..."."""
    first, second = values.pair(raw)
    if second is None:
        raise UsageError(f"{name}[{raw[:20]}] is not written like {name}[red:...]")
    number = colour_named(values.simple_text(first)).number
    if number > colours:
        raise UsageError(f"{name}[{raw[:20]}]: CL does not name this colour")
    return number, second


def _numbers(root: Node, name: str, colours: int) -> tuple[float, ...]:
    found = _by_colour(root, name, colours)
    if found and len(found) < colours:
        raise UsageError(f"{name} leaves some of the {colours} colours out")
    return tuple(values.number(found[number]) for number in sorted(found))


def _names(root: Node, colours: int) -> tuple[str, ...]:
    raw = {1: _single(root, "PB", ""), 2: _single(root, "PW", "")}
    raw |= _by_colour(root, "PN", colours)
    names = tuple(values.simple_text(raw.get(number, "")) for number in range(1, colours + 1))
    return names if any(names) else ()


def _move(node: Node, record: SgfRecord) -> PlayedMove | None:
    """The move of this node, if it has one."""
    found = [name for name in ("B", "W", "MC") if name in node.properties]
    if not found:
        return None
    if len(found) > 1:
        raise UsageError(f"{' and '.join(found)} in one node of an SGF file: one move a node")
    name, raw = found[0], _single(node, found[0], "")
    number = _MOVES.get(name, 0)
    if name == "MC":
        number, raw = _of_colour(raw, name, record.colours)
    return number, values.move(raw, record.width, record.height)


def _set_up(node: Node, record: SgfRecord) -> tuple[bool, int]:
    """Put this node's setup stones on the board; did it change, and who plays now (or 0)."""
    here: dict[int, int] = {}
    for name, number in _SETUP.items():
        raw = node.properties.get(name, [])
        _put(here, values.points(raw, record.width, record.height), number)
    for raw_stone in node.properties.get("AC", []):
        number, raw_point = _of_colour(raw_stone, "AC", record.colours)
        _put(here, [values.point(raw_point.strip(), record.width, record.height)], number)
    for point, number in here.items():
        record.stones.pop(row_and_column(point), None)
        if number:
            record.stones[row_and_column(point)] = number
    return bool(here), _to_play(node, record)


def _put(here: dict[int, int], points: Iterable[int], number: int) -> None:
    for point in points:
        if point in here:
            raise UsageError("one node of an SGF file sets up a point twice")
        here[point] = number


def _to_play(node: Node, record: SgfRecord) -> int:
    if "TP" in node.properties:
        number = colour_named(values.simple_text(_single(node, "TP", ""))).number
        if number > record.colours:
            raise UsageError("TP names a colour that CL does not")
        return number
    said = values.simple_text(_single(node, "PL", "")).strip().upper()
    if said and said not in _OF_TWO:
        raise UsageError(f"PL[{said[:20]}] is neither PL[B] nor PL[W]")
    return _OF_TWO.get(said, 0)


def _first_to_play(root: Node, record: SgfRecord) -> int:
    """Where the file does not say it: whose the first move is, else White after a handicap."""
    if record.moves:
        return record.moves[0][0]
    return 2 if values.number(_single(root, "HA", "0")) >= 2 else 1


def _comment(node: Node, record: SgfRecord, played: PlayedMove | None) -> None:
    """Keep what people said; not the line that the writer adds to moves of further colours."""
    words = values.text(_single(node, "C", ""))
    if played is not None and "MC" in node.properties:
        added = move_comment(played, record.width, record.height)
        words = words.removeprefix(added).removeprefix("\n")
    if not words:
        return
    if played is None:
        record.comment = f"{record.comment}\n{words}" if record.comment else words
    else:
        record.remarks[len(record.moves) - 1] = words


def _check_stones(record: SgfRecord) -> None:
    if without_liberty(record.stones, record.width, record.height):
        raise UsageError("the setup stones of an SGF file leave a string without liberties")
