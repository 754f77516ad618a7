"""A campaign written as TOML, so that one built in Python can be read, kept and run again."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from manyminds.arena.campaign import Campaign

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_SECTIONS = ("game", "settings", "stop", "players")


def to_toml(campaign: Campaign) -> str:
    """The TOML text that `parse_campaign` reads as this campaign."""
    data = msgspec.to_builtins(campaign)
    sections = {key: data.pop(key) for key in _SECTIONS if isinstance(data.get(key), dict)}
    published = data.pop("published", [])
    lines = [f"{key} = {_value(value)}" for key, value in data.items()]
    for name, table in sections.items():
        lines += ["", f"[{name}]", *pairs(table)]
    for table in published:
        lines += ["", "[[published]]", *pairs(table)]
    return "\n".join(lines) + "\n"


def pairs(table: Mapping[str, Any]) -> Iterator[str]:
    """The table as lines of TOML; keys whose value is None are left out."""
    return (f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nan"  # a published number that there is none of
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return _list([_value(item) for item in value])


def _list(items: list[str]) -> str:
    flat = f"[{', '.join(items)}]"
    if len(flat) <= 90:
        return flat
    return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
