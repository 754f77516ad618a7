"""SGF FF[4] as text: the grammar, both ways, with every variation kept.

    Collection = GameTree { GameTree }        Node     = ";" { Property }
    GameTree   = "(" Sequence { GameTree } ")"    Property = Ident Value { Value }
    Sequence   = Node { Node }                Value    = "[" ... "]"

Values stay raw, their escapes untouched, so that what this module does not know is written back
as it was read; `sgf_values` tells what they mean. Files come from outside: size, nesting and counts
are bounded, nothing recurses, and whatever is wrong is a `UsageError` with its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from manyminds.core.errors import UsageError, nearest

LONGEST = 8 * 2**20  # bytes or characters of one file
MOST_NODES = 100_000
DEEPEST = 2_000  # variations inside variations
MOST_VALUES = 2_000  # of one property; a 19x19 board has 361 points

_START = re.compile(r"\(\s*;")
_TOKEN = re.compile(r"\s*(?:([(;)])|([A-Za-z]{1,64})(?![A-Za-z])|\[((?:[^\]\\]++|\\.)*+)\])", re.S)
_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
# Only these: Python knows more, among them some that are no character sets and some that are slow.
_CHARSETS = (
    *("utf-8", "us-ascii", "iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-9", "iso-8859-15"),
    *("latin1", "windows-1250", "windows-1251", "windows-1252", "koi8-r", "euc-jp", "shift_jis"),
    *("cp932", "iso-2022-jp", "gb2312", "gbk", "gb18030", "big5", "euc-kr", "cp949"),
)


class Node:
    """One node: raw values by property, in the order read, and the nodes that may follow it.

    The first child continues the main line. Nodes compare by identity: trees can be deeper than
    Python recurses.
    """

    __slots__ = ("children", "properties")

    def __init__(self, properties: dict[str, list[str]] | None = None) -> None:
        self.properties: dict[str, list[str]] = {} if properties is None else properties
        self.children: list[Node] = []

    def __repr__(self) -> str:
        return f"<Node {' '.join(self.properties)}, {len(self.children)} children>"

    def main_line(self) -> Iterator[Node]:
        """This node and the first child of each, to the end."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.children[0] if node.children else None


def decode(data: bytes) -> str:
    """The file's text: by its byte order mark, its CA property, or UTF-8, or else Latin-1."""
    _check_length(len(data))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    found = _CHARSET.search(data)
    if found is None:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("latin-1")
    name = found[1].decode("ascii").lower()
    known = {one.replace("_", "-"): one for one in _CHARSETS}
    if name.replace("_", "-") not in known:
        raise UsageError(f"CA[{name}] is not a charset that is read here: {nearest(name, known)}")
    return data.decode(known[name.replace("_", "-")], "replace")


def parse(text: str) -> list[Node]:
    """The roots of all game trees; what stands before the first one is skipped, as FF[4] asks."""
    _check_length(len(text))
    start = _START.search(text)
    if start is None:
        raise UsageError('this is no SGF: it has no game tree, which begins with "(;"')
    return _Reader(text, start.start()).read()


class _Reader:
    """One pass over the text; `here` is the node being filled, None before a tree's first node."""

    def __init__(self, text: str, position: int) -> None:
        self.text, self.position = text, position
        self.roots: list[Node] = []
        self.opened: list[Node | None] = []  # for every open "(", the node that it stands behind
        self.here: Node | None = None
        self.values: list[str] | None = None  # of the property being read
        self.begun = 0  # how many of them it had before
        self.fresh = False  # no node yet since "("
        self.closed = False  # since ")" of a variation: only a variation or ")" may follow
        self.nodes = 0

    def read(self) -> list[Node]:
        while (token := _TOKEN.match(self.text, self.position)) is not None:
            sign, word, value = token.groups()
            if value is not None:
                self._value(value)
                self.position = token.end()
                continue
            self._check_values()
            if word is not None:
                self._property(word)
            elif sign == ";":
                self._node()
            elif sign == "(":
                self._open()
            else:
                self._close()
            self.position = token.end()
        self._end()
        return self.roots

    def _open(self) -> None:
        if (self.opened and self.here is None) or self.fresh:
            raise self._wrong('a variation before the first node: ";" comes first')
        if len(self.opened) >= DEEPEST:
            raise self._wrong(f"variations more than {DEEPEST} deep")
        self.opened.append(self.here)
        self.fresh, self.closed, self.values = True, False, None

    def _close(self) -> None:
        if not self.opened:
            raise self._wrong('")" without "("')
        if self.fresh:
            raise self._wrong('a variation without a node: ";" comes after "("')
        self.here, self.closed, self.values = self.opened.pop(), True, None

    def _node(self) -> None:
        if not self.opened:
            raise self._wrong('a node outside "(" and ")"')
        if self.closed:
            raise self._wrong("a node after a variation: variations come last")
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self._wrong(f"more than {MOST_NODES} nodes")
        node = Node()
        (self.roots if self.here is None else self.here.children).append(node)
        self.here, self.fresh, self.values = node, False, None

    def _property(self, word: str) -> None:
        if self.here is None or self.fresh or self.closed:
            raise self._wrong(f"the property {word} outside a node")
        name = "".join(letter for letter in word if letter.isupper())  # FF[3] wrote AddBlack
        if not name:
            raise self._wrong(f"the property {word} has no capital letter")
        self.values = self.here.properties.setdefault(name, [])
        self.begun = len(self.values)

    def _value(self, value: str) -> None:
        if self.values is None:
            raise self._wrong("a value without a property")
        if len(self.values) >= MOST_VALUES:
            raise self._wrong(f"a property with more than {MOST_VALUES} values")
        self.values.append(value)

    def _check_values(self) -> None:
        if self.values is not None and len(self.values) == self.begun:
            raise self._wrong("a property without a value")

    def _end(self) -> None:
        rest = self.text[self.position :].lstrip("\0 \t\r\n\v\f\x1a")
        if rest:
            raise self._wrong(f"{rest[:12]!r} is not SGF")
        if self.opened:
            raise self._wrong(f'{len(self.opened)} times ")" is missing at the end')

    def _wrong(self, what: str) -> UsageError:
        here = len(self.text) - len(self.text[self.position :].lstrip())
        line = self.text.count("\n", 0, here) + 1
        column = here - self.text.rfind("\n", 0, here)
        return UsageError(f"SGF, line {line}, column {column}: {what}")


def serialise(roots: Iterable[Node]) -> str:
    """The text of these trees, one node a line; `parse` reads back what was given."""
    out: list[str] = []
    for root in roots:
        left: list[Node | str] = [")\n", root, "("]
        while left:
            one = left.pop()
            if isinstance(one, str):
                out.append(one)
                continue
            out.append(_node_text(one))
            if len(one.children) == 1:
                left += one.children[0], "\n"
            else:
                for child in reversed(one.children):
                    left += [")", child, "\n("]
    return "".join(out)


def _node_text(node: Node) -> str:
    values = ((name, "".join(f"[{one}]" for one in raw)) for name, raw in node.properties.items())
    return ";" + "".join(name + text for name, text in values)


def _check_length(length: int) -> None:
    if length > LONGEST:
        raise UsageError(f"SGF of more than {LONGEST // 2**20} MiB is not read: split the file")
