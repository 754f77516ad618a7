"""Text from outside, made fit to be shown: no control characters, so that it cannot drive a terminal."""

from __future__ import annotations


def readable(said: str | bytes, most: int | None = None) -> str:
    """The text without blanks round it and with a replacement sign for what cannot be printed.

    Line ends stay. Of a text longer than `most` characters the beginning is kept.
    """
    text = (said.decode(errors="replace") if isinstance(said, bytes) else said).strip()
    text = "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if most is None else text[:most]
