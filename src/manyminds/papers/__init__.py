"""The three papers as campaigns: their printed tables as data, ours beside them."""

from manyminds.papers.registry import known_campaigns, known_papers, paper_named, register_paper

__all__ = ["known_campaigns", "known_papers", "paper_named", "register_paper"]

# A paper of ours: a line here, and its data in a module of that name.
_OURS: dict[str, str] = {
    "cazenave2008": "T. Cazenave: Multiplayer Go, coalitions round one board (2008)",
    "filip2013": "O. Filip: teammates with a tree each, on channels that lose messages (2013)",
    "marcolino2011": "L. S. Marcolino, H. Matsubara: Multi-Agent Monte Carlo Go (2011)",
}

for _name, _line in _OURS.items():
    register_paper(_name, f"manyminds.papers.{_name}:PAPER", _line)
