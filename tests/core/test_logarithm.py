"""Our logarithm against decimal's, which has as many digits as one asks for."""

import decimal
import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.kernel import entry
from manyminds.core.logarithm import log_count

pytestmark = pytest.mark.interpreted


@entry
def logarithm(n):
    return log_count(n)


def error(n):
    with decimal.localcontext(prec=40):
        exact = decimal.Decimal(n).ln()
        return float(abs(decimal.Decimal(logarithm(n)) - exact) / max(exact, decimal.Decimal(1)))


@given(st.one_of(st.integers(1, 2**62), st.integers(1, 10_000)))
def test_is_exact_to_14_digits(n):
    assert error(n) < 1e-15 * 4
    assert math.isclose(logarithm(n), math.log(n), rel_tol=1e-14, abs_tol=1e-15)


@pytest.mark.parametrize("power", range(62))
def test_is_exact_around_powers_of_two(power):
    for n in {max(1, 2**power + d) for d in (-1, 0, 1)}:
        assert error(n) < 4e-15


def test_never_falls():
    """Selection rules divide by counts: a logarithm that fell would prefer what was tried more."""
    values = [logarithm(n) for n in range(1, 5000)]
    assert all(a < b for a, b in itertools.pairwise(values))
    assert values[0] == 0.0


@pytest.mark.parametrize(
    ("n", "bits"),
    [
        (2, "0x1.62e42fefa39efp-1"),
        (3, "0x1.193ea7aad030ap+0"),
        (1000, "0x1.ba18a998fffa0p+2"),
        (10**9 + 7, "0x1.4b927f34a104dp+4"),
    ],
)
def test_every_bit_is_the_same_everywhere(n, bits):
    """Golden: computed from additions and products alone, the same on all machines."""
    assert logarithm(n).hex() == bits
