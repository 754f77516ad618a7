"""Learners by name. The registry is open: a file of yours registers a learner the way ours are.

register_learner("mine", Learner(function, Settings), "one line")
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import msgspec

from manyminds.arena.campaign import refuse_unknown
from manyminds.arena.learning.course import Candidates, Course, Learner
from manyminds.core.errors import UsageError, nearest

_learners: dict[str, tuple[Learner | str, str]] = {}


def register_learner(name: str, learner: Learner | str, help: str = "") -> None:  # noqa: A002 - as in `register`
    """Make a learner known: itself, or where it is, as "module:NAME". `help` is one line."""
    _learners[name] = (learner, help)


def known_learners() -> dict[str, str]:
    """Every learner's name with its one line."""
    return {name: line for name, (_, line) in _learners.items()}


def learner_named(name: str) -> Learner:
    """The learner of this name."""
    if name not in _learners:
        raise UsageError(f'there is no learner "{name[:60]}"; {nearest(name, _learners)}')
    learner = _learners[name][0]
    if isinstance(learner, str):
        module, _, attribute = learner.partition(":")
        learner = getattr(import_module(module), attribute)
    assert isinstance(learner, Learner)
    return learner


def begin(name: str, candidates: Candidates, settings: Mapping[str, Any] | None = None) -> Course:
    """The learner's course over these candidates; settings that it does not have are errors."""
    learner = learner_named(name)
    given = dict(settings or {})
    refuse_unknown(given, learner.settings, "learner.")
    try:
        made = msgspec.convert(given, learner.settings)
    except msgspec.ValidationError as error:
        raise UsageError(f"learner {name}: {error}") from None
    return learner.learn(candidates, made)
