"""What one decision may spend: simulations, milliseconds, or nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from manyminds.core.errors import UsageError

_TEXT = re.compile(r"(?P<number>\d{1,18}(?:\.\d{1,30})?)(?P<unit>|ms|s|nodes)", re.ASCII)
_FORMS = 'a budget is "1000" (simulations), "200ms", "2s" or "5000nodes"'
_LEAST, _MOST = 0.001, 10**15


@dataclass(frozen=True, slots=True)
class Budget:
    """Exactly one of the three is not None, and it is at least 0.001 and at most 10**15."""

    simulations: int | None = None
    milliseconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        given = [x for x in (self.simulations, self.milliseconds, self.nodes) if x is not None]
        if len(given) != 1:
            raise UsageError(f"give one of simulations, milliseconds and nodes; {_FORMS}")
        if not _LEAST <= given[0] <= _MOST:  # false for NaN too
            raise UsageError(f"a budget of {given[0]} cannot be spent; {_FORMS}")

    @staticmethod
    def parse(text: str | int | Budget) -> Budget:
        """The budget that was typed; a whole number alone counts simulations."""
        if isinstance(text, Budget):
            return text
        match = _TEXT.fullmatch(str(text))
        if match is None or isinstance(text, bool):
            raise UsageError(f'"{str(text)[:40]}" is no budget; {_FORMS}')
        number, unit = match["number"], match["unit"]
        if unit in ("ms", "s"):
            return Budget(milliseconds=float(number) * (1000.0 if unit == "s" else 1.0))
        if "." in number:
            raise UsageError(f'"{text}" is no whole number; {_FORMS}')
        if unit == "nodes":
            return Budget(nodes=int(number))
        return Budget(simulations=int(number))

    def __str__(self) -> str:
        """The shortest text that `parse` reads as this budget."""
        if self.simulations is not None:
            return str(self.simulations)
        if self.nodes is not None:
            return f"{self.nodes}nodes"
        return f"{Decimal(repr(float(self.milliseconds or 0))):f}".removesuffix(".0") + "ms"
