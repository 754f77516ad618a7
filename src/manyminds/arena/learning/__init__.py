"""Learning an agent database: strategies over candidates and measured games, and what plays those games."""

from manyminds.arena.learning.registry import known_learners, learner_named, register_learner

__all__ = ["known_learners", "learner_named", "register_learner"]

# A learner of ours: a line here, and its function in a module.
_OURS: dict[str, tuple[str, str]] = {
    "greedy": ("greedy:GREEDY", "each agent is tried once, and stays if the share of wins rises"),
    "racing": ("racing:RACING", "drops hopeless agents early, spends games where they matter"),
    "annealing": ("annealing:ANNEALING", "accepts a worse set sometimes, to leave local maxima"),
    "weights": ("racing:WEIGHTS", "how often each agent of a given set is to be drawn"),
}

for _name, (_place, _line) in _OURS.items():
    register_learner(_name, f"manyminds.arena.learning.{_place}", _line)
