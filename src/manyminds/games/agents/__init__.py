"""Playout agents: heuristics in an order, and databases of them, one agent drawn for every step."""

from manyminds.games.agents.agent import Agent, all_orders, number_of, parse_agent
from manyminds.games.agents.database import Database, find_database, known_databases, read_database
from manyminds.games.agents.heuristic import Heuristic, heuristic, known_heuristics
from manyminds.games.agents.playing import with_agents

__all__ = [
    "Agent",
    "Database",
    "Heuristic",
    "all_orders",
    "find_database",
    "heuristic",
    "known_databases",
    "known_heuristics",
    "number_of",
    "parse_agent",
    "read_database",
    "with_agents",
]
