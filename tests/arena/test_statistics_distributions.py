"""Our tails and quantiles beside SciPy's, over everything a campaign may ask, and far beyond."""

import math

import numpy as np
import pytest
from scipy import special, stats

from manyminds.arena.statistics.distributions import (
    beta_quantile,
    beta_share,
    critical_value,
    normal_both_tails,
    normal_quantile,
    normal_share,
    student_both_tails,
    student_quantile,
)
from manyminds.core.errors import UsageError

EXACT = 1e-9  # relative
SHARES = [1e-12, 1e-6, 1e-3, 0.005, 0.025, 0.1, 0.3, 0.49, 0.6, 0.9, 0.975, 0.995, 0.999999]
DEGREES = [0.5, 1, 1.3, 2, 3, 4.7, 10, 29, 30, 99.5, 1e3, 1e4, 1e6, 1e8, 1e10]
SHAPES = [0.3, 0.5, 1, 1.5, 2, 7, 33.5, 100, 1e3, 1e5, 1e6]


@pytest.mark.parametrize("z", np.linspace(-37, 8, 91))
def test_normal_shares_are_scipys(z):
    assert normal_share(z) == pytest.approx(stats.norm.cdf(z), rel=1e-12)
    assert normal_both_tails(z) == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12)


@pytest.mark.parametrize("p", [1e-300, 1e-30, *SHARES])
def test_normal_quantiles_are_scipys(p):
    assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=EXACT)


@pytest.mark.parametrize("degrees", DEGREES)
def test_student_tails_are_scipys(degrees):
    for t in [1e-3, 0.1, 0.5, 1, 1.96, 2.5, 4, 8, 20, 30]:
        ours = student_both_tails(t, degrees)
        assert ours == pytest.approx(2 * stats.t.sf(t, degrees), rel=EXACT)
        assert ours == student_both_tails(-t, degrees)


@pytest.mark.parametrize("degrees", DEGREES)
def test_student_quantiles_are_scipys(degrees):
    for p in SHARES:
        ours = student_quantile(p, degrees)
        assert ours == pytest.approx(stats.t.ppf(p, degrees), rel=EXACT)


@pytest.mark.parametrize(("p", "degrees"), [(0.5 + 1e-9, 1.0), (0.5 - 1e-12, 7.0), (1e-15, 3.0)])
def test_student_quantiles_keep_their_digits_where_differences_cancel(p, degrees):
    if abs(p - 0.5) < 1e-3:  # the density at 0 is all that matters there
        density = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2))
        expected = (p - 0.5) * math.sqrt(degrees * math.pi) / density
    else:
        expected = stats.t.isf(1e-15, degrees) * -1
    assert student_quantile(p, degrees) == pytest.approx(expected, rel=EXACT)


def test_student_with_infinitely_many_degrees_is_the_normal():
    assert student_both_tails(1.3, math.inf) == normal_both_tails(1.3)
    assert critical_value(0.95) == pytest.approx(1.959963984540054, rel=1e-14)
    assert critical_value(0.95, 199) == pytest.approx(stats.t.ppf(0.975, 199), rel=EXACT)


@pytest.mark.parametrize("a", SHAPES)
@pytest.mark.parametrize("b", SHAPES)
def test_beta_quantiles_and_shares_are_scipys(a, b):
    for p in SHARES:
        theirs = special.betaincinv(a, b, p)
        ours = beta_quantile(p, a, b)
        if theirs < 1e-280:  # below what a double holds in log odds
            assert ours < 1e-270
            continue
        # SciPy's inverse is off by up to 2e-8 where a and b are far apart: its direct function
        # then decides. Next to 1 it is the other way round: x itself has too few digits.
        assert ours == pytest.approx(theirs, rel=EXACT) or (
            special.betainc(a, b, ours) == pytest.approx(p, rel=EXACT)
        )
        assert beta_share(theirs, a, b) == pytest.approx(special.betainc(a, b, theirs), rel=EXACT)


def test_ends_of_the_distributions():
    assert normal_quantile(0) == -math.inf
    assert student_quantile(1, 5) == math.inf
    assert student_quantile(0.5, 5) == 0
    assert (student_both_tails(0, 5), student_both_tails(math.inf, 5)) == (1, 0)
    assert (beta_share(0, 2, 3), beta_share(1, 2, 3)) == (0, 1)
    assert (beta_quantile(0, 2, 3), beta_quantile(1, 2, 3)) == (0, 1)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: normal_quantile(1.1),
        lambda: student_quantile(math.nan, 3),
        lambda: student_both_tails(1, 0),
        lambda: beta_quantile(0.5, 0, 1),
        lambda: beta_share(0.5, 1, math.inf),
    ],
)
def test_refuses_what_is_no_probability_or_no_shape(ask):
    with pytest.raises(UsageError):
        ask()
