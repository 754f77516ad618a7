"""Random numbers: xorshift64*, the same numbers compiled and interpreted, on every machine.

A generator is a record with one 64-bit word. Seeds are derived from seeds by hashing words, so that
the seed of game 17, or of White, does not depend on who asks first.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from manyminds.core.kernel import inline
from manyminds.core.record import record

RNG = record(word="uint64")

_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)
_12, _25, _27, _32 = np.uint64(12), np.uint64(25), np.uint64(27), np.uint64(32)


def derive(seed: int, *words: object) -> int:
    """A 64-bit seed that follows from `seed` and the words, and from nothing else."""
    text = repr((int(seed), *[str(word) for word in words])).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def generator(seed: int) -> Any:
    """A generator in its own record. Any integer is a seed; the word is never 0, where xorshift sticks."""
    rng = RNG.new()
    rng.word = np.uint64(derive(seed, "generator") or 1)
    return rng


@inline
def following(word):
    """The word after this one."""
    word ^= word >> _12
    word ^= word << _25
    return word ^ (word >> _27)


@inline
def bits_of(word):
    """The 32 random bits that a word stands for."""
    return (word * _MULTIPLIER) >> _32


@inline
def draw(rng):
    """The next 32 random bits."""
    word = following(rng.word)
    rng.word = word
    return bits_of(word)


@inline
def scaled(bits, n):
    """The whole number from 0 to n - 1 that 32 random bits stand for."""
    return np.uint32((bits * np.uint64(n)) >> _32)


@inline
def below(rng, n):
    """A whole number from 0 to n - 1 (0 < n < `2**32`); no probability is off 1 / n by more than `2**-32`."""
    return scaled(draw(rng), n)


@inline
def fraction(rng):
    """A real number in [0, 1), in steps of `2**-32`."""
    return float(draw(rng)) * 2.3283064365386963e-10
