"""Players that form, fear and fake coalitions (Cazenave 2008, section 4): each is one assumption, or a
choice among the trees of several."""

from manyminds.players.coalitions import (  # noqa: F401  (they register their players)
    alliance,
    confident,
    infer,
    paranoid,
    same,
    symmetric,
    talk,
)
