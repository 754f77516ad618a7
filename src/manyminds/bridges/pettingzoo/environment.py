"""The two environments. `position` in both is our game's own state, for a search to look at."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from manyminds.bridges.pettingzoo.drawing import extent, image_of
from manyminds.bridges.pettingzoo.making import RENDER_MODES
from manyminds.bridges.pettingzoo.observation import Observation, observation_of
from manyminds.bridges.pettingzoo.position import Position
from manyminds.games.contract import Game


class _Common:
    """What both have: agents by the seats' names, spaces, rewards, drawing."""

    def __init__(
        self,
        game: Game,
        render_mode: str | None,
        rewards: str,
        illegal: str,
        observe: Observation | None,
    ) -> None:
        super().__init__()
        self.game, self.render_mode, self.illegal = game, render_mode, illegal
        self.gain = rewards == "points"
        self.metadata = {
            "name": f"{game.title}_v0",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": game.simultaneous,
            "render_fps": 4,
        }
        self.possible_agents = list(game.seat_names)
        self.agents: list[str] = []
        self.seats = {name: seat for seat, name in enumerate(game.seat_names)}
        self.sight = observe or observation_of(game)
        self._seeds = np.random.default_rng(0)  # of games that are begun without a seed
        self._room = (1, 1)
        seen = spaces.Box(self.sight.low, self.sight.high, dtype=self.sight.low.dtype.type)
        mask = spaces.Box(0, 1, (game.move_ids,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.move_ids) for agent in self.seats}

    def observation_space(self, agent: str) -> Any:
        """The same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The same object every time."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.course = Position(self.game, int(self._seeds.integers(2**63)))
        self.agents = list(self.possible_agents)
        self._counted = self.game.points(self.course.state)

    @property
    def position(self) -> Any:
        """The game's state: `mm.Search(env.game, env.position)` searches from here."""
        return self.course.state

    def state(self) -> np.ndarray:
        """The whole position, whoever looks: as seat 0 sees it."""
        return self.sight.of(self.course.state, 0)

    def _seen(self, agent: str, mask: np.ndarray) -> dict[str, np.ndarray]:
        return {
            "observation": self.sight.of(self.course.state, self.seats[agent]),
            "action_mask": mask,
        }

    def _earned(self) -> dict[str, float]:
        """What the last turn brought every seat."""
        if self.gain:
            before, self._counted = self._counted, self.game.points(self.course.state)
            brought = self._counted - before
        elif self.course.over or self.course.cut_off:
            brought = self.game.rewards(self.course.state)
        else:
            brought = np.zeros(self.game.seats)
        return {agent: float(brought[seat]) for agent, seat in self.seats.items()}

    def render(self) -> Any:
        """The position as the render mode has it."""
        if self.render_mode is None:
            warnings.warn("say render_mode= when you make the environment", stacklevel=2)
            return None
        text = self.game.show(self.course.state)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            print(text)
            return None
        lines, columns = extent(text)
        self._room = max(lines, self._room[0]), max(columns, self._room[1])
        return image_of(text, self._room)

    def close(self) -> None:
        """Nothing is held that has to be given back."""


class GameEnvironment(_Common, AECEnv):
    """Agents one after the other. Of a simultaneous turn nobody sees what the others chose before it."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game."""
        self._begin(seed)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._ask()

    def _ask(self) -> None:
        """Who moves in the turn that begins."""
        self.waiting = self.course.movers()
        self.chosen: dict[int, int] = {}
        first = self.waiting[0] if self.waiting else 0
        self.agent_selection = self.possible_agents[first]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The position, and what the agent may do; nothing after it chose, or when it does not move."""
        seat = self.seats[agent]
        idle = np.zeros(self.game.move_ids, np.int8)
        return self._seen(agent, self.course.mask(seat) if seat in self.waiting else idle)

    def step(self, action: Any) -> None:
        """The selected agent's action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self.waiting.pop(0)
        self.chosen[seat], as_said = self.course.settled(seat, action, self.illegal)
        self.infos[agent] = {} if as_said else {"illegal": int(action)}
        if self.waiting:
            self.agent_selection = self.possible_agents[self.waiting[0]]
            return
        self.course.play(self.chosen)
        self.rewards = self._earned()
        self.terminations = dict.fromkeys(self.agents, self.course.over)
        self.truncations = dict.fromkeys(self.agents, self.course.cut_off)
        self._ask()
        self._accumulate_rewards()
        if self.course.over or self.course.cut_off:
            self._deads_step_first()


class ParallelGameEnvironment(_Common, ParallelEnv):
    """All agents at once."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game: what everybody sees, and nothing else to say."""
        self._begin(seed)
        return self._all_see(), {agent: {} for agent in self.agents}

    def _all_see(self) -> dict[str, Any]:
        return {
            agent: self._seen(agent, self.course.mask(self.seats[agent])) for agent in self.agents
        }

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Everybody's action; those of agents that do not move now are not looked at."""
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        chosen: dict[int, int] = {}
        for seat in self.course.movers():
            agent = self.possible_agents[seat]
            action = actions.get(agent, -1)
            chosen[seat], as_said = self.course.settled(seat, action, self.illegal)
            if not as_said:
                infos[agent]["illegal"] = int(action)
        self.course.play(chosen)
        over, cut_off = self.course.over, self.course.cut_off
        told = (
            self._all_see(),
            self._earned(),
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, cut_off),
            infos,
        )
        if over or cut_off:
            self.agents = []
        return told
